package telegramtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"time"
)

// webhook is the webhook that the bot has set. If url is "", updates are polled.
type webhook struct {
	url, secret string
	trouble     string             // the error of the last delivery, "": none
	stop        context.CancelFunc // ends the deliveries, nil: nothing is delivered
}

// secretForm matches a valid secret.
var secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// Proxy makes webhooks that are set from now on deliver to base, a scheme and host; "": they deliver nothing.
func (s *Server) Proxy(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proxy = base
}

// Webhook sets a webhook, as another program could. Polling fails until it is deleted.
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
		most := int(parseInt(params["max_connections"]))
		go s.deliverAll(ctx, s.proxy+at.Path, s.hook.secret, cmp.Or(most, usualConnections))
	}
	return true, nil
}

func (s *Server) deleteWebhook(map[string]string) (any, *refusal) {
	s.unhook()
	return true, nil
}

// unhook deletes the webhook and ends its deliveries. The caller holds the lock.
func (s *Server) unhook() {
	if s.hook.stop != nil {
		s.hook.stop()
	}
	s.hook = webhook{}
}

func (s *Server) getWebhookInfo(map[string]string) (any, *refusal) {
	info := map[string]any{"url": s.hook.url, "has_custom_certificate": false,
		"pending_update_count": len(s.updates.waiting)}
	if s.hook.trouble != "" {
		info["last_error_message"] = s.hook.trouble
	}
	return info, nil
}

// usualConnections is the default number of concurrent deliveries.
const usualConnections = 40

// againAfter is the pause before an update is delivered again; the real server uses backoff.
const againAfter = 20 * time.Millisecond

// deliverAll delivers updates to the URL target until ctx is done, each until it is accepted: in order within a chat,
// to at most limit chats concurrently.
func (s *Server) deliverAll(ctx context.Context, target, secret string, limit int) {
	busy := map[int64]bool{} // chats with a pending delivery
	for {
		s.mu.Lock()
		u, due := s.due(busy, limit)
		if due {
			busy[u.chat] = true
		}
		changed := s.Next()
		s.mu.Unlock()
		if due {
			go func() {
				if !s.deliverOne(ctx, target, secret, u) {
					select {
					case <-time.After(againAfter):
					case <-ctx.Done():
					case <-s.Closing:
					}
				}
				s.mu.Lock()
				defer s.mu.Unlock()
				delete(busy, u.chat)
				s.Tell()
			}()
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		case <-s.Closing:
			return
		}
	}
}

// due returns the first update of a chat not in busy; false: none, or limit chats are busy. The caller holds s.mu.
func (s *Server) due(busy map[int64]bool, limit int) (u update, ok bool) {
	if len(busy) >= limit {
		return u, false
	}
	all := slices.Concat(s.updates.repeats, s.updates.waiting)
	i := slices.IndexFunc(all, func(u update) bool { return !busy[u.chat] })
	if i < 0 {
		return u, false
	}
	return all[i], true
}

// chatOf returns the id of an update's chat, 0: none.
func chatOf(body json.RawMessage) int64 {
	type at struct {
		Chat struct {
			ID int64 `json:"id"`
		} `json:"chat"`
	}
	var said struct {
		Message  at `json:"message"`
		Standing at `json:"my_chat_member"`
		Callback struct {
			Message at `json:"message"`
		} `json:"callback_query"`
	}
	_ = json.Unmarshal(body, &said) // injected updates may be anything
	return cmp.Or(said.Message.Chat.ID, said.Standing.Chat.ID, said.Callback.Message.Chat.ID)
}

// deliverOne delivers u to the URL target and reports whether it was accepted.
func (s *Server) deliverOne(ctx context.Context, target, secret string, u update) bool {
	s.mu.Lock()
	if q := s.queries[u.query]; q != nil {
		q.Delivered++
	}
	s.mu.Unlock()
	trouble := ""
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(u.body))
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
	s.markDelivered(u)
	s.Tell()
	return true
}

// markDelivered removes u from the queue. The caller holds the lock.
func (s *Server) markDelivered(u update) {
	is := func(other update) bool { return other.id == u.id }
	if i := slices.IndexFunc(s.updates.repeats, is); i >= 0 {
		s.updates.repeats = slices.Delete(s.updates.repeats, i, i+1)
		return
	}
	if i := slices.IndexFunc(s.updates.waiting, is); i >= 0 {
		s.updates.done = append(s.updates.done, u)
		s.updates.waiting = slices.Delete(s.updates.waiting, i, i+1)
	}
}
