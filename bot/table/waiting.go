package table

import (
	"context"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/store"
)

// Tables that wait for a house's move.

// lookWaiting plays at every table whose solution is there, and asks for the others'.
func (b *Tables) lookWaiting(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	return 0, b.atEach(ctx, c, "table", func(tx *store.Tx, after int64) ([]store.Row, error) {
		return tx.Tables.Waiting(after, atOnce)
	}, (*Visit).playHouse)
}

// playHouse plays the house turns of a waiting table if the play is known, and otherwise asks for it.
func (v *Visit) playHouse(table int64) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil || !t.Waits {
		return err
	}
	g, m, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	if problem, err := board.ProblemOf(g, t); err == nil {
		if _, there, _ := v.bot.Solutions.Look(problem); !there {
			v.After(func(context.Context, *bot.Core) error {
				v.bot.Solutions.Ask(problem)
				return nil
			})
			return nil
		}
	}
	return v.CarryOn(&t, g, m)
}

// AwaitHouse plays the house seats that a table waits for, waiting for solutions, when Run is not running. It reports
// whether there was anything to play.
func (b *Tables) AwaitHouse(ctx context.Context, c *bot.Core, table int64) (waited bool, err error) {
	for {
		var t store.Table
		err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
			t, err = tx.Tables.Table(table)
			return err
		})
		if err != nil || !t.Waits {
			return waited, err
		}
		waited = true
		g, err := b.Game(t.Game)
		if err != nil {
			return waited, err
		}
		if problem, err := board.ProblemOf(g, t); err == nil {
			select {
			case <-b.Solutions.Ask(problem):
			case <-ctx.Done():
				return waited, ctx.Err()
			}
		}
		err = c.Step(ctx, store.OfTable(table), func(v *bot.Visit) error { return b.Visit(v).playHouse(table) })
		if err != nil {
			return waited, err
		}
	}
}
