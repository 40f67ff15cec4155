package chat

// Parts that adapters share: time, pauses, sets whose items expire, logging failures, and leases, by which only one of
// several replicas with one database does some work.

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"knobel/store/lock"
)

// Clock returns the time and makes timers.
type Clock interface {
	// Now returns the present time.
	Now() time.Time
	// After returns a channel that receives the time after d. It needs no stop, even if nothing reads it.
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
	many  int // the number of items at which expired ones are dropped
}

// Has reports whether an item is in the set at the time now.
func (r *Recent[K]) Has(key K, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.until[key])
}

// Add adds an item from now on for the duration long, and reports whether it was new.
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

// LogFailure calls log with what, args and err, unless err is nil or ctx is done: errors after the end of a run are
// expected.
func LogFailure(ctx context.Context, log func(what string, args ...any), what string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(what, append(args, "error", err)...)
	}
}

// LogPanic recovers from a panic, logs it with its stack, and then calls then unless it is nil. Call it by defer.
func LogPanic(log *slog.Logger, then func(), what string, args ...any) {
	if p := recover(); p != nil {
		log.Error(what, append(args, "panic", p, "stack", string(debug.Stack()))...)
		if then != nil {
			then()
		}
	}
}

// Leases are one replica's leases: rights to do work that only one replica may do. All methods are safe for concurrent
// use.
type Leases interface {
	// Hold blocks until this replica holds lease i of the n leases of a kind. held ends when the lease must be given
	// up, with ctx at the latest: the holder then stops its work and calls done at once. After that and the pause,
	// another replica may take the lease. Replicas share the leases of a kind evenly. The error is that of ctx.
	Hold(ctx context.Context, kind string, n, i int) (held context.Context, done func(pause time.Duration), err error)
	// Sure reports whether this replica still has its leases. It is false when the database has not answered for so
	// long that others may have taken them. Meanwhile the replica must not do what another might do, too.
	Sure() bool
	// Part returns this replica's part of the limits of a chat, or for "" of a platform.
	Part(chat Chat) Part
}

// Part is one replica's part of a limit.
type Part struct {
	Replicas int       // their number, this one included
	Holds    bool      // this one holds the chat's lease and draws there; false for ""
	Since    time.Time // when this part began; before, others may have used the whole limit
}

// Keyed holds locks by key, for work that runs one at a time for each chat, table or interaction.
type Keyed[K comparable] = lock.Keyed[K]

// Work counts the tasks of an adapter's run, which waits for them at its end. The zero value is open.
type Work struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Begin reports whether a task may begin, which is false after Close. After each true, the caller calls Done once.
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

// Alone implements Leases for a single replica. The zero value is ready.
type Alone struct{ held Keyed[string] }

// Hold blocks until the lease is free: its last holder has called done, and the pause is over. held is ctx; done must
// be called once.
func (a *Alone) Hold(ctx context.Context, kind string, _, i int) (
	held context.Context, done func(pause time.Duration), err error,
) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	unlock, err := a.held.Lock(ctx, fmt.Sprint(kind, " ", i))
	return ctx, func(pause time.Duration) { time.AfterFunc(pause, unlock) }, err
}

// Sure returns true.
func (*Alone) Sure() bool { return true }

// Part returns the whole limit.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
