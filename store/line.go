package store

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// linger is how long a commit waits for one more change when there were
	// several the last time: those who were answered then may be back at once.
	linger = 100 * time.Microsecond
	// mostLooks bounds that by the number of looks, for who has a clock that
	// stands still while somebody works; a real one is always done before.
	mostLooks = 1 << 13
)

// line is who waits for the turn, which one has at a time. Whoever finds nobody
// has it at once; all others are served, in the order in which they came, by one
// goroutine, which has grown its stack and has at hand what they need.
type line struct {
	mu      sync.Mutex
	taken   bool   // somebody has the turn
	closed  bool   // nobody else gets in line
	waiting []*job // who gets the turn next
}

// job is what needs the turn.
type job struct {
	ctx  context.Context
	do   func(*job) // with the turn
	err  error      // what became of it
	with *batch     // the commit that it waits for, nil: none

	panicked error // nil: it did not
	gone     bool  // it has ended its goroutine

	answered chan struct{} // closed once all of this is known
}

// join gets in line, as the last one ever if that is so, and says whether it is
// its turn at once.
func (l *line) join(j *job, last bool) (turn bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false, errClosed
	}
	l.closed = last
	if l.taken {
		l.waiting = append(l.waiting, j)
		return false, nil
	}
	l.taken = true
	return true, nil
}

// leave leaves the line, unless it has got the turn.
func (l *line) leave(j *job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.waiting, j)
	if i < 0 {
		return false
	}
	l.waiting = slices.Delete(l.waiting, i, i+1)
	return true
}

// first takes whoever has waited longest out of the line, nil where nobody waits.
// Where leaving is so, the turn is nobody's then.
func (l *line) first(leaving bool) (j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) > 0 {
		j, l.waiting[0] = l.waiting[0], nil
		l.waiting = l.waiting[1:]
	}
	l.taken = j != nil || !leaving
	return j
}

// through has something done with the turn. ctx ends the wait for it.
func (w *writer) through(ctx context.Context, last bool, do func(*job)) error {
	j := &job{ctx: ctx, do: do, answered: make(chan struct{})}
	turn, err := w.join(j, last)
	if err != nil {
		return err
	}
	if turn {
		w.own(j)
	}
	select {
	case <-j.answered:
	case <-ctx.Done():
		if w.leave(j) {
			return ctx.Err()
		}
		<-j.answered // it has got the turn just now
	}
	if j.panicked != nil {
		panic(j.panicked)
	}
	if j.gone {
		runtime.Goexit()
	}
	return j.err
}

// own does something in the goroutine that wants it.
func (w *writer) own(j *job) {
	defer w.pass(j)
	j.do(j)
}

// pass is done with something and gives the turn to a goroutine that serves those
// who wait, if anybody does.
func (w *writer) pass(j *job) {
	w.done(j)
	if next := w.next(); next != nil {
		go w.serve(next)
	}
}

// serve does one thing after the other until nobody waits. What panics or ends
// the goroutine does so to who wanted it.
func (w *writer) serve(j *job) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if p := recover(); p != nil {
			j.panicked = fmt.Errorf("%v\n%s", p, debug.Stack())
		} else {
			j.gone = true
		}
		w.pass(j)
	}()
	for ; j != nil; j = w.next() {
		j.do(j)
		w.done(j)
	}
	returned = true
}

// done answers what waits for no commit, or has it wait for one.
func (w *writer) done(j *job) {
	switch b := j.with; {
	case b == nil:
		close(j.answered)
	case b.over:
		j.hear(b.err)
	default:
		b.shared = append(b.shared, j)
	}
}

// hear answers who has waited for a commit.
func (j *job) hear(err error) {
	if err != nil {
		j.err = err
	}
	close(j.answered)
}

// next returns whose turn it is: in the same transaction where there is one and
// it has room, or else after its commit. nil: nobody waits.
func (w *writer) next() *job {
	if w.open != nil {
		if w.open.size < w.most {
			if j := w.another(); j != nil {
				return j
			}
		}
		w.commit()
	}
	return w.first(true)
}

// another returns who waits or, where the last commit was for more changes than
// this one is for so far, comes within a moment.
func (w *writer) another() *job {
	until := time.Time{}
	for look := 0; ; look++ {
		j := w.first(false)
		if j != nil || w.last <= 1 || w.open.size >= w.last {
			return j
		}
		if now := time.Now(); until.IsZero() {
			until = now.Add(linger)
		} else if now.After(until) || look > mostLooks {
			return nil
		}
		// A timer would sleep far longer than this.
		runtime.Gosched()
	}
}
