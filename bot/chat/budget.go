package chat

import (
	"sync"
	"time"
)

// Budget holds the numbers of writes in a chat in the last minute, or on a whole platform since the process began, and
// their limits. Counts are in memory. Answers to presses are not counted.
type Budget struct {
	// Of is the kind of chat that the limit is for: "group", "private", "channel".
	Of string
	// Limit is the most sends and edits together in a minute; 0: no limit.
	Limit int
	// Sends, Edits and Calls are the writes of the last minute. Calls are pings (see Ping) and count as Sends, too.
	Sends, Edits, Calls int
	// Left is how many boards could be drawn now without waiting.
	Left int
	// Waiting is how many boards and pings wait for the limit.
	Waiting int
	// Slowed is how often the platform asked the bot to wait, Busiest the most sends and edits of one chat within the
	// last minute.
	Slowed, Busiest int
}

// Used returns the number of sends and edits in the last minute.
func (b Budget) Used() int { return b.Sends + b.Edits }

// Room reports whether an optional write fits: a board can still be drawn after it without waiting, and half of the
// minute's limit is free.
func (b Budget) Room() bool { return b.Limit == 0 || b.Left > 1 && 2*b.Used() < b.Limit }

// Write is a kind of request that writes to a chat.
type Write int

// The kinds of writes. A ping is counted twice: as Sent and as Called.
const (
	Sent Write = iota
	Edited
	Called
	Slowed // the platform asked the bot to wait; this is no write
)

// Tally counts an adapter's writes in each chat, by names that the adapter chooses. The zero value is ready, and safe
// for concurrent use.
type Tally struct {
	mu      sync.Mutex
	chats   map[string][]recentWrite // writes of the last minute, oldest first
	waiting map[string]int           // waiting writers by chat
	many    int                      // the number of chats at which idle ones are dropped
	total   [Slowed + 1]int          // since the process began, by kind
}

// recentWrite is one write of the last minute.
type recentWrite struct {
	what Write
	at   time.Time
}

// Count counts a write of a kind in a chat at the time now.
func (t *Tally) Count(chat string, kind Write, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total[kind]++
	if kind == Slowed {
		return
	}
	if t.chats == nil {
		t.chats = map[string][]recentWrite{}
	}
	t.chats[chat] = append(t.dropOldWrites(chat, now), recentWrite{kind, now})
	if len(t.chats) > max(t.many, 1024) {
		for other := range t.chats {
			t.dropOldWrites(other, now)
		}
		t.many = 2 * len(t.chats)
	}
}

// Wait counts one waiting writer in a chat until done is called, once.
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

// Budget returns a chat's writes in the minute before now, without limits.
func (t *Tally) Budget(chat string, now time.Time) Budget {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := Budget{Waiting: t.waiting[chat]}
	for _, w := range t.dropOldWrites(chat, now) {
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

// Whole returns the writes of all chats together since the process began. Busiest is for the minute before now.
func (t *Tally) Whole(now time.Time) Budget {
	t.mu.Lock()
	defer t.mu.Unlock()
	sum := Budget{Sends: t.total[Sent], Edits: t.total[Edited], Calls: t.total[Called], Slowed: t.total[Slowed]}
	for _, n := range t.waiting {
		sum.Waiting += n
	}
	for chat := range t.chats {
		n := 0
		for _, w := range t.dropOldWrites(chat, now) {
			if w.what != Called {
				n++
			}
		}
		sum.Busiest = max(sum.Busiest, n)
	}
	return sum
}

// dropOldWrites drops a chat's writes that are older than a minute at now, and returns the others. The caller holds
// t.mu.
func (t *Tally) dropOldWrites(chat string, now time.Time) []recentWrite {
	all := t.chats[chat]
	expired := 0
	for expired < len(all) && now.Sub(all[expired].at) >= time.Minute {
		expired++
	}
	if expired == 0 {
		return all
	}
	if all = append([]recentWrite(nil), all[expired:]...); len(all) == 0 {
		delete(t.chats, chat)
		return nil
	}
	t.chats[chat] = all
	return all
}
