package call

// Calls that were being sent when their process ended.

import (
	"context"
	"errors"
	"time"

	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// lostAfter is how long a replica has run the loops of a chat when calls of which is not known what has become of them
// count as lost: the replica before it has stored that by then, if it still could.
const lostAfter = time.Minute

// freshAgain is how long a call that may still be being sent by another replica is left alone.
const freshAgain = 5 * time.Second

// lostCalls gives up what other runs have left, once for each lease of chats.
type lostCalls struct {
	bot  *Calls
	done map[int]time.Time // the leases for which that is done, by number, with when they were got
}

// fresh reports whether the loops of a chat have not run here for long: another replica may be sending a call there.
func (b *Calls) fresh(chat string) bool {
	since, _ := b.Leases.SinceOf(lease.ShareOf(chat))
	return !since.IsZero() && b.Clock.Now().Sub(since) < lostAfter
}

// look gives up lost calls of chats whose loops have run here for long enough.
func (l lostCalls) look(ctx context.Context) error {
	b := l.bot
	ready := map[int]time.Time{}
	for i := range lease.Shares {
		since, held := b.Leases.SinceOf(i)
		was, done := l.done[i]
		if held && (!done || !was.Equal(since)) && (since.IsZero() || b.Clock.Now().Sub(since) >= lostAfter) {
			ready[i] = since
		}
	}
	if len(ready) == 0 {
		return nil
	}
	var lost []store.Row
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		tx.Only(func(chat string) bool {
			_, is := ready[lease.ShareOf(chat)]
			return is
		})
		lost, err = tx.Calls.LostCalls(loop.MaxTasks)
		return err
	})
	if err != nil {
		return err
	}
	var faults []error
	for _, at := range lost {
		if of, held := b.Under(store.OfCall(at.ID), at.Chat); held && !b.pings.Busy(at.ID) {
			err := b.Store.UpdateOf(context.WithoutCancel(ctx), of,
				func(tx *store.Tx) error { return tx.Calls.DropLostCall(at.ID) })
			if !b.Leases.Fenced(err) {
				faults = append(faults, err)
			}
		}
	}
	if len(lost) < loop.MaxTasks {
		for i, since := range ready {
			l.done[i] = since
		}
	}
	return errors.Join(faults...)
}
