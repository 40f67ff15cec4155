package telegram

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"knobel/bot/chat"
)

// Token buckets: a burst of writes, then a steady rate, in each chat, across restarts and for all replicas together.

// window is the token bucket of one chat. A write takes a token; at most burst tokens are in the bucket.
type window struct {
	share
	made  time.Time // when the window was created
	full  time.Time // when the bucket will be full, so that the whole burst is allowed
	extra bool      // one extra write is allowed at once
}

// newWindow returns a window, a token bucket with the limits of s; created is the present time. The bucket counts as
// empty at the time emptyAt and refills from then on, because writes before that may have used the whole limit.
func newWindow(s share, created, emptyAt time.Time) *window {
	return &window{share: s, made: created, full: emptyAt.Add(s.refillTime(float64(s.burst)))}
}

// refillTime returns how long a bucket takes to refill for this number of writes.
func (s share) refillTime(writes float64) time.Duration {
	return time.Duration(writes / s.rate * float64(time.Minute))
}

// wait returns the time from now until one write is allowed and would leave at least reserve more. A reserve above
// burst-1 counts as burst-1. It returns 0 if that is so at now, or if w.extra allows an extra write.
func (w *window) wait(now time.Time, reserve int) time.Duration {
	if w.extra {
		return 0
	}
	return max(w.full.Sub(now)-w.refillTime(float64(w.burst-1-min(reserve, w.burst-1))), 0)
}

// take counts one write, made at now.
func (w *window) take(now time.Time) {
	w.extra = false
	w.chargeAtLeast(now, 0)
	w.full = w.full.Add(w.refillTime(1))
}

// chargeAtLeast lowers the bucket's tokens at now to burst minus writes, unless there are fewer already.
func (w *window) chargeAtLeast(now time.Time, writes int) {
	if least := now.Add(w.refillTime(float64(writes))); least.After(w.full) {
		w.full = least
	}
}

// countArrived counts, as made at now, a write that has just arrived, and inFlight granted writes that may arrive
// later. taken is when the arrived write was allowed: if before w.made, w has not counted it yet, and does so now.
func (w *window) countArrived(taken, now time.Time, inFlight int) {
	if taken.Before(w.made) {
		w.take(now)
	}
	w.chargeAtLeast(now, inFlight+1)
}

// allowed returns how many writes are allowed at now.
func (w *window) allowed(now time.Time) int {
	n := int(max(w.exactlyAllowed(now), 0))
	if w.extra {
		return max(n, 1)
	}
	return n
}

// exactlyAllowed returns how many writes are allowed at now, with fractions, without the extra one; it may be negative.
func (w *window) exactlyAllowed(now time.Time) float64 {
	return float64(w.burst) - max(w.full.Sub(now).Minutes()*w.rate, 0)
}

// Each process stores until when its writes may arrive, so that the next process counts them after a restart.

// spentNote is the name of the note that holds a spent in JSON.
const spentNote = "telegram spent"

// spent says when the writes of a process may arrive at Telegram, in Unix milliseconds.
type spent struct {
	Began int64 `json:"began"` // the start of the process
	Until int64 `json:"until"` // none of its writes arrives later
}

const (
	maxArrival = 2 * callTime    // how long after its start a write may arrive
	storedFor  = time.Minute     // added to a stored time, so that most writes need not store a later one
	restartGap = 2 * time.Minute // processes begun this far apart may each make one extra first write
)

// notes stores texts by name across restarts. chat.Core implements it.
type notes interface {
	Noted(ctx context.Context, name string) (string, error)
	Note(ctx context.Context, name, value string) error
}

// ForgetSpent stores an invalid value in notes, after which the next process assumes that all allowed writes were made.
// It is for replicas, which do not store their writes, and for a restored backup.
func ForgetSpent(ctx context.Context, notes notes) error {
	return notes.Note(ctx, spentNote, "unknown")
}

// spending stores in notes until when the writes of this process may arrive. If notes is nil, it stores nothing.
type spending struct {
	clock    chat.Clock
	mu       sync.Mutex
	notes    notes
	stored   spent     // the stored note
	last     time.Time // the last arrival of a write
	inFlight int       // writes that have begun and not ended
	exact    bool      // store the exact time of the last arrival, not a later one
}

// beginWrite counts a write that begins. If it may arrive after the stored time, beginWrite stores a later time.
func (s *spending) beginWrite(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight++
	if by := s.clock.Now().Add(maxArrival); by.UnixMilli() > s.stored.Until {
		s.storeUntil(ctx, by.Add(storedFor))
	}
}

// endWrite counts a write that has arrived now.
func (s *spending) endWrite(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	s.last = s.clock.Now()
	s.storeLast(ctx)
}

// storeExactly stores from now on when each write has arrived, instead of a later time. Call it when the run ends.
func (s *spending) storeExactly(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exact = true
	s.storeLast(ctx)
}

// storeLast stores when the last write has arrived, if exact is set and no write is in flight. The caller holds s.mu.
func (s *spending) storeLast(ctx context.Context) {
	if s.exact && s.inFlight == 0 && !s.last.IsZero() {
		s.storeUntil(context.WithoutCancel(ctx), s.last)
	}
}

// storeUntil stores that writes of this process may arrive until this time. The caller holds s.mu.
func (s *spending) storeUntil(ctx context.Context, until time.Time) {
	next := spent{s.stored.Began, until.UnixMilli()}
	if s.notes != nil && s.notes.Note(ctx, spentNote, inJSON(next)) == nil {
		s.stored = next
	}
}

// recall reads the data of the previous process from notes, and stores the writes of this process there from now on.
// All writes allowed before the time until count as made: until is now if the note is missing or invalid, but zero if a
// newInstallation has none. restarted reports whether the previous process may have begun less than restartGap ago.
func (s *spending) recall(ctx context.Context, notes notes, newInstallation bool,
	now time.Time) (until time.Time, restarted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes, s.exact = notes, false
	note, err := notes.Noted(ctx, spentNote)
	if err == nil && note == "" && newInstallation {
		return time.Time{}, false
	}
	var previous spent
	if err != nil || json.Unmarshal([]byte(note), &previous) != nil {
		return now, true
	}
	if until = time.UnixMilli(previous.Until); until.After(now) {
		until = now
	}
	return until, now.Sub(time.UnixMilli(previous.Began)) < restartGap
}

// Replicas share Telegram's limits. Each replica keeps to its own share, and the shares add up to one replica's limit.
//
// A share with burst B and rate R a minute allows less than B + R*t/60 writes in any t seconds. When shares change, all
// buckets start empty. So in any minute around a change all replicas make fewer writes than the total burst before it
// plus the higher of the total rates before and after it. Telegram allows 20 writes a minute in a group, so total burst
// and total rate add up to 20: 4 and 16 for one replica, 5 and 15 for two to five, n and 20-n for n replicas above
// five. If many replicas leave at once and the sum would exceed 20, the new shares begin later.

// share is a rate limit: a burst of writes at once, and a rate in writes a minute.
type share struct {
	burst int
	rate  float64
}

// bursts is the sum of all replicas' bursts if there are two to five replicas. If more, each has a burst of 1.
const bursts = 5

// combined returns the sum of the shares of this number of replicas. s is the share that a single replica would have.
func (s share) combined(replicas int) share {
	if replicas <= 1 {
		return s
	}
	all := share{burst: max(bursts, replicas)}
	all.rate = max(float64(s.burst)+s.rate-float64(all.burst), 1)
	return all
}

// forPart returns the share of a replica with part p. s is the share that a single replica would have. Of n replicas,
// the one that holds the chat and draws its boards gets more than half of the total rate, the others 1/(2n) each.
func (s share) forPart(p chat.Part) share {
	n := p.Replicas
	if n <= 1 {
		return s
	}
	all, other := s.combined(n), share{burst: 1}
	if n == 2 {
		other.burst = 2
	}
	other.rate = all.rate / float64(2*n)
	if !p.Holds {
		return other
	}
	return share{all.burst - (n-1)*other.burst, all.rate - float64(n-1)*other.rate}
}

// The shares of a single replica, in a group and in a private chat.
var (
	groupShare   = share{groupBurst, groupMost + 1 - groupBurst}
	privateShare = share{privateBurst, privateMost + 1 - privateBurst}
)

// adapt gives the allowance a new window if its part is not p yet. The new window starts with the writes that the old
// one still allowed, up to the new burst: the replicas together gain no writes. Earlier grants are void. While it is
// unknown which replica holds the chat, each gets the share of one that does not hold it. The caller holds a.mu.
func (a *allowance) adapt(p chat.Part, now time.Time) {
	from := a.adapted
	if a.adapted = now; a.window != nil && p == a.part {
		return
	}
	own, other := a.limit.forPart(p), a.limit.forPart(chat.Part{Replicas: max(p.Replicas, 2)})
	allowed, replicas := 0.0, p.Replicas
	if a.window != nil {
		allowed, replicas = a.window.exactlyAllowed(from), a.part.Replicas
	}
	if p.Since.After(from) {
		grown := allowed + other.rate*p.Since.Sub(from).Minutes()
		allowed, from = max(allowed, min(grown, float64(other.burst))), p.Since
	}
	allowed = min(allowed, float64(own.burst))
	// If the earlier bursts of all replicas plus the new rate exceed the limit, the new share begins later.
	rate, limit := a.limit.combined(p.Replicas).rate, float64(a.limit.burst)+a.limit.rate
	excess := max(float64(a.limit.combined(replicas).burst)+rate-limit, 0)
	from = from.Add(time.Duration(excess/rate*float64(time.Minute)) - own.refillTime(allowed))
	a.part, a.grants, a.window = p, nil, newWindow(own, now, from)
	a.window.extra = p.Replicas == 1 && p.Since.IsZero()
}
