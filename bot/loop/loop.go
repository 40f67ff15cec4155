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

// Waker wakes a loop, which sleeps between passes. Wake never blocks, and several calls before the next pass count as
// one. A nil Waker wakes nothing.
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

// Look is one pass of a loop. soon is the time from the beginning of this pass to the next pass. 0: the loop sleeps
// until it is woken, or until the next regular pass, which comes once in each Loop.Sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Loop holds the settings that loops have in common.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // the longest time between passes
	Log   *slog.Logger
	Rests bool // whether it also pauses after each pass, see restFactor
}

// restFactor and maxRest limit the load of a loop whose field Rests is true: after a pass it pauses for restFactor
// times the duration of the pass, but at most maxRest. It then works at most a fifth of the time, however often it is
// woken, unless its passes are so long that maxRest cuts the pause.
const (
	restFactor = 4
	maxRest    = 250 * time.Millisecond
)

// Run calls look until ctx is done: at the start, when wake is woken, after the time soon that look has returned, and
// at least once in each l.Sweep. It logs an error or a panic of look, with failure as the text of the log line.
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
				continue // the next call of look is due already
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

// Rescue, called by defer, stores a panic and its stack as an error in *err. Without a panic it does not change *err.
func Rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Safely calls step and returns its error. If step panics, the panic becomes the error.
func Safely(step func() error) (err error) {
	defer Rescue(&err)
	return step()
}

// MaxTasks is the largest number of tasks for one platform that a Tasks runs at once. While so many run, Go starts no
// further ones for that platform; when one ends, the loop is woken.
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
	// again is true if Go was called for this id while the task ran: at its end the loop is woken to call Go again.
	again bool
}

// NewTasks returns a Tasks without tasks. After a task has failed, no task can run for the same id for the duration
// pause, or for as long as the platform demands.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, count: map[string]int{},
		until: map[int64]time.Time{}}
}

// Go starts do(id) as a task in a goroutine. It is a no-op while a task for id runs, while id is paused after a
// failure, or while MaxTasks tasks run for the platform. onError is called with the error of do, unless the platform
// has demanded a pause (chat.Later), or Stop or ctx has ended the task.
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

// begin registers the task of platform with this id. It returns its context and true, or false if it must not run now.
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

// end removes the ended task for id. An error err also pauses id: failing tasks must not wake the loop all the time.
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

// Stop cancels the running task for id and ends a pause of id, so that another task can run for id. If there was a task
// or a pause, it wakes the loop.
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

// Wait waits until no task runs. The caller must ensure that Go is not called meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns the time until the first of the paused ids can have a task again. 0: no id is paused.
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

// PauseAfter returns how long to pause after err: as long as the platform demands (chat.Later), but at least a second;
// usual after any other error; 0 if err is nil.
func PauseAfter(err error, usual time.Duration) time.Duration {
	if err == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](err); asked {
		return max(later.After, time.Second)
	}
	return usual
}
