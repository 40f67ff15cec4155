package table

import (
	"context"
	"errors"
	"math"
	"time"

	"knobel/store"
)

// mostShortened is how many turns are looked at when the clock was set back.
const mostShortened = 1 << 20

// shortenTurns has no turn last longer than was agreed, after the clock was set
// back: what was to be over by a moment would be over only when the clock has
// come there again.
func (b *Tables) shortenTurns(ctx context.Context) error {
	var running []store.Turn
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Due(math.MaxInt64, store.Turn{}, mostShortened)
		return err
	})
	return errors.Join(err, b.StepAt(ctx, tablesOf(running), "after the clock was set back: table", (*Visit).shorten))
}

// shorten gives the present turn of a table no more time than a new one has.
func (v *Visit) shorten(table int64) error {
	t, err := v.Tx.Table(table)
	if err != nil || t.Due == 0 {
		return err
	}
	clock, err := v.clockOf(t)
	if err != nil {
		return err
	}
	most := clock.After(time.UnixMilli(v.At), max(TurnLimit(t), grace+grace/2)).UnixMilli()
	if t.Due <= most {
		return nil
	}
	t.Due = most
	v.endsBy(t.Due)
	return v.Redraw(&t)
}
