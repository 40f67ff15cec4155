package telegram

// What is known for a while of what a chat and the server take: deletions, reactions, methods.

import (
	"sync"
	"time"
)

// rightsLife is how long it is known whether the bot may delete the messages of others in a chat, or
// whether a chat takes its reactions.
const rightsLife = time.Hour

// rights know where the bot may delete the messages of others, for a while. The zero value is ready.
type rights struct {
	mu    sync.Mutex
	known map[int64]right
}

type right struct {
	may   bool
	until time.Time
}

func (r *rights) get(chat int64, now time.Time) (may, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had := r.known[chat]
	return had.may, now.Before(had.until)
}

func (r *rights) put(chat int64, may bool, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil || len(r.known) >= manyChats {
		r.known = map[int64]right{}
	}
	r.known[chat] = right{may, now.Add(rightsLife)}
}

func (r *rights) forget(chat int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, chat)
}

// unliked are the chats that take no reaction of the bot's. The zero value is ready.
type unliked struct{ rights }

func (u *unliked) has(chat int64, now time.Time) bool {
	_, known := u.get(chat, now)
	return known
}

func (u *unliked) add(chat int64, now time.Time) { u.put(chat, false, now) }

// lacking are the methods that the server does not know. The zero value is ready.
type lacking struct{ methods sync.Map }

func (l *lacking) has(method string) bool {
	_, lacks := l.methods.Load(method)
	return lacks
}

func (l *lacking) add(method string) { l.methods.Store(method, true) }
