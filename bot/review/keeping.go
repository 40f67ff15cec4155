package review

import (
	"context"
	"errors"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The moves of games that ended long ago are dropped, if the operator wants that. What was computed from them stays:
// results, books, totals, statistics, reviews. Answers that need moves say that they are gone.

// LeastKept is the shortest time for which moves may be kept: puzzles and reviews are made of them for so long.
const LeastKept = 14 * 24 * time.Hour

// ErrMovesDropped is the error for the record of a game whose moves were dropped.
var ErrMovesDropped = errors.New("its moves are not kept any longer")

// droppedAtOnce is how many games lose their moves before the loop rests.
const droppedAtOnce = 20

// dropMoves drops the moves of some games that ended long ago, and returns how soon the next are due.
func (b *Reviews) dropMoves(ctx context.Context, c *bot.Core) (time.Duration, error) {
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
	if t.State == store.Over {
		if err := v.keepCounts(t); err != nil {
			return err
		}
	}
	return v.Tx.Tables.DropMoves(table)
}

// keepCounts stores what statistics are made of in the moves of a finished table.
func (v *visit) keepCounts(t store.Table) error {
	moves, err := v.Tx.Tables.Moves(t.ID)
	if err != nil {
		return err
	}
	faces, err := v.bot.FacesAt(t, moves)
	if err != nil {
		v.bot.faulty.Note(t.ID)
		return err
	}
	tallies, err := v.bot.TalliesAt(t, moves)
	if err != nil {
		v.bot.faulty.Note(t.ID)
		return err
	}
	if err := v.Tx.Scores.AddFaces(t.ID, faces); err != nil {
		return err
	}
	return v.Tx.Scores.AddTallies(t.ID, tallies)
}

// bareEnd shows the end of a game whose moves were dropped.
func (v *visit) bareEnd(t store.Table) error {
	g, match, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	m, err := v.stood(t, g, match, 0, games.Say("bot.history.bare", games.Args{"Table": t.ID}))
	if err != nil {
		return err
	}
	m.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.games", nil), "/history", games.Plain)}}
	v.Reply.Private = m
	return nil
}
