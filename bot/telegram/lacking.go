package telegram

// What a chat and the server do not take: reactions, methods.

import (
	"sync"
	"time"
)

// unlikedFor is how long a chat is known to take no reactions.
const unlikedFor = time.Hour

// unliked holds the chats that take no reaction of the bot's, and until when that is known. The zero value is ready.
type unliked struct {
	mu    sync.Mutex
	until map[int64]time.Time
}

func (u *unliked) has(chat int64, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return now.Before(u.until[chat])
}

func (u *unliked) add(chat int64, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.until == nil || len(u.until) >= manyChats {
		u.until = map[int64]time.Time{}
	}
	u.until[chat] = now.Add(unlikedFor)
}

func (u *unliked) forget(chat int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.until, chat)
}

// lacking are the methods that the server does not know. The zero value is ready.
type lacking struct{ methods sync.Map }

func (l *lacking) has(method string) bool {
	_, lacks := l.methods.Load(method)
	return lacks
}

func (l *lacking) add(method string) { l.methods.Store(method, true) }
