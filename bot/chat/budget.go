package chat

import (
	"sync"
	"time"
)

// Budget counts the writes (sent and edited messages) in a chat in the last minute, or on a whole platform since the
// process began, and holds their limits. The counts are lost at a restart. Answers to button presses are not counted.
type Budget struct {
	// Of is the kind of chat that the limit is for: "group", "private", "channel".
	Of string
	// Limit is the most sends and edits together in a minute; 0: no limit.
	Limit int
	// Sends, Edits and Calls are the writes of the last minute. Calls are pings (see Ping) and count as Sends, too.
	Sends, Edits, Calls int
	// Left is how many boards could be drawn now without waiting.
	Left int
	// Waiting is how many boards and pings wait until the limit allows them.
	Waiting int
	// Slowed is how often the platform asked the bot to wait. Busiest is the largest number of sends and edits in any
	// one chat within the last minute.
	Slowed, Busiest int
}

// Used returns the number of sends and edits in the last minute.
func (b Budget) Used() int { return b.Sends + b.Edits }

// Room reports whether a write that is not necessary fits: after it a board can still be drawn without waiting, and
// less than half of the limit was used in the last minute.
func (b Budget) Room() bool { return b.Limit == 0 || b.Left > 1 && 2*b.Used() < b.Limit }

// Write is a kind of counted request.
type Write int

// The kinds of counted requests. A ping is counted as Sent and also as Called.
const (
	Sent Write = iota
	Edited
	Called
	Slowed // the platform asked the bot to wait; this is not a write
)

// Tally counts an adapter's writes by chat. The adapter chooses the names of chats. The zero value is ready, and safe
// for concurrent use.
type Tally struct {
	mu      sync.Mutex
	chats   map[string][]recentWrite // writes of the last minute, oldest first
	waiting map[string]int           // waiting writers by chat
	many    int                      // the number of chats at which idle ones are dropped
	total   [Slowed + 1]int          // since the process began, by kind
}

// recentWrite is one write within the last minute.
type recentWrite struct {
	what Write
	at   time.Time
}

// Count counts a request of a kind in a chat at the time now.
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

// Wait counts a write that the rate limit of chat holds back. It does not block. Call done once, when it waits no more.
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

// Budget returns the numbers of writes in a chat in the minute before now. The limits in the result are not set.
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

// Whole returns the numbers of writes in all chats since the process began. Busiest is for the minute before now.
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

// dropOldWrites drops the writes of a chat that are a minute old at now, and returns the newer ones. The caller holds
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
