package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"knobel/bot"
	"knobel/store"
)

// The moves of games that ended long ago are dropped, if the operator wants that. What was computed from them stays:
// results, books, totals, statistics, reviews. Answers that need moves say that they are gone.

// LeastKept is the shortest time for which moves may be kept: puzzles and reviews are made of them for so long.
const LeastKept = 14 * 24 * time.Hour

// ErrMovesDropped is the error for the record of a game whose moves were dropped.
var ErrMovesDropped = errors.New("its moves are not kept any longer")

// dropMoves drops the moves of some games that ended long ago, and returns how soon the next are due.
func (b *Reviews) dropMoves(ctx context.Context, c *bot.Core) (time.Duration, error) {
	const droppedAtOnce = 20 // games before the loop rests
	var tables []store.Row
	before := b.Clock.Now().Add(-b.KeepMoves).UnixMilli()
	err := b.Due(ctx, func(tx *store.Tx) (err error) {
		tables, err = tx.Tables.OlderMoves(before, droppedAtOnce+b.faulty.Len())
		return err
	})
	if err != nil {
		return 0, err
	}
	tables = slices.DeleteFunc(tables, func(r store.Row) bool { return b.faulty.Has(r.ID) })
	err = c.StepAt(ctx, store.OfTable, tables, "table", bot.At(b.Visit, (*visit).dropMoves))
	if err == nil && len(tables) >= droppedAtOnce {
		return time.Second, nil // there are more, and presses in between
	}
	return 0, err
}

// dropMoves counts what statistics are made of in the moves of a finished table, and then drops the moves. A table
// whose moves cannot be counted keeps them.
func (v *visit) dropMoves(table int64) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil {
		return err
	}
	if t.State != store.Over {
		return v.Tx.Tables.DropMoves(table)
	}
	moves, err := v.Tx.Tables.Moves(table)
	if err != nil {
		return err
	}
	faces, err1 := v.bot.FacesAt(t, moves)
	tallies, err2 := v.bot.TalliesAt(t, moves)
	if err := cmp.Or(err1, err2); err != nil {
		v.bot.faulty.Note(table)
		return err
	}
	if err := v.Tx.Scores.AddFaces(table, faces); err != nil {
		return err
	}
	if err := v.Tx.Scores.AddTallies(table, tallies); err != nil {
		return err
	}
	return v.Tx.Tables.DropMoves(table)
}
