package discord

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Interactions delivered by HTTP. Their signature and time are checked, and each is handled only once.

// HookPath is the path at which the server serves Hook. A proxy in front of it may use another.
const HookPath = "/discord"

const (
	// maxDelivered is the largest accepted interaction in bytes.
	maxDelivered = 1 << 20
	// maxSkew is how far an interaction's time may be from the machine's clock. Discord waits three seconds for an
	// answer; more is allowed because clocks may be wrong.
	maxSkew = time.Minute
)

// ParseKey parses an application's public key: 64 hexadecimal digits in the Developer Portal. It returns nil for "".
func ParseKey(text string) (ed25519.PublicKey, error) {
	if text == "" {
		return nil, nil
	}
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("the public key is 64 hexadecimal digits: copy it from General Information in the " +
			"Developer Portal")
	}
	return key, nil
}

// Hook returns the HTTP handler that receives interactions. The operator enters its public address as the application's
// Interactions Endpoint URL. It refuses requests that the application's key has not signed, old ones and repeated ones.
func (d *Discord) Hook() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "interactions are posted", http.StatusMethodNotAllowed)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxDelivered)
		// Whole seconds are compared: as a time.Duration, hundreds of years would overflow.
		at, err := strconv.ParseInt(r.Header.Get("X-Signature-Timestamp"), 10, 64)
		now := time.Now()
		if len(d.options.Key) == 0 || err != nil || at < now.Add(-maxSkew).Unix() || at > now.Add(maxSkew).Unix() ||
			!discordgo.VerifyInteraction(r, d.options.Key) {
			http.Error(w, "only Discord is let in here", http.StatusUnauthorized)
			return
		}
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
			http.Error(w, "interactions are JSON", http.StatusUnsupportedMediaType)
			return
		}
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "that is no interaction", http.StatusBadRequest)
			return
		}
		d.serveDelivered(w, raw)
	})
}

// serveDelivered responds to w with 202 at once and handles the interaction raw in the background. The answer is not in
// the response but a request to Discord, as with the gateway. Only a test request (ping) is answered in the response.
func (d *Discord) serveDelivered(w http.ResponseWriter, raw []byte) {
	var ping struct{ Type discordgo.InteractionType }
	if json.Unmarshal(raw, &ping) == nil && ping.Type == discordgo.InteractionPing {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"type":1}`))
		return
	}
	in, ok := readInteraction(raw)
	if !ok {
		d.log.Warn("decode webhook interaction failed")
		http.Error(w, "that is no interaction", http.StatusBadRequest)
		return
	}
	s := d.current.Load()
	if s == nil || !s.Begin() {
		http.Error(w, "the bot is not at work", http.StatusServiceUnavailable)
		return
	}
	if !d.received.Add(in.ID, in.at, 2*maxSkew) {
		s.Done()
		http.Error(w, "that was delivered before", http.StatusConflict)
		return
	}
	go func() {
		defer s.Done()
		d.serve(s.late, s.core, in)
	}()
	w.WriteHeader(http.StatusAccepted)
}
