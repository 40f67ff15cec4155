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

// Webhook is the door at which Telegram delivers updates, in place of being
// asked for them.
type Webhook struct {
	// URL is where Telegram finds the door: https, at one of the ports 443, 80,
	// 88 and 8443. "": there is none, and Telegram is polled.
	URL string
}

// HookPath is where the door is served. A proxy before it may know it by
// another path.
const HookPath = "/telegram"

// Check says what is wrong with the address.
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

// maxDelivered is the largest update that is read, in bytes. Telegram's own
// are a few thousand.
const maxDelivered = 1 << 20

// secretHeader is where Telegram says the secret.
const secretHeader = "X-Telegram-Bot-Api-Secret-Token"

// open lets updates in until close, with this secret.
func (d *door) open(l listener, work context.Context, secret string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.secret = sha256.Sum256([]byte(secret))
	d.listener, d.work = &l, work
}

// knows reports whether a secret is the one with which the door was opened last.
func (d *door) knows(secret string) bool {
	d.mu.Lock()
	want := d.secret
	d.mu.Unlock()
	got := sha256.Sum256([]byte(secret))
	return want != [sha256.Size]byte{} && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// close lets nothing more in and waits for what is inside.
func (d *door) close() {
	d.mu.Lock()
	d.listener = nil
	d.mu.Unlock()
	d.inside.Wait()
}

// acquire returns the listener for an update, nil while the door is closed. Otherwise release must
// follow.
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

// Hook is the door itself, to be served at HookPath. It answers 200 once an
// update has been handled, and the press in it answered; anything else, the end
// of the process included, has Telegram deliver it again.
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

// delivered handles a delivered update and returns the status of the answer. An unreadable update is
// skipped with 200, or it would be delivered for ever.
func (t *Telegram) delivered(ctx context.Context, raw json.RawMessage) (status int) {
	l, work := t.door.acquire()
	if l == nil {
		return http.StatusServiceUnavailable
	}
	defer t.door.release()
	u, err := decode(raw)
	if err != nil {
		t.log.Warn("an update was passed over", "error", err)
		return http.StatusOK
	}
	done, err := t.door.chats.Lock(ctx, u.chat())
	if err != nil {
		return http.StatusServiceUnavailable
	}
	var answers sync.WaitGroup
	l.handleSafely(work, u, &answers)
	done() // what comes next in the chat waits for no answer
	answers.Wait()
	return http.StatusOK
}

// await has Telegram deliver updates until ctx is done. What comes after that
// waits at Telegram for the next run, or goes to another replica: the webhook stays. All replicas set
// the same, which changes nothing.
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

// newSecret is what Telegram is to say at the door. It is made anew each time and kept nowhere else than at Telegram,
// unless there are other replicas: then it has to be the same for all, whichever was the last to set the webhook, and
// follows from the bot's token without telling it.
func (t *Telegram) newSecret() string {
	if t.leases.Part("").Holds {
		return rand.Text()
	}
	sum := hmac.New(sha256.New, []byte(t.client.token))
	sum.Write([]byte("the door of a Telegram webhook"))
	return hex.EncodeToString(sum.Sum(nil))
}
