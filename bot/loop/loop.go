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

// Waker wakes a loop. Wake never blocks, several calls before the next pass count as one, and on nil it is a no-op.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake makes the loop run a pass at once, or one more after the present pass.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // a pass is pending
	}
}

// Look is one pass of a loop. soon is the time from the beginning of this pass to the next one; 0 means that the next
// one is due Loop.Sweep after the last sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Loop holds the settings that loops have in common.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // the longest time between passes
	Log   *slog.Logger
	Rests bool // whether it also pauses after each pass, see restFactor
}

// restFactor and maxRest limit the load of a loop with Rests: after a pass it pauses for restFactor times the duration
// of the pass, but at most maxRest. With a slow database it then uses at most a fifth of a connection's time, however
// often it is woken.
const (
	restFactor = 4
	maxRest    = 250 * time.Millisecond
)

// Run calls look until ctx is done: at the start, at every wake, when look has asked for it, and at least once in
// l.Sweep. It logs errors of look with the message failure. A panic of look counts as an error.
func (l Loop) Run(ctx context.Context, wake Waker, failure string, look Look) {
	sweep := l.Clock.After(l.Sweep)
	for {
		began := l.Clock.Now()
		var soon time.Duration
		err := Safely(func() (err error) {
			soon, err = look(ctx)
			return err
		})
		chat.LogFailure(ctx, l.Log.Error, failure, err)
		if took := l.Clock.Now().Sub(began); l.Rests && took > 0 {
			select {
			case <-l.Clock.After(min(took*restFactor, maxRest)):
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

// Rescue, if deferred, turns a panic into an error with its stack in *err. Without a panic it does not change *err.
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
// have ended. Other platforms are not affected.
const MaxTasks = 256

// Tasks runs tasks concurrently, at most one at a time for each id.
type Tasks struct {
	Waker Waker // wakes the loop that calls Go
	clock chat.Clock
	pause time.Duration // the pause after a failure, unless the platform demands another
	mu    sync.Mutex
	busy  map[int64]*task     // the running tasks, by id
	count map[string]int      // how many tasks run, by platform
	until map[int64]time.Time // when failed ids may run again
	all   sync.WaitGroup      // the running tasks
}

// task is a running task.
type task struct {
	platform string
	stop     context.CancelFunc // ends the task's context
	// again is true if Go was called for the same id meanwhile: the loop is then woken at the task's end.
	again bool
}

// NewTasks returns a set without tasks. A failed id cannot run for pause, or for as long as the platform demands.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, count: map[string]int{},
		until: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine. It is a no-op while a task for id runs, while id is paused after a failure, or while
// MaxTasks run on the platform. onError is called with the error of do, unless that is a chat.Later or the task was
// stopped.
func (t *Tasks) Go(ctx context.Context, platform string, id int64, do func(context.Context, int64) error,
	onError func(error)) {
	taskCtx, ok := t.begin(ctx, platform, id)
	if !ok {
		return
	}
	t.all.Go(func() {
		err := Safely(func() error { return do(taskCtx, id) })
		if taskCtx.Err() != nil {
			err = nil
		}
		t.end(id, err)
		if _, expected := errors.AsType[chat.Later](err); err != nil && !expected {
			onError(err)
		}
	})
}

// begin registers a task for id and returns its context and true, or returns false if it may not run now, as at Go.
func (t *Tasks) begin(ctx context.Context, platform string, id int64) (context.Context, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if running := t.busy[id]; running != nil {
		running.again = true
		return nil, false
	}
	if t.clock.Now().Before(t.until[id]) || t.count[platform] >= MaxTasks {
		return nil, false
	}
	delete(t.until, id)
	ctx, stop := context.WithCancel(ctx)
	t.busy[id] = &task{platform: platform, stop: stop}
	t.count[platform]++
	return ctx, true
}

// end removes the task for id. An err that is not nil also pauses id, or two failing tasks would always wake the loop.
func (t *Tasks) end(id int64, err error) {
	rest := PauseAfter(err, t.pause)
	t.mu.Lock()
	ended := t.busy[id]
	full := t.count[ended.platform] >= MaxTasks
	delete(t.busy, id)
	if t.count[ended.platform]--; t.count[ended.platform] == 0 {
		delete(t.count, ended.platform)
	}
	if rest > 0 {
		t.until[id] = t.clock.Now().Add(rest)
	}
	t.mu.Unlock()
	ended.stop()
	if ended.again || full || rest > 0 {
		t.Waker.Wake()
	}
}

// Stop cancels the task for id and ends the pause of id, so that id can be reused. If there was either, it wakes the
// loop.
func (t *Tasks) Stop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	running, until := t.busy[id], t.until[id]
	delete(t.until, id)
	if running != nil {
		running.stop()
	}
	if running != nil || !until.IsZero() {
		t.Waker.Wake()
	}
}

// Wait waits until no task runs. Go must not be called meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns the time until the next pause of an id ends. 0: no id is paused.
func (t *Tasks) Rested() (soon time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock.Now()
	for id, until := range t.until {
		if left := until.Sub(now); left <= 0 {
			delete(t.until, id)
		} else if soon == 0 || left < soon {
			soon = left
		}
	}
	return soon
}

// PauseAfter returns the pause after err: the time that the platform demands, but at least a second, or else the pause
// otherwise. It returns 0 if err is nil.
func PauseAfter(err error, otherwise time.Duration) time.Duration {
	if err == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](err); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
