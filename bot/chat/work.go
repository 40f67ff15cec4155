package chat

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Parts of adapters: the tasks of a run, clocks and pauses, and logging failures.

// Work counts the tasks of an adapter's run, which waits for them at its end. The zero value is open.
type Work struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Begin reports whether a task may begin: not after Close. After each true, the caller calls Done once.
func (w *Work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Add(1)
	}
	return !w.closed
}

// Done ends a task.
func (w *Work) Done() { w.tasks.Done() }

// Go runs a task in a goroutine, and reports whether it may begin.
func (w *Work) Go(task func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Go(task)
	}
	return !w.closed
}

// Close lets no further task begin and waits for all that have begun.
func (w *Work) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.tasks.Wait()
}

// Clock tells the time and makes timers.
type Clock interface {
	// Now returns the present time.
	Now() time.Time
	// After returns a channel that receives the time after d. An abandoned one costs nothing.
	After(d time.Duration) <-chan time.Time
}

// SystemClock is the clock of the system.
type SystemClock struct{}

// Now returns the present time.
func (SystemClock) Now() time.Time { return time.Now() }

// After is time.After.
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Pauses returns a backoff from a second to a minute. It is not random: only one process calls the platform.
func Pauses() *backoff.ExponentialBackOff {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.RandomizationFactor = time.Second, time.Minute, 0
	return wait
}

// LogFailure calls log with an error unless it is nil or ctx is done: errors after the end of a run are expected.
func LogFailure(ctx context.Context, log func(what string, args ...any), what string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(what, append(args, "error", err)...)
	}
}

// LogPanic logs a panic with its stack, and then calls then unless it is nil. It is to be deferred.
func LogPanic(log *slog.Logger, then func(), what string, args ...any) {
	if p := recover(); p != nil {
		log.Error(what, append(args, "panic", p, "stack", string(debug.Stack()))...)
		if then != nil {
			then()
		}
	}
}
