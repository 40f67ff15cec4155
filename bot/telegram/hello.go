package telegram

import (
	"sync"
	"time"
)

// Who was greeted.

// hello is the command by which the core greets.
const hello = "hello"

// greetings are the chats that were greeted when the bot came: whoever adds a bot by a link writes
// /start there as well, which asks for no second greeting. The zero value is ready.
type greetings struct {
	mu   sync.Mutex
	told map[int64]time.Time
}

// greeted is how long a greeting answers a /start, and maxGreeted how many are known.
const (
	greeted    = time.Minute
	maxGreeted = 1024
)

// greet notes a greeting, and reports whether the chat has had none within the last minute.
func (g *greetings) greet(chat int64, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if at, ok := g.told[chat]; ok && now.Sub(at) < greeted {
		return false
	}
	if g.told == nil || len(g.told) >= maxGreeted {
		g.told = map[int64]time.Time{}
	}
	g.told[chat] = now
	return true
}
