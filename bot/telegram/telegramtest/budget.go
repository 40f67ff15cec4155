package telegramtest

import (
	"math"
	"net/http"
	"slices"
	"time"
)

// Telegram's limits on a bot's writes.

// Telegram's limits: sends and edits together within a minute in a group, one a second with a short burst in a
// private chat.
const (
	groupWrites  = 20
	groupWindow  = time.Minute
	privateBurst = 5
	privatePace  = time.Second
)

// budget counts writes by chat.
type budget struct {
	group   map[int64][]time.Time // the writes of the last minute
	private map[int64]time.Time   // when the chat will be idle again
}

// charge counts one send or edit, or returns how long to wait if the budget is spent.
func (b budget) charge(chat int64, now time.Time) (time.Duration, bool) {
	if chat > 0 {
		rest := b.private[chat]
		if rest.Before(now) {
			rest = now
		}
		if wait := rest.Add(privatePace).Sub(now) - privateBurst*privatePace; wait > 0 {
			return wait, false
		}
		b.private[chat] = rest.Add(privatePace)
		return 0, true
	}
	writes := slices.DeleteFunc(b.group[chat], func(at time.Time) bool { return now.Sub(at) >= groupWindow })
	b.group[chat] = writes
	if len(writes) >= groupWrites {
		return writes[0].Add(groupWindow).Sub(now), false
	}
	b.group[chat] = append(writes, now)
	return 0, true
}

// charge counts one write of the bot in a chat; beyond the budget it is a violation. The caller holds the lock.
func (s *Server) charge(method string, c *Chat, params map[string]string) *refusal {
	wait, ok := s.budget.charge(c.id, s.now())
	if ok {
		s.writes++
		return nil
	}
	s.violate(method, "the chat's budget of sends and edits is spent", params)
	after := int(math.Ceil(wait.Seconds()))
	return &refusal{
		code: http.StatusTooManyRequests, text: "Too Many Requests: retry later",
		parameters: map[string]any{"retry_after": max(after, 1)},
	}
}

// Writes returns the sends and edits of the chat's last minute.
func (c *Chat) Writes() int {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	now := c.s.now()
	return len(slices.DeleteFunc(slices.Clone(c.s.budget.group[c.id]), func(at time.Time) bool {
		return now.Sub(at) >= groupWindow
	}))
}
