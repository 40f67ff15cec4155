package chat

import (
	"sync"
	"time"
)

// Budget holds the numbers of writes in a chat in the last minute, or on a whole platform since the process began, and
// their limits. Counts are in memory. Answers to presses are not counted.
type Budget struct {
	// Of is the kind of the limited chat: "group", "private", "channel".
	Of string
	// Limit is the limit of sends and edits together a minute; 0: none.
	Limit int
	// Sends, Edits and Calls are the writes of the last minute. Calls count among Sends as well.
	Sends, Edits, Calls int
	// Left is how many boards could be drawn now without waiting.
	Left int
	// Waiting is how many boards and calls wait.
	Waiting int
	// Slowed is how often the platform asked the bot to wait, Busiest the most sends and edits of one chat within the
	// last minute.
	Slowed, Busiest int
}

// Used returns how many sends and edits of the limit are used.
func (b Budget) Used() int { return b.Sends + b.Edits }

// Room reports whether an optional write fits: after it a board can still be drawn without waiting, and half of the
// minute's limit is free.
func (b Budget) Room() bool { return b.Limit == 0 || b.Left > 1 && 2*b.Used() < b.Limit }

// Write is a kind of request that counts as a write.
type Write int

// The kinds of writes. A call counts as a send and as a call.
const (
	Sent Write = iota
	Edited
	Called
	Slowed // the platform asked to wait; no write
)

// Tally counts an adapter's writes in each chat, by names that the adapter chooses. The zero value is ready, and safe
// for concurrent use.
type Tally struct {
	mu      sync.Mutex
	chats   map[string][]written // of the last minute, oldest first
	waiting map[string]int
	many    int // the number of chats at which idle ones are dropped
	total   [Slowed + 1]int
}

// written is one write that still counts.
type written struct {
	what Write
	at   time.Time
}

// Count counts a write of a kind in a chat.
func (t *Tally) Count(chat string, what Write, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total[what]++
	if what == Slowed {
		return
	}
	if t.chats == nil {
		t.chats = map[string][]written{}
	}
	t.chats[chat] = append(t.fresh(chat, at), written{what, at})
	if len(t.chats) > max(t.many, 1024) {
		for other := range t.chats {
			t.fresh(other, at)
		}
		t.many = 2 * len(t.chats)
	}
}

// Wait counts a waiting writer until done is called, once.
func (t *Tally) Wait(chat string) (done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[string]int{}
	}
	t.waiting[chat]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.waiting[chat]--; t.waiting[chat] == 0 {
			delete(t.waiting, chat)
		}
	}
}

// Budget returns a chat's counts of the last minute before at.
func (t *Tally) Budget(chat string, at time.Time) Budget {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := Budget{Waiting: t.waiting[chat]}
	for _, w := range t.fresh(chat, at) {
		switch w.what {
		case Sent:
			b.Sends++
		case Edited:
			b.Edits++
		case Called:
			b.Calls++
		case Slowed:
		}
	}
	return b
}

// Whole returns the counts of all chats together since the process began.
func (t *Tally) Whole(at time.Time) Budget {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := Budget{Sends: t.total[Sent], Edits: t.total[Edited], Calls: t.total[Called], Slowed: t.total[Slowed]}
	for _, n := range t.waiting {
		s.Waiting += n
	}
	for chat := range t.chats {
		n := 0
		for _, w := range t.fresh(chat, at) {
			if w.what != Called {
				n++
			}
		}
		s.Busiest = max(s.Busiest, n)
	}
	return s
}

// fresh drops a chat's writes that are older than a minute, and returns the others. The caller holds the lock.
func (t *Tally) fresh(chat string, at time.Time) []written {
	all := t.chats[chat]
	old := 0
	for old < len(all) && at.Sub(all[old].at) >= time.Minute {
		old++
	}
	if old == 0 {
		return all
	}
	if all = append([]written(nil), all[old:]...); len(all) == 0 {
		delete(t.chats, chat)
		return nil
	}
	t.chats[chat] = all
	return all
}
