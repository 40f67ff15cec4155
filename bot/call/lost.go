package call

// Calls whose process ended while sending them.

import (
	"context"
	"errors"
	"time"

	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// lostAfter is how long a replica has run the loops of a chat before calls without a result count as lost: the replica
// before it has stored its results by then.
const lostAfter = time.Minute

// freshAgain is the pause before a call that another replica may be sending is looked at again.
const freshAgain = 5 * time.Second

// lostCalls gives up the lost calls of earlier runs, once for each lease of chats.
type lostCalls struct {
	bot  *Calls
	done map[int]time.Time // when the leases were got, by number, if done
}

// fresh reports whether the loops of a chat have run here only briefly: another replica may still be sending a call.
func (b *Calls) fresh(chat string) bool {
	since, _ := b.Leases.SinceOf(lease.ShareOf(chat))
	return !since.IsZero() && b.Clock.Now().Sub(since) < lostAfter
}

// look gives up lost calls of chats whose loops have run here for lostAfter.
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
