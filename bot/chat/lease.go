package chat

// What one replica of the bot at a time may do, where several work with one database.

import (
	"context"
	"time"
)

// Leases are what a replica may do while others are there. All methods are safe for concurrent use.
type Leases interface {
	// Hold waits until this replica holds one of the n leases of a kind, the one with the number i, from 0 on. held
	// ends when it has to be given up, with ctx at the latest: whoever has it then ends what it is for, and calls done
	// at once, after which another replica may have it. Replicas that wait for leases of a kind share them in equal
	// parts. An error is that of ctx.
	Hold(ctx context.Context, kind string, n, i int) (held context.Context, done func(), err error)
	// Sure reports whether what Hold has given is this replica's. It is false once the database has not answered for so
	// long that others may have taken it: they have where this replica alone is cut off, and nobody has where the
	// database is away for all of them. Meanwhile nothing is done with it that another might do, too.
	Sure() bool
	// Borrow waits until no replica has a lease that is for a moment, of seconds at most. back gives it back, and has
	// nobody get it for a pause after that. An error is that of ctx.
	Borrow(ctx context.Context, name string) (back func(pause time.Duration), err error)
	// Part tells how this replica shares with others what may be done in a chat, or for a chat of "" on a platform as
	// a whole.
	Part(chat Chat) Part
}

// Part is the part of one replica in what is limited.
type Part struct {
	Replicas int       // how many there are, with this one
	Holds    bool      // this one holds the chat's lease, so that it draws there; of "": there is never another
	Since    time.Time // since when the above is so; before, the others may have used all there is
}

// Alone are the leases of a bot that never has another replica. The zero value is ready.
type Alone struct{ lent Keyed[string] }

// Hold gives what is asked for at once, for as long as ctx lasts.
func (*Alone) Hold(ctx context.Context, _ string, _, _ int) (held context.Context, done func(), err error) {
	return ctx, func() {}, ctx.Err()
}

// Sure is always true.
func (*Alone) Sure() bool { return true }

// Borrow waits until what is asked for was given back, and the pause after that is over.
func (a *Alone) Borrow(ctx context.Context, name string) (back func(pause time.Duration), err error) {
	done, err := a.lent.Lock(ctx, name)
	return func(pause time.Duration) { time.AfterFunc(pause, done) }, err
}

// Part is all of it.
func (*Alone) Part(Chat) Part { return Part{Replicas: 1, Holds: true} }
