package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// webhook is where updates are delivered, "": they are polled.
type webhook struct {
	url, secret string
	trouble     string             // why the last delivery has failed
	stop        context.CancelFunc // ends the deliveries, nil: there are none
}

// secretForm is what a webhook's secret may look like.
var secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// Proxy says where the https host of webhooks really is, scheme and host: a
// webhook that the bot sets from now on is delivered there. "" delivers
// nothing.
func (s *Server) Proxy(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proxy = base
}

// Webhook makes updates go to an address, as if somebody had set it: nobody can
// poll until it is deleted.
func (s *Server) Webhook(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook.url = url
}

func (s *Server) setWebhook(params map[string]string) (any, *refusal) {
	at, err := url.Parse(params["url"])
	if err != nil || at.Scheme != "https" {
		return nil, badRequest("bad webhook: An HTTPS URL must be provided for webhook")
	}
	if secret := params["secret_token"]; secret != "" && !secretForm.MatchString(secret) {
		return nil, badRequest("secret token contains unallowed characters")
	}
	if raw := params["allowed_updates"]; raw != "" {
		s.updates.allowed = nil
		_ = json.Unmarshal([]byte(raw), &s.updates.allowed)
	}
	s.unhook()
	s.hook = webhook{url: params["url"], secret: params["secret_token"]}
	if s.proxy != "" {
		ctx, stop := context.WithCancel(context.Background())
		s.hook.stop = stop
		go s.deliverAll(ctx, s.proxy+at.Path, s.hook.secret)
	}
	return true, nil
}

func (s *Server) deleteWebhook(map[string]string) (any, *refusal) {
	s.unhook()
	return true, nil
}

// unhook ends the deliveries. The caller holds the lock.
func (s *Server) unhook() {
	if s.hook.stop != nil {
		s.hook.stop()
	}
	s.hook = webhook{}
}

func (s *Server) getWebhookInfo(map[string]string) (any, *refusal) {
	info := map[string]any{"url": s.hook.url, "has_custom_certificate": false, "pending_update_count": len(s.updates.waiting)}
	if s.hook.trouble != "" {
		info["last_error_message"] = s.hook.trouble
	}
	return info, nil
}

// againAfter is when an update that was not taken is delivered again. The real
// server waits longer and longer.
const againAfter = 20 * time.Millisecond

// deliverAll delivers updates in their order until ctx is done, each until it
// is taken.
func (s *Server) deliverAll(ctx context.Context, to, secret string) {
	for {
		s.mu.Lock()
		batch, changed := s.batch("1"), s.news.Next()
		s.mu.Unlock()
		if len(batch) > 0 && s.deliverOne(ctx, to, secret, batch[0]) {
			continue
		}
		var again <-chan time.Time
		if len(batch) > 0 {
			again = time.After(againAfter)
		}
		select {
		case <-changed:
		case <-again:
		case <-ctx.Done():
			return
		case <-s.closing:
			return
		}
	}
}

// deliverOne delivers an update and says whether it was taken.
func (s *Server) deliverOne(ctx context.Context, to, secret string, u update) bool {
	s.mu.Lock()
	if q := s.queries[u.query]; q != nil {
		q.delivered++
	}
	s.mu.Unlock()
	trouble := ""
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(u.body))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
		var resp *http.Response
		if resp, err = http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				trouble = "Wrong response from the webhook: " + resp.Status
			}
		}
	}
	if err != nil {
		trouble = "Connection failed: " + err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook.trouble = trouble
	if trouble != "" {
		return false
	}
	s.taken(u)
	s.tell()
	return true
}

// taken notes that an update was delivered. The caller holds the lock.
func (s *Server) taken(u update) {
	if len(s.updates.again) > 0 && s.updates.again[0].id == u.id {
		s.updates.again = s.updates.again[1:]
		return
	}
	if len(s.updates.waiting) > 0 && s.updates.waiting[0].id == u.id {
		s.updates.done = append(s.updates.done, u)
		s.updates.waiting = s.updates.waiting[1:]
	}
}
