package chat

// Leases: the work that only one of several replicas with one database may do.

import (
	"context"
	"fmt"
	"time"

	"knobel/store/lock"
)

// Leases are one replica's leases. All methods are safe for concurrent use.
type Leases interface {
	// Hold waits until this replica holds lease i of the n leases of a kind. held ends when the lease has to be given
	// up, with ctx at the latest: the holder then stops its work and calls done at once, after which, and after the
	// pause, another may have it. Replicas share the leases of a kind evenly. The error is that of ctx.
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
	Since    time.Time // when this began; before, the others may have used the whole limit
}

// Keyed holds locks by key, for work that runs one at a time for each chat, table or interaction.
type Keyed[K comparable] = lock.Keyed[K]

// Work counts the tasks of an adapter's run, which waits for them at its end.
type Work = lock.Work

// Alone implements Leases for a single replica. The zero value is ready.
type Alone struct{ held Keyed[string] }

// Hold waits until the lease was given back and its pause is over. held lasts as long as ctx, and done is called once.
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

// Part returns the whole.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
