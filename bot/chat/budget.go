package chat

import (
	"sync"
	"time"
)

// Budget is what was written in a chat within the last minute, and what may be; or on a platform as a whole, since the
// process began. Counts are kept in memory. Answers to presses are not counted: they cost nothing.
type Budget struct {
	// Of names what the platform limits: "group", "private", "channel".
	Of string
	// Limit is how many sends and edits together it takes there in a minute; 0: any.
	Limit int
	// Sends, Edits and Calls are the writes of the last minute. Calls are counted among Sends as
	// well.
	Sends, Edits, Calls int
	// Left is how many boards could be drawn at once now.
	Left int
	// Waiting is how many boards and calls wait for their turn.
	Waiting int
	// Slowed is how often the platform, as a whole, asked to wait, and Busiest the most sends and edits that any chat
	// has had within the last minute.
	Slowed, Busiest int
}

// Used is how much of the limit is used.
func (b Budget) Used() int { return b.Sends + b.Edits }

// Room reports whether there is room for what could as well be left out: a board can be drawn at once even
// after it, and half of the limit is still free for the minute to come.
func (b Budget) Room() bool { return b.Limit == 0 || b.Left > 1 && 2*b.Used() < b.Limit }

// Write is a kind of what is counted.
type Write int

// The kinds of what is counted. A call is counted as a send and as a call.
const (
	Sent Write = iota
	Edited
	Called
	Slowed // the platform asked to wait; this is no write
)

// meterSpan is how long a write counts.
const meterSpan = time.Minute

// Tally counts what an adapter writes, chat by chat, by the adapter's own
// names for them. Its zero value is ready, and safe for concurrent use.
type Tally struct {
	mu      sync.Mutex
	chats   map[string][]written // of the last minute, oldest first
	waiting map[string]int
	many    int // chats at which those at rest are forgotten
	total   [Slowed + 1]int
}

// written is one write that still counts.
type written struct {
	what Write
	at   time.Time
}

// Count counts a write.
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

// Wait counts a writer as waiting until done is called, which happens once.
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

// Budget is a chat's count of the last minute: its sends, edits, calls and who
// waits.
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

// Whole is the count of all chats since the beginning.
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

// fresh forgets what is older than a minute and returns the rest. The lock is
// held.
func (t *Tally) fresh(chat string, at time.Time) []written {
	all := t.chats[chat]
	old := 0
	for old < len(all) && at.Sub(all[old].at) >= meterSpan {
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
