package telegram

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"knobel/bot/chat"
)

// Token buckets: rate limits that allow a burst, then a steady rate.

// window is the token bucket of a chat: it decides how many writes are allowed at a time, of at most burst.
type window struct {
	share
	made  time.Time
	full  time.Time // when the bucket is full, so that the whole burst is allowed
	fresh bool      // one more write is allowed at once
}

// windowOf returns the window of share s, created at the time made. It allows nothing at began and refills from then
// on: the writes of an earlier process are unknown.
func windowOf(s share, made, began time.Time) *window {
	return &window{share: s, made: made, full: began.Add(s.grows(float64(s.burst)))}
}

// grows returns how long it takes until this number of writes is allowed again.
func (s share) grows(writes float64) time.Duration {
	return time.Duration(writes / s.rate * float64(time.Minute))
}

// wait returns how long it takes until one write is allowed and leave more remain afterwards, as far as the burst has
// room for them. 0: the write is allowed now.
func (w *window) wait(now time.Time, leave int) time.Duration {
	if w.fresh {
		return 0
	}
	return max(w.full.Sub(now)-w.grows(float64(w.burst-1-min(leave, w.burst-1))), 0)
}

// take removes one write, made now, from the bucket.
func (w *window) take(now time.Time) {
	w.fresh = false
	w.count(now, 0)
	w.full = w.full.Add(w.grows(1))
}

// count lowers the bucket so that at least this number of writes is missing from it at now, as if they were just made.
func (w *window) count(now time.Time, writes int) {
	if least := now.Add(w.grows(float64(writes))); least.After(w.full) {
		w.full = least
	}
}

// done counts a write that arrived now, with the flying ones that are granted and have not arrived, as made now. noted
// is when it was taken: if that was from an earlier window, this one counts it as well.
func (w *window) done(noted, now time.Time, flying int) {
	if noted.Before(w.made) {
		w.take(now)
	}
	w.count(now, flying+1)
}

// left returns the number of writes allowed right now.
func (w *window) left(now time.Time) int {
	n := int(max(w.inHand(now), 0))
	if w.fresh {
		return max(n, 1)
	}
	return n
}

// inHand returns the number of writes allowed right now, with fractions; negative if too many were made.
func (w *window) inHand(now time.Time) float64 {
	return float64(w.burst) - max(w.full.Sub(now).Minutes()*w.rate, 0)
}

// The writes of one process count in the next: the time until which they count is stored.

// spentNote is the name of the stored value, a spent in JSON.
const spentNote = "telegram spent"

// spent is the time of a process and of its last writes, in Unix milliseconds.
type spent struct {
	Began int64 `json:"began"` // the start of the process
	Until int64 `json:"until"` // no write of it has arrived later
}

const (
	arriving  = 2 * callTime    // the longest arrival of a write
	notedFor  = time.Minute     // how long a note holds while writes continue
	oneInHand = 2 * time.Minute // processes begun this far apart may each make one extra first write
)

// notes stores texts over restarts.
type notes interface {
	Noted(ctx context.Context, name string) (string, error)
	Note(ctx context.Context, name, value string) error
}

// ForgetSpent makes the next process assume that all allowed writes were made, by storing an invalid value in notes. It
// is for replicas, which store no writes, and for a restored backup.
func ForgetSpent(ctx context.Context, notes notes) error {
	return notes.Note(ctx, spentNote, "unknown")
}

// spending stores until when the writes of a process count. Without notes it stores nothing.
type spending struct {
	clock  chat.Clock
	mu     sync.Mutex
	notes  notes
	noted  spent
	last   time.Time // the last arrival
	flying int       // writes on their way
	ending bool      // store each arrival
}

// before counts a write that begins, and stores in advance that it may arrive until arriving from now. A failure to
// store that is ignored.
func (s *spending) before(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying++
	if by := s.clock.Now().Add(arriving); by.UnixMilli() > s.noted.Until {
		s.keep(ctx, by.Add(notedFor))
	}
}

// after counts a write as arrived now.
func (s *spending) after(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying--
	s.last = s.clock.Now()
	s.settle(ctx)
}

// end makes the process store every arrival exactly from now on, for the next process.
func (s *spending) end(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	s.settle(ctx)
}

// settle stores the time of the last arrival if the process ends and no write is on its way. The caller holds the lock.
func (s *spending) settle(ctx context.Context) {
	if s.ending && s.flying == 0 && !s.last.IsZero() {
		s.keep(context.WithoutCancel(ctx), s.last)
	}
}

// keep stores until when the writes of this process count. The caller holds the lock.
func (s *spending) keep(ctx context.Context, until time.Time) {
	next := spent{s.noted.Began, until.UnixMilli()}
	if s.notes != nil && s.notes.Note(ctx, spentNote, inJSON(next)) == nil {
		s.noted = next
	}
}

// recall reads what the previous process stored in notes, and begins to store there the writes of this one, which began
// now. All writes that were allowed up to until are assumed made: up to now if nothing valid is stored, unless the
// installation is new. again reports whether the previous process began just before.
func (s *spending) recall(ctx context.Context, notes notes, new bool, now time.Time) (until time.Time, again bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes, s.ending = notes, false
	kept, err := notes.Noted(ctx, spentNote)
	if err == nil && kept == "" && new {
		return time.Time{}, false
	}
	var was spent
	if err != nil || json.Unmarshal([]byte(kept), &was) != nil {
		return now, true
	}
	if until = time.UnixMilli(was.Until); until.After(now) {
		until = now
	}
	return until, now.Sub(time.UnixMilli(was.Began)) < oneInHand
}

// Replicas share Telegram's limits. Each keeps to its share by itself, and the shares add up to the limit of one.
//
// A share with burst B and rate R a minute allows less than B + R*t/60 writes in any t seconds, so all together write
// less than the sum of bursts plus the sum of rates times t. After a change of shares all start with nothing, so the
// bursts before and after count once: within any minute there are less writes than the bursts before plus the higher
// of the two rates. Twenty writes in a group bound that sum. One replica has 4 and 16; up to five have 5 and 15
// together, more have a burst of one each and the rest. Where the sum would be greater, because many have left at
// once, the new shares begin later by the excess.

// share is a rate limit: a burst, and a rate in writes a minute.
type share struct {
	burst int
	rate  float64
}

// bursts is the sum of the bursts of two to five replicas; more have one each.
const bursts = 5

// whole returns the sum of the shares of this number of replicas; s is the share of a single one.
func (s share) whole(replicas int) share {
	if replicas <= 1 {
		return s
	}
	all := share{burst: max(bursts, replicas)}
	all.rate = max(float64(s.burst)+s.rate-float64(all.burst), 1)
	return all
}

// of returns the share of the replica with part p. Of n replicas the others have the 2n-th part of the rate each, and
// the chat's holder the rest, more than half: it draws the boards.
func (s share) of(p chat.Part) share {
	n := p.Replicas
	if n <= 1 {
		return s
	}
	all, other := s.whole(n), share{burst: 1}
	if n == 2 {
		other.burst = 2
	}
	other.rate = all.rate / float64(2*n)
	if !p.Holds {
		return other
	}
	return share{all.burst - (n-1)*other.burst, all.rate - float64(n-1)*other.rate}
}

// The shares of a single replica in a group and in a private chat.
var (
	groupShare   = share{groupBurst, groupMost + 1 - groupBurst}
	privateShare = share{privateBurst, privateMost + 1 - privateBurst}
)

// fit adapts the allowance to part p, if that has changed, by a new window. The writes that it allows stay as far as
// the new share has room, so that all replicas together never have more than before, and granted ones are void. While
// the chat's holder is unknown, the share of the others applies. The caller holds the lock.
func (a *allowance) fit(p chat.Part, now time.Time) {
	from := a.fitted
	if a.fitted = now; a.window != nil && p == a.part {
		return
	}
	mine, other := a.whole.of(p), a.whole.of(chat.Part{Replicas: max(p.Replicas, 2)})
	inHand, was := 0.0, p.Replicas
	if a.window != nil {
		inHand, was = a.window.inHand(from), a.part.Replicas
	}
	if p.Since.After(from) {
		grown := inHand + other.rate*p.Since.Sub(from).Minutes()
		inHand, from = max(inHand, min(grown, float64(other.burst))), p.Since
	}
	inHand = min(inHand, float64(mine.burst))
	// If the earlier bursts and the new rate exceed the limit together, the new share begins later.
	rate, most := a.whole.whole(p.Replicas).rate, float64(a.whole.burst)+a.whole.rate
	over := max(float64(a.whole.whole(was).burst)+rate-most, 0)
	from = from.Add(time.Duration(over/rate*float64(time.Minute)) - mine.grows(inHand))
	a.part, a.tickets, a.window = p, nil, windowOf(mine, now, from)
	a.window.fresh = p.Replicas == 1 && p.Since.IsZero()
}
