package chat

// Leases: the work that only one of several replicas with one database may do.

import (
	"context"
	"time"

	"knobel/store/lock"
)

// Leases are one replica's leases. All methods are safe for concurrent use.
type Leases interface {
	// Hold waits until this replica holds lease i of the n leases of a kind. held ends when the lease has to be given
	// up, with ctx at the latest: the holder then stops its work and calls done at once, after which another replica
	// may have it. Replicas share the leases of a kind evenly. The error is that of ctx.
	Hold(ctx context.Context, kind string, n, i int) (held context.Context, done func(), err error)
	// Sure reports whether this replica still has its leases. It is false when the database has not answered for so
	// long that others may have taken them. Meanwhile the replica must not do what another might do, too.
	Sure() bool
	// Borrow waits for a lease that is held for seconds at most. back returns it, and keeps it from others for the
	// pause. The error is that of ctx.
	Borrow(ctx context.Context, name string) (back func(pause time.Duration), err error)
	// Part returns this replica's part of the limits of a chat, or for "" of a platform.
	Part(chat Chat) Part
}

// Part is one replica's part of a limit.
type Part struct {
	Replicas int       // their number, this one included
	Holds    bool      // this one holds the chat's lease and draws there; false for ""
	Since    time.Time // when this began; before, the others may have used the whole limit
}

// Keyed holds locks by key, for work that runs one at a time for each chat, table or interaction.
type Keyed[K comparable] = lock.Keyed[K]

// Work counts the tasks of an adapter's run, which waits for them at its end.
type Work = lock.Work

// Alone implements Leases for a single replica. The zero value is ready.
type Alone struct{ lent Keyed[string] }

// Hold returns at once, with a context that lasts as long as ctx.
func (*Alone) Hold(ctx context.Context, _ string, _, _ int) (held context.Context, done func(), err error) {
	return ctx, func() {}, ctx.Err()
}

// Sure returns true.
func (*Alone) Sure() bool { return true }

// Borrow waits until the lease was given back and its pause is over.
func (a *Alone) Borrow(ctx context.Context, name string) (back func(pause time.Duration), err error) {
	done, err := a.lent.Lock(ctx, name)
	return func(pause time.Duration) { time.AfterFunc(pause, done) }, err
}

// Part returns the whole.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
