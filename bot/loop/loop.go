// Package loop runs the bot's background work: loops that look at what is stored and sleep until there is something
// to do, and concurrent tasks.
package loop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"knobel/bot/chat"
)

// Waker wakes a loop. Wake never blocks, and several calls before the next pass count once. A nil Waker does nothing.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake makes the loop run a pass at once.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // a pass is pending
	}
}

// Look is one pass of a loop. It returns when the next is due, counted from the beginning of this one; 0: at the
// sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Loop holds the common parts of loops.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // the longest time between passes
	Log   *slog.Logger
	Rests bool // whether it rests between passes
}

// After a pass, a loop rests restFor times as long as that took, at most maxRest: with a slow database it takes at
// most a fifth of a connection's time, however often it is woken.
const (
	restFor = 4
	maxRest = 250 * time.Millisecond
)

// Run makes a pass at the start, at every wake, and at least once a sweep, until ctx is done. Errors are logged with
// waits, the affected work; a panic does not end the loop.
func (l Loop) Run(ctx context.Context, wake Waker, waits string, look Look) {
	sweep := l.Clock.After(l.Sweep)
	for {
		began := l.Clock.Now()
		var soon time.Duration
		err := Safely(func() (err error) {
			soon, err = look(ctx)
			return err
		})
		chat.LogFailure(ctx, l.Log.Error, waits, err)
		if took := l.Clock.Now().Sub(began); l.Rests && took > 0 {
			select {
			case <-l.Clock.After(min(took*restFor, maxRest)):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		var due <-chan time.Time
		if soon > 0 && soon < l.Sweep {
			if err == nil {
				soon -= l.Clock.Now().Sub(began)
			}
			if soon <= 0 {
				continue // it is due already
			}
			due = l.Clock.After(soon)
		}
		select {
		case <-wake:
		case <-due:
		case <-sweep:
			sweep = l.Clock.After(l.Sweep)
		case <-ctx.Done():
			return
		}
	}
}

// Rescue turns a panic into an error with its stack. Defer it in code that must not crash other code.
func Rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Safely runs a step and returns its panic as an error.
func Safely(step func() error) (err error) {
	defer Rescue(&err)
	return step()
}

// MaxTasks is the most tasks of a kind that run at once on a platform. Further tasks start when others have ended;
// other platforms are not affected.
const MaxTasks = 256

// Tasks run concurrently, at most one at a time for each id.
type Tasks struct {
	Waker Waker // wakes their loop
	clock chat.Clock
	pause time.Duration // after a failure, unless the platform says
	mu    sync.Mutex
	busy  map[int64]*task
	on    map[string]int      // running tasks by platform
	rests map[int64]time.Time // failed ids, and when to retry
	all   sync.WaitGroup
}

// task is a running task.
type task struct {
	on   string // its platform
	stop context.CancelFunc
	// again says that Go was called for this id meanwhile: the loop is woken at the task's end.
	again bool
}

// NewTasks returns an empty set. A failed id is paused for pause or as long as the platform asks.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, on: map[string]int{},
		rests: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine, unless one is running for id, id is paused, or too many run on the platform.
// onError gets errors other than chat.Later, unless the task was stopped.
func (t *Tasks) Go(ctx context.Context, on string, id int64, do func(context.Context, int64) error,
	onError func(error)) {
	one, ok := t.begin(ctx, on, id)
	if !ok {
		return
	}
	t.all.Go(func() {
		err := Safely(func() error { return do(one, id) })
		if one.Err() != nil {
			err = nil
		}
		t.end(id, err)
		if _, expected := errors.AsType[chat.Later](err); err != nil && !expected {
			onError(err)
		}
	})
}

// begin registers a task, and returns false if it may not begin now.
func (t *Tasks) begin(ctx context.Context, on string, id int64) (context.Context, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.busy[id]; now != nil {
		now.again = true
		return nil, false
	}
	if t.clock.Now().Before(t.rests[id]) || t.on[on] >= MaxTasks {
		return nil, false
	}
	delete(t.rests, id)
	ctx, stop := context.WithCancel(ctx)
	t.busy[id] = &task{on: on, stop: stop}
	t.on[on]++
	return ctx, true
}

// end removes a task. A failed id is paused: otherwise two failing tasks would wake the loop for ever.
func (t *Tasks) end(id int64, fault error) {
	rest := PauseAfter(fault, t.pause)
	t.mu.Lock()
	now := t.busy[id]
	full := t.on[now.on] >= MaxTasks
	delete(t.busy, id)
	if t.on[now.on]--; t.on[now.on] == 0 {
		delete(t.on, now.on)
	}
	if rest > 0 {
		t.rests[id] = t.clock.Now().Add(rest)
	}
	t.mu.Unlock()
	now.stop()
	if now.again || full || rest > 0 {
		t.Waker.Wake()
	}
}

// Stop cancels the task of an id and ends its pause, since the id is going to be reused. It wakes the loop if the task
// ran or was paused.
func (t *Tasks) Stop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, rests := t.busy[id], t.rests[id]
	delete(t.rests, id)
	if now != nil {
		now.stop()
	}
	if now != nil || !rests.IsZero() {
		t.Waker.Wake()
	}
}

// Wait waits until no task runs. Go must not be called meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns the time until the next pause ends; 0: there is none.
func (t *Tasks) Rested() (soon time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock.Now()
	for id, until := range t.rests {
		if left := until.Sub(now); left <= 0 {
			delete(t.rests, id)
		} else if soon == 0 || left < soon {
			soon = left
		}
	}
	return soon
}

// PauseAfter returns the pause after a failure: as long as the platform asks for, else otherwise; 0 without an error.
func PauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
