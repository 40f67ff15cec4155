package table

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// Clocks during an outage of a platform. People there cannot press: no turn ends, and afterwards they have as long
// again as the outage, at most grace. Tables of other platforms are not affected.

// graceLeft returns how much of an outage's extra time a turn that has lasted for a duration has left; 0 if the turn
// began after the outage or has used it up.
func (v *Visit) graceLeft(place chat.Place, lasts time.Duration) time.Duration {
	link := v.Condition(place).Link
	up := time.Since(link.Since)
	if !link.Up || lasts <= up {
		return 0
	}
	away := link.Away
	if away == 0 { // since the start of the bot: its length is unknown
		away = grace
	}
	return max(0, min(away, grace)-up)
}

// listen checks the platforms and gives time to turns after an outage. A platform for which that fails stays
// unreachable.
func (w *deadlines) listen(ctx context.Context) error {
	var faults []error
	for name, is := range w.core.Outbox.Conditions() {
		since, before := w.heard[name]
		switch link := is.Link; {
		case link.Lasting():
			continue
		case !link.Up:
			w.unreachable[name] = true
			continue
		case before && since.Equal(link.Since):
			continue
		}
		away := grace // the first time: the length is unknown
		if before {
			away = min(is.Link.Away, grace)
		}
		if err := w.give(ctx, name+":", away); err != nil {
			w.unreachable[name] = true
			faults = append(faults, fmt.Errorf("after an outage of %s: %w", name, err))
			continue
		}
		w.heard[name] = is.Link.Since
		delete(w.unreachable, name)
	}
	return errors.Join(faults...)
}

// maxShortened is the largest number of turns checked after the clock was set back.
const maxShortened = 1 << 20

// shortenTurns caps the deadline of every running turn at the agreed limit from now, after the wall clock was set back.
func (w *deadlines) shortenTurns(ctx context.Context) error {
	var running []store.Row
	err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Tables.Due(math.MaxInt64, store.Row{}, maxShortened)
		return err
	})
	return errors.Join(err, w.stepAt(ctx, running, "after the clock was set back: table", (*Visit).shorten))
}

// shorten caps the present turn of a table at the time of a new one.
func (v *Visit) shorten(t *store.Table) error {
	clock, err := v.clockOf(*t)
	if err != nil {
		return err
	}
	most := clock.After(time.UnixMilli(v.At), max(board.TurnLimit(*t), grace+grace/2)).UnixMilli()
	if t.Clock.Due <= most || t.State != store.Playing {
		return nil
	}
	t.Clock.Due = most
	return v.Redraw(t)
}
