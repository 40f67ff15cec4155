// Package loop runs the bot's background work: loops that read the database and sleep until there is work, and
// concurrent tasks.
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

// Waker wakes a loop. Wake never blocks, and several calls before the next pass count once. Wake of a nil Waker is a
// no-op.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake makes the loop run a pass at once, or another one after the present pass.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // a pass is pending
	}
}

// Look is one pass of a loop. soon is the time from the beginning of this pass to the next one; 0: the next is due at
// the sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Loop holds the settings that loops have in common.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // the longest time between passes
	Log   *slog.Logger
	Rests bool // it also pauses after each pass, see restFor
}

// restFor and maxRest limit the load of a loop with Rests: after a pass it pauses for restFor times the duration of the
// pass, but at most maxRest. With a slow database it then uses at most a fifth of a connection's time, however often it
// is woken.
const (
	restFor = 4
	maxRest = 250 * time.Millisecond
)

// Run calls look at the start, at every wake, when look has asked for it, and at least once in l.Sweep, until ctx is
// done. It logs errors with the message waits, which names the delayed work. A panic of look counts as an error.
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

// Rescue, if deferred, turns a panic into an error with its stack, which it stores in err. Without a panic err is
// unchanged.
func Rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Safely calls step and returns its error, or its panic as an error.
func Safely(step func() error) (err error) {
	defer Rescue(&err)
	return step()
}

// MaxTasks is the largest number of tasks that one Tasks runs at once on a platform. Further tasks start when others
// have ended; other platforms are not affected.
const MaxTasks = 256

// Tasks runs tasks concurrently, at most one at a time for each id.
type Tasks struct {
	Waker Waker // wakes the loop that calls Go
	clock chat.Clock
	pause time.Duration // after a failure, unless the platform demands another
	mu    sync.Mutex
	busy  map[int64]*task
	on    map[string]int      // running tasks by platform
	rests map[int64]time.Time // when failed ids may run again
	all   sync.WaitGroup
}

// task is a running task.
type task struct {
	on   string // its platform
	stop context.CancelFunc
	// again reports whether Go was called for the same id meanwhile: the loop is then woken at the task's end.
	again bool
}

// NewTasks returns a set without tasks. After a failure an id cannot run for pause, or for the time that the platform
// demands.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, on: map[string]int{},
		rests: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine. It is a no-op while a task for id runs, id is paused after a failure, or MaxTasks
// run on the platform called on. onError is called with the error of do, unless that is a chat.Later or the task was
// stopped.
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

// begin registers a task for id and returns its context and true, or returns false if it may not run now.
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

// end removes the task for id, and pauses id if fault is not nil: otherwise two failing tasks would wake the loop for
// ever.
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

// Stop cancels the task for id and ends the pause of id, because the id is reused. It wakes the loop if there was
// either.
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

// Rested returns the time until the next pause of an id ends; 0: no id is paused.
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

// PauseAfter returns the pause after the error fault: the time that the platform demands, at least a second, or else
// the value of otherwise. It returns 0 if fault is nil.
func PauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
