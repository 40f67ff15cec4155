package telegram

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// How much may be written into a chat: a few at once, and then as steadily as these grow again.

// window is how much may be written into a chat.
type window struct {
	share
	made  time.Time
	full  time.Time // when as much may be written at once as ever
	fresh bool      // one more may be made at once, whatever was written
}

// windowOf returns the window of a share, made at a moment, in which by began as much was written as could be: what an
// earlier process has written by then is unknown.
func windowOf(s share, made, began time.Time) *window {
	return &window{share: s, made: made, full: began.Add(s.grows(float64(s.burst)))}
}

// grows is how long some writes take to grow.
func (s share) grows(writes float64) time.Duration {
	return time.Duration(writes / s.rate * float64(time.Minute))
}

// wait is how long to wait until one write can be made that leaves room for some more at once, as many as there ever
// is room for.
func (w *window) wait(now time.Time, leave int) time.Duration {
	if w.fresh {
		return 0
	}
	return max(w.full.Sub(now)-w.grows(float64(w.burst-1-min(leave, w.burst-1))), 0)
}

// take notes a write.
func (w *window) take(now time.Time) {
	w.fresh = false
	w.count(now, 0)
	w.full = w.full.Add(w.grows(1))
}

// count notes that nothing of some writes has grown by a moment.
func (w *window) count(now time.Time, writes int) {
	if least := now.Add(w.grows(float64(writes))); least.After(w.full) {
		w.full = least
	}
}

// done notes that a write that was noted at a moment has arrived by now: it counts from then on, and with it those that
// are noted and have not arrived. One that was noted in a window before this one counts as well.
func (w *window) done(noted, now time.Time, flying int) {
	if noted.Before(w.made) {
		w.take(now)
	}
	w.count(now, flying+1)
}

// left is how many writes could be made at once.
func (w *window) left(now time.Time) int {
	n := int(max(w.inHand(now), 0))
	if w.fresh {
		return max(n, 1)
	}
	return n
}

// inHand is how many writes could be made at once, with the part that has grown of a further one; below nothing, how
// many were made too soon.
func (w *window) inHand(now time.Time) float64 {
	return float64(w.burst) - max(w.full.Sub(now).Minutes()*w.rate, 0)
}

// What one process has written counts in the next one as well: until when that may be so is noted.

// spentNote is the name under which it is noted, as JSON.
const spentNote = "telegram spent"

// spent is what a process notes of its writes, in Unix milliseconds.
type spent struct {
	Began int64 `json:"began"` // when the process began
	Until int64 `json:"until"` // no write of it has arrived later
}

const (
	arriving  = 2 * callTime    // a write has arrived within this time
	notedFor  = time.Minute     // how long one note holds while writes go on
	oneInHand = 2 * time.Minute // how far processes are apart of which each may write once more than is known
)

// notes keep texts over restarts.
type notes interface {
	Noted(ctx context.Context, name string) (string, error)
	Note(ctx context.Context, name, value string) error
}

// ForgetSpent has the next process take it that as much was written as could be: by replicas, which note nothing, or
// since an older file of the database.
func ForgetSpent(ctx context.Context, notes notes) error {
	return notes.Note(ctx, spentNote, "unknown")
}

// spending notes what a process writes. Without notes it does nothing.
type spending struct {
	clock  chat.Clock
	mu     sync.Mutex
	notes  notes
	noted  spent
	last   time.Time // when a write has last arrived
	flying int       // writes that have not arrived yet
	ending bool      // each write is noted as it arrives
}

// before notes that a write that begins now counts. A note that cannot be kept holds up nothing.
func (s *spending) before(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying++
	if by := s.clock.Now().Add(arriving); by.UnixMilli() > s.noted.Until {
		s.keep(ctx, by.Add(notedFor))
	}
}

// after learns that a write has arrived.
func (s *spending) after(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying--
	s.last = s.clock.Now()
	s.settle(ctx)
}

// end has what was written noted exactly, from now on.
func (s *spending) end(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	s.settle(ctx)
}

// settle notes when the last write has arrived, at the end. The caller holds the lock.
func (s *spending) settle(ctx context.Context) {
	if s.ending && s.flying == 0 && !s.last.IsZero() {
		s.keep(context.WithoutCancel(ctx), s.last)
	}
}

// keep notes until when writes count. The caller holds the lock.
func (s *spending) keep(ctx context.Context, until time.Time) {
	next := spent{s.noted.Began, until.UnixMilli()}
	if s.notes != nil && s.notes.Note(ctx, spentNote, inJSON(next)) == nil {
		s.noted = next
	}
}

// recall learns what the process before has written, and notes from now on what this one writes, which began at now. It
// returns until when as much was written as could be, and whether the other process began just before. Without a note
// nothing is known, unless the installation is new.
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

// How several replicas share what Telegram takes. Each keeps to its share by itself, so that the shares together are
// what one would have.
//
// Whoever keeps to a share with a burst B and a rate R, both a minute's, writes less than B + R*t/60 times within any
// t seconds, and shares add up: all together write less than the sum of the bursts and the rate times t. After a
// change of shares everybody begins with nothing in hand, so that of the times before and after it the bursts count
// only once: within any minute there are less writes than the bursts before and the higher one of the two rates. Twenty
// writes in a group bound that sum. One replica has 4 and 16; several have 5 and 15, as long as there are 5 or less,
// else a burst of one each and what is left. Where the sum would be greater, because many have gone at once, the new
// shares begin later by what it is too much.

// share is how much may be written at once, and within a minute beside that.
type share struct {
	burst int
	rate  float64
}

// bursts is what several replicas may write at once together, while they are few.
const bursts = 5

// whole is what all replicas may write together, by what one alone may.
func (s share) whole(replicas int) share {
	if replicas <= 1 {
		return s
	}
	all := share{burst: max(bursts, replicas)}
	all.rate = max(float64(s.burst)+s.rate-float64(all.burst), 1)
	return all
}

// of is the share of one replica. The others have the 2n-th part of the rate each, and whoever holds the chat has the
// rest, which is more than half: it draws the boards.
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

// late is how much later new shares begin than the change from before, of which was the number of replicas.
func (s share) late(was, replicas int) time.Duration {
	most := float64(s.burst) + s.rate
	now := s.whole(replicas).rate
	over := float64(s.whole(was).burst) + now - most
	return time.Duration(max(over, 0) / now * float64(time.Minute))
}

// The shares of one replica alone.
var (
	groupShare   = share{groupBurst, groupMost + 1 - groupBurst}
	privateShare = share{privateBurst, privateMost + 1 - privateBurst}
)

// shared is the window of a chat by the share that its replica has.
type shared struct {
	whole  share     // of all replicas
	part   chat.Part // by which the window is made
	fitted time.Time // when that was looked at last
	window *window
}

// isBy reports whether the share is by this part.
func (s *shared) isBy(p chat.Part) bool {
	return p.Replicas == s.part.Replicas && p.Holds == s.part.Holds && p.Since.Equal(s.part.Since)
}

// fit gives a chat the share that its replica has now, and reports whether it is another. What was in hand by the share
// before stays, as far as the new one goes, so that all together never have more in hand than they had; of the time in
// which nobody knows who held the chat the share of the others counts.
func (s *shared) fit(p chat.Part, now time.Time) (changed bool) {
	if s.isBy(p) {
		s.fitted = now
		return false
	}
	mine, other := s.whole.of(p), s.whole.of(chat.Part{Replicas: max(p.Replicas, 2)})
	inHand, was := 0.0, p.Replicas
	if s.window != nil {
		inHand, was = s.window.inHand(s.fitted), s.part.Replicas
	}
	from := s.fitted
	if p.Since.After(from) {
		grown := inHand + other.rate*p.Since.Sub(from).Minutes()
		inHand, from = max(inHand, min(grown, float64(other.burst))), p.Since
	}
	inHand = min(inHand, float64(mine.burst))
	from = from.Add(s.whole.late(was, p.Replicas) - mine.grows(inHand))
	s.part, s.fitted, s.window = p, now, windowOf(mine, now, from)
	s.window.fresh = p.Replicas == 1 && p.Since.IsZero()
	return true
}

// overall is the pace of one replica in all chats together.
type overall struct {
	part func() chat.Part
	mu   sync.Mutex
	*rate.Limiter
	replicas int
}

func newOverall(now time.Time) *overall {
	return &overall{Limiter: rate.NewLimiter(overallRate, overallBurst), replicas: 1,
		part: func() chat.Part { return chat.Part{Replicas: 1} }}
}

// reserve takes one write.
func (o *overall) reserve(now time.Time) *rate.Reservation {
	o.fit(max(o.part().Replicas, 1), now)
	return o.ReserveN(now, 1)
}

// fit shares the pace with other replicas.
func (o *overall) fit(replicas int, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if replicas == o.replicas {
		return
	}
	o.replicas = replicas
	o.SetLimitAt(now, rate.Limit(overallRate)/rate.Limit(replicas))
	o.SetBurstAt(now, max(overallBurst/replicas, 1))
}
