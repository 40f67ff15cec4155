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
)

// Webhook configures the delivery of updates by Telegram, instead of polling.
type Webhook struct {
	// URL is the public address of the hook: https, at port 443, 80, 88 or 8443. "": updates are polled.
	URL string
}

// HookPath is the path of the hook. A proxy before it may use another.
const HookPath = "/telegram"

// Check returns an error if the URL is invalid.
func (w Webhook) Check() error {
	if w.URL == "" {
		return nil
	}
	at, err := url.Parse(w.URL)
	if err != nil || at.Scheme != "https" || at.Hostname() == "" || at.RawQuery != "" || at.Fragment != "" {
		return fmt.Errorf("webhook %q: give an https address, such as https://dice.example.org/telegram", w.URL)
	}
	switch at.Port() {
	case "", "443", "80", "88", "8443":
		return nil
	}
	return fmt.Errorf("webhook %q: Telegram delivers to the ports 443, 80, 88 and 8443 only", w.URL)
}

// maxDelivered is the largest accepted update in bytes. Telegram's have a few thousand.
const maxDelivered = 1 << 20

// secretHeader is the header with Telegram's secret.
const secretHeader = "X-Telegram-Bot-Api-Secret-Token"

// open accepts updates with this secret until close.
func (d *door) open(l listener, work context.Context, secret string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secret = sha256.Sum256([]byte(secret))
	d.listener, d.work = &l, work
}

// knows reports whether a secret is the last one opened with.
func (d *door) knows(secret string) bool {
	d.mu.Lock()
	want := d.secret
	d.mu.Unlock()
	got := sha256.Sum256([]byte(secret))
	return want != [sha256.Size]byte{} && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// close refuses new updates and waits for those in progress.
func (d *door) close() {
	d.mu.Lock()
	d.listener = nil
	d.mu.Unlock()
	d.inside.Wait()
}

// acquire returns the listener for an update, or nil if closed. Otherwise the caller must call release.
func (d *door) acquire() (*listener, context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listener == nil {
		return nil, nil
	}
	d.inside.Add(1)
	return d.listener, d.work
}

func (d *door) release() { d.inside.Done() }

// Hook returns the handler to be served at HookPath. It answers 200 once an update was handled and its press
// answered; after anything else, or the end of the process, Telegram delivers it again.
func (t *Telegram) Hook() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !t.door.knows(r.Header.Get(secretHeader)) {
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
		w.WriteHeader(t.delivered(r.Context(), raw))
	})
}

// delivered handles a delivered update and returns the response's status. An unreadable update gets 200, or it would
// be delivered for ever.
func (t *Telegram) delivered(ctx context.Context, raw json.RawMessage) (status int) {
	l, work := t.door.acquire()
	if l == nil {
		return http.StatusServiceUnavailable
	}
	defer t.door.release()
	u, err := decode(raw)
	if err != nil {
		t.log.Warn("skipped unreadable update", "error", err)
		return http.StatusOK
	}
	done, err := t.door.chats.Lock(ctx, u.chat())
	if err != nil {
		return http.StatusServiceUnavailable
	}
	var answers sync.WaitGroup
	l.handleSafely(work, u, &answers)
	done() // the chat's next update need not wait for the answer
	answers.Wait()
	return http.StatusOK
}

// await has Telegram deliver updates until ctx is done. The webhook stays: later updates wait for the next run or go
// to another replica. All replicas set the same webhook.
func (l listener) await(ctx, work context.Context) {
	secret := l.newSecret()
	l.door.open(l, work, secret)
	l.retry(ctx, "have updates delivered", func() error {
		err := l.once(ctx, "setWebhook", tg.Params{
			"url": l.hook.URL, "secret_token": secret, "allowed_updates": wanted,
			"max_connections": strconv.Itoa(atOnce),
		})
		l.Turn(err == nil)
		return err
	})
	<-ctx.Done()
	l.door.close()
}

// newSecret returns the secret of the webhook. It is random and stored only at Telegram, unless there are other
// replicas: then it has to be the same for all, and is derived from the bot's token.
func (t *Telegram) newSecret() string {
	if t.leases.Part("").Holds {
		return rand.Text()
	}
	sum := hmac.New(sha256.New, []byte(t.client.token))
	sum.Write([]byte("the door of a Telegram webhook"))
	return hex.EncodeToString(sum.Sum(nil))
}
