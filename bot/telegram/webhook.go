package telegram

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// HookPath is the path at which the server serves Hook. A proxy in front of it may use another.
const HookPath = "/telegram"

// CheckWebhook returns an error if address is not valid as Options.Webhook; "" is valid.
func CheckWebhook(address string) error {
	if address == "" {
		return nil
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "https" || at.Hostname() == "" || at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("webhook %q: use an https address, such as https://dice.example.org/telegram", address)
	}
	switch at.Port() {
	case "", "443", "80", "88", "8443":
		return nil
	}
	return fmt.Errorf("webhook %q: Telegram only delivers to ports 443, 80, 88 and 8443", address)
}

// maxDelivered is the largest accepted update in bytes. Usual updates have a few thousand.
const maxDelivered = 1 << 20

// secretHeader is the header by whose secret Telegram proves that it sends an update.
const secretHeader = "X-Telegram-Bot-Api-Secret-Token"

// hookRun is one call of Run with a webhook. Hook passes updates to it.
type hookRun struct {
	listener
	ctx    context.Context   // in which updates are handled
	secret [sha256.Size]byte // hash of the secret that Telegram sends
	chats  chat.Keyed[int64] // the updates of each chat are handled in order
	active chat.Work         // the updates in progress
}

// Hook returns the HTTP handler for updates that Telegram delivers. It responds with 200 once the update is handled and
// its button press, if any, is answered, even if the update cannot be decoded. After other responses, or if the process
// dies, Telegram delivers the update again.
func (t *Telegram) Hook() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, secret := t.hookRun.Load(), sha256.Sum256([]byte(r.Header.Get(secretHeader)))
		if d == nil || subtle.ConstantTimeCompare(d.secret[:], secret[:]) != 1 {
			http.Error(w, "only Telegram is let in here", http.StatusForbidden)
			return
		}
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "updates are posted", http.StatusMethodNotAllowed)
			return
		}
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
			http.Error(w, "updates are JSON", http.StatusUnsupportedMediaType)
			return
		}
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivered))
		if err != nil {
			http.Error(w, "that is no update", http.StatusRequestEntityTooLarge)
			return
		}
		w.WriteHeader(d.handleDelivered(r.Context(), raw))
	})
}

// handleDelivered handles the update raw and returns the status of the response. While Run ends it returns 503, so that
// Telegram delivers the update again later. For an unreadable update it returns 200, so that it does not come again.
func (d *hookRun) handleDelivered(ctx context.Context, raw json.RawMessage) (status int) {
	if !d.active.Begin() {
		return http.StatusServiceUnavailable
	}
	defer d.active.Done()
	u, err := decode(raw)
	if err != nil {
		d.log.Warn("skipped unreadable webhook update", "error", err)
		return http.StatusOK
	}
	done, err := d.chats.Lock(ctx, u.chat())
	if err != nil {
		return http.StatusServiceUnavailable
	}
	var answers sync.WaitGroup
	d.handleSafely(d.ctx, u, &answers)
	done() // the chat's next update does not wait for the answer
	answers.Wait()
	return http.StatusOK
}

// serveWebhook registers the webhook at Telegram, with retries, and lets Hook handle updates until ctx is done. Then
// it waits for the updates in progress. work is the context for handling them. The webhook stays set: later updates go
// to other replicas or wait for the next run. A secret proves that updates come from Telegram. A single replica makes a
// random one; several replicas need the same secret, so they derive it from the bot's token.
func (l listener) serveWebhook(ctx, work context.Context) {
	secret := rand.Text()
	if !l.options.Leases.Part("").Holds {
		sum := hmac.New(sha256.New, []byte(l.options.Token))
		sum.Write([]byte("the door of a Telegram webhook"))
		secret = hex.EncodeToString(sum.Sum(nil))
	}
	d := &hookRun{listener: l, ctx: work, secret: sha256.Sum256([]byte(secret))}
	l.hookRun.Store(d)
	l.retry(ctx, "have updates delivered", func() error {
		err := l.execute(ctx, "setWebhook", tg.Params{
			"url": l.options.Webhook, "secret_token": secret, "allowed_updates": updateKinds(l.me),
			"max_connections": strconv.Itoa(maxConnections),
		})
		l.Turn(err == nil)
		return err
	})
	<-ctx.Done()
	d.active.Close()
}
