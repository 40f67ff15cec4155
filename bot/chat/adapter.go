package chat

// Parts that adapters share: time, pauses, sets whose items expire, and logging failures.

import (
	"context"
	"log/slog"
	"maps"
	"runtime/debug"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

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

// Recent is a set whose items expire. The zero value is ready.
type Recent[K comparable] struct {
	mu    sync.Mutex
	until map[K]time.Time
	many  int // when to drop expired items
}

// Has reports whether an item is in the set.
func (r *Recent[K]) Has(key K, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.until[key])
}

// Add adds an item for that long, and reports whether it was new.
func (r *Recent[K]) Add(key K, now time.Time, long time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Before(r.until[key]) {
		return false
	}
	if r.until == nil {
		r.until = map[K]time.Time{}
	}
	if len(r.until) >= max(r.many, 1024) {
		maps.DeleteFunc(r.until, func(_ K, until time.Time) bool { return !now.Before(until) })
		r.many = 2 * len(r.until)
	}
	r.until[key] = now.Add(long)
	return true
}

// Forget removes an item.
func (r *Recent[K]) Forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, key)
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
