package chat

// Parts that adapters share: clock, backoff, expiring sets, logging of failures, and leases, by which only one of
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

// Pauses returns a backoff that grows from a second to a minute, without randomness: only one process calls a platform.
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

// Add adds an item that expires lifetime after now, and reports whether it was new. It does not prolong an item that is
// in the set.
func (r *Recent[K]) Add(key K, now time.Time, lifetime time.Duration) bool {
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
	r.until[key] = now.Add(lifetime)
	return true
}

// Forget removes an item.
func (r *Recent[K]) Forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, key)
}

// LogFailure calls log with message, args and err, unless err is nil or ctx is done: errors after the end of a run are
// expected.
func LogFailure(ctx context.Context, log func(message string, args ...any), message string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(message, append(args, "error", err)...)
	}
}

// LogPanic recovers from a panic and logs message, args, the panic and its stack. It then calls afterwards, unless that
// is nil. Call it by defer.
func LogPanic(log *slog.Logger, afterwards func(), message string, args ...any) {
	if p := recover(); p != nil {
		log.Error(message, append(args, "panic", p, "stack", string(debug.Stack()))...)
		if afterwards != nil {
			afterwards()
		}
	}
}

// Leases are one replica's leases: rights to do work that only one replica may do. All methods are safe for concurrent
// use.
type Leases interface {
	// Hold blocks until this replica holds lease i of the n leases of a kind; replicas share them evenly. held ends
	// when the lease must be given up, with ctx at the latest. The holder then stops its work and calls done at once.
	// Another replica may take the lease after the pause that it passes to done. The error is that of ctx.
	Hold(ctx context.Context, kind string, n, i int) (held context.Context, done func(pause time.Duration), err error)
	// Sure reports whether this replica still has its leases. It is false if the database has not answered for so long
	// that other replicas may have taken them. Meanwhile the replica must not do what another might do, too.
	Sure() bool
	// Part returns this replica's share of the limits of a chat or, for "", of the whole platform.
	Part(chat Chat) Part
}

// Part is the share of a limit that one replica may use.
type Part struct {
	Replicas int       // the number of replicas, this one included
	Holds    bool      // this replica holds the chat's lease and draws its boards; false for ""
	Since    time.Time // when this share began: before it, others may have used the whole limit
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

// Hold blocks until done was called for the last holder and the pause is over. held is ctx; done must be called once.
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

// Part returns the whole limit of the single replica.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
