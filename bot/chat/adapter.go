package chat

// Parts that adapters share: clock, pauses, expiring sets, logging of failures, and leases, by which only one of
// several replicas (processes with one database) does some work.

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
	// After returns a channel that receives the time after d. It need not be stopped, even if the channel is not read.
	After(d time.Duration) <-chan time.Time
}

// SystemClock is the clock of the system.
type SystemClock struct{}

// Now returns the present time.
func (SystemClock) Now() time.Time { return time.Now() }

// After is time.After.
func (SystemClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Pauses returns pauses between tries, which grow from a second to a minute, without random differences.
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

// Has reports whether key is in the set and has not expired at now.
func (r *Recent[K]) Has(key K, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return now.Before(r.until[key])
}

// Add adds key, which expires lifetime after now, and reports whether it was not in the set. For a key that is in the
// set, Add changes nothing.
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

// Forget removes key.
func (r *Recent[K]) Forget(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, key)
}

// LogFailure calls log with message, args and err. If err is nil or ctx is done, it does nothing: when a run ends,
// errors are expected.
func LogFailure(ctx context.Context, log func(message string, args ...any), message string, err error, args ...any) {
	if err != nil && ctx.Err() == nil {
		log(message, append(args, "error", err)...)
	}
}

// LogPanic recovers from a panic and logs message, args, the panic and its stack. Then it calls afterwards, unless nil.
// Call it by defer.
func LogPanic(log *slog.Logger, afterwards func(), message string, args ...any) {
	if p := recover(); p != nil {
		log.Error(message, append(args, "panic", p, "stack", string(debug.Stack()))...)
		if afterwards != nil {
			afterwards()
		}
	}
}

// Leases give work to one of several replicas at a time: only the replica that holds a lease may do the lease's work.
// All methods are safe for concurrent use.
type Leases interface {
	// Hold blocks until this replica holds lease i of the n leases of a kind; the replicas share the n leases evenly.
	// When held is done (with ctx at the latest), the replica stops the lease's work and calls done at once. Another
	// replica may take the lease when pause is over. The error is ctx.Err().
	Hold(ctx context.Context, kind string, n, i int) (held context.Context, done func(pause time.Duration), err error)
	// Sure reports whether this replica certainly still has its leases. It is false once the database has not answered
	// for so long that other replicas may have taken them. Then this replica must not do the work of its leases.
	Sure() bool
	// Part returns this replica's share of the rate limits of a chat or, for the chat "", of the whole platform.
	Part(chat Chat) Part
}

// Part is the share of a rate limit that one replica may use.
type Part struct {
	Replicas int       // the number of replicas, this one included
	Holds    bool      // this replica holds the chat's lease and draws its boards; false for ""
	Since    time.Time // when this share began: before it, others may have used the whole limit
}

// Keyed holds locks by key, so that work for the same chat, table or interaction runs one at a time.
type Keyed[K comparable] = lock.Keyed[K]

// Work counts the running tasks of an adapter, which waits for them when it stops. The zero value accepts tasks.
type Work struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Begin counts a new task, for which the caller then calls Done, and returns true. After Close it only returns false.
func (w *Work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Add(1)
	}
	return !w.closed
}

// Done ends a task that Begin has counted.
func (w *Work) Done() { w.tasks.Done() }

// Go runs task in a goroutine and returns true. After Close it returns false and does not run it.
func (w *Work) Go(task func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Go(task)
	}
	return !w.closed
}

// Close makes Begin and Go return false from now on, and waits until all tasks have ended.
func (w *Work) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.tasks.Wait()
}

// Alone implements Leases for a bot with only one replica. The zero value is ready.
type Alone struct{ held Keyed[string] }

// Hold implements Leases.Hold: it takes the lease with this kind and i once no other caller holds it. held is ctx
// itself. The lease is free again when done was called and its pause is over.
func (a *Alone) Hold(ctx context.Context, kind string, _, i int) (
	held context.Context, done func(pause time.Duration), err error,
) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	unlock, err := a.held.Lock(ctx, fmt.Sprint(kind, " ", i))
	return ctx, func(pause time.Duration) { time.AfterFunc(pause, unlock) }, err
}

// Sure returns true: there is no other replica.
func (*Alone) Sure() bool { return true }

// Part returns the whole limit: there is no other replica.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
