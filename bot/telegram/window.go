package telegram

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"knobel/bot/chat"
)

// Token buckets, which allow a burst of writes and then a steady rate, across restarts and shared among replicas.

// window is the token bucket of a chat: it allows at most burst writes at once.
type window struct {
	share
	made  time.Time // when the window was created
	full  time.Time // when the bucket will be full, so that the whole burst is allowed
	extra bool      // one extra write is allowed at once
}

// newWindow returns the window of share s, created at made. The bucket is empty at began and refills from then on: the
// writes of an earlier process are unknown.
func newWindow(s share, made, began time.Time) *window {
	return &window{share: s, made: made, full: began.Add(s.refillTime(float64(s.burst)))}
}

// refillTime returns how long the bucket takes to refill this number of writes.
func (s share) refillTime(writes float64) time.Duration {
	return time.Duration(writes / s.rate * float64(time.Minute))
}

// wait returns how long it takes until one write is allowed and reserve more remain after it, or as many as the burst
// has room for. 0: the write is allowed now.
func (w *window) wait(now time.Time, reserve int) time.Duration {
	if w.extra {
		return 0
	}
	return max(w.full.Sub(now)-w.refillTime(float64(w.burst-1-min(reserve, w.burst-1))), 0)
}

// take counts one write as made now.
func (w *window) take(now time.Time) {
	w.extra = false
	w.chargeAtLeast(now, 0)
	w.full = w.full.Add(w.refillTime(1))
}

// chargeAtLeast lowers the bucket so that at least this number of writes is missing at now.
func (w *window) chargeAtLeast(now time.Time, writes int) {
	if least := now.Add(w.refillTime(float64(writes))); least.After(w.full) {
		w.full = least
	}
}

// countArrived counts a write that has arrived, and inFlight granted ones that have not, as made now. taken is when the
// write was taken: if that was from an earlier window, this window counts it first.
func (w *window) countArrived(taken, now time.Time, inFlight int) {
	if taken.Before(w.made) {
		w.take(now)
	}
	w.chargeAtLeast(now, inFlight+1)
}

// allowed returns the number of writes allowed at now.
func (w *window) allowed(now time.Time) int {
	n := int(max(w.exactlyAllowed(now), 0))
	if w.extra {
		return max(n, 1)
	}
	return n
}

// exactlyAllowed returns the writes allowed at now, with fractions, without the extra one; negative after too many.
func (w *window) exactlyAllowed(now time.Time) float64 {
	return float64(w.burst) - max(w.full.Sub(now).Minutes()*w.rate, 0)
}

// The writes of one process count in the next: the time until which they may arrive is stored.

// spentNote is the name of the stored note, a spent in JSON.
const spentNote = "telegram spent"

// spent tells when a process may have written, in Unix milliseconds.
type spent struct {
	Began int64 `json:"began"` // the start of the process
	Until int64 `json:"until"` // none of its writes arrives later
}

const (
	maxArrival = 2 * callTime    // how long after its start a write may arrive
	storedFor  = time.Minute     // how long a note holds while writes continue
	restartGap = 2 * time.Minute // processes begun this far apart may each make one extra first write
)

// notes stores texts by name across restarts, like chat.Core.
type notes interface {
	Noted(ctx context.Context, name string) (string, error)
	Note(ctx context.Context, name, value string) error
}

// ForgetSpent makes the next process assume that all allowed writes were made, by storing an invalid value in notes. It
// is for replicas, which store no writes, and for a restored backup.
func ForgetSpent(ctx context.Context, notes notes) error {
	return notes.Note(ctx, spentNote, "unknown")
}

// spending stores until when the writes of this process may arrive. Without notes it stores nothing.
type spending struct {
	clock    chat.Clock
	mu       sync.Mutex
	notes    notes
	stored   spent     // the stored note
	last     time.Time // the last arrival of a write
	inFlight int       // writes that have begun and not ended
	exact    bool      // store the time of each arrival, not a later one
}

// beginWrite counts a write that begins and stores, if necessary and possible, that writes may arrive for a while.
func (s *spending) beginWrite(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight++
	if by := s.clock.Now().Add(maxArrival); by.UnixMilli() > s.stored.Until {
		s.storeUntil(ctx, by.Add(storedFor))
	}
}

// endWrite counts a write as arrived now.
func (s *spending) endWrite(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	s.last = s.clock.Now()
	s.storeLast(ctx)
}

// storeExactly stores the exact time of each arrival from now on, for the next process. Call it when the run ends.
func (s *spending) storeExactly(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exact = true
	s.storeLast(ctx)
}

// storeLast stores the time of the last arrival if exact is set and no write is in flight. The caller holds s.mu.
func (s *spending) storeLast(ctx context.Context) {
	if s.exact && s.inFlight == 0 && !s.last.IsZero() {
		s.storeUntil(context.WithoutCancel(ctx), s.last)
	}
}

// storeUntil stores until when the writes of this process may arrive. The caller holds s.mu.
func (s *spending) storeUntil(ctx context.Context, until time.Time) {
	next := spent{s.stored.Began, until.UnixMilli()}
	if s.notes != nil && s.notes.Note(ctx, spentNote, inJSON(next)) == nil {
		s.stored = next
	}
}

// recall reads what the previous process stored in notes, and has the writes of this process, which begins now, stored
// there. The result until is the time up to which all allowed writes count as made: now if the note is invalid, zero
// for a new installation without one. restarted reports whether the previous process began within restartGap.
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

// bursts is the sum of the bursts of two to five replicas. More replicas have a burst of one each.
const bursts = 5

// combined returns the sum of the shares of this number of replicas; s is the share of a single one.
func (s share) combined(replicas int) share {
	if replicas <= 1 {
		return s
	}
	all := share{burst: max(bursts, replicas)}
	all.rate = max(float64(s.burst)+s.rate-float64(all.burst), 1)
	return all
}

// forPart returns the share of the replica with part p; s is the share of a single one. Of n replicas, the others have
// the 2n-th part of the rate each. The chat's holder, which draws the boards, has the rest: more than half.
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

// The shares of a single replica in a group and in a private chat.
var (
	groupShare   = share{groupBurst, groupMost + 1 - groupBurst}
	privateShare = share{privateBurst, privateMost + 1 - privateBurst}
)

// adapt gives the allowance a new window if p differs from the part before. The allowed writes stay as far as the new
// share has room, so that all replicas together never have more than before; granted ones are void. While the chat's
// holder is unknown, the share of the others applies. The caller holds a.mu.
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
	// If the earlier bursts and the new rate exceed the limit together, the new share begins later.
	rate, limit := a.limit.combined(p.Replicas).rate, float64(a.limit.burst)+a.limit.rate
	excess := max(float64(a.limit.combined(replicas).burst)+rate-limit, 0)
	from = from.Add(time.Duration(excess/rate*float64(time.Minute)) - own.refillTime(allowed))
	a.part, a.grants, a.window = p, nil, newWindow(own, now, from)
	a.window.extra = p.Replicas == 1 && p.Since.IsZero()
}
