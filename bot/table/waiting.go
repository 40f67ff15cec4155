package table

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/store"
)

// Tables that wait for a house's move.

// lookWaiting plays at every table whose solution is there, and asks for the others'. An error at one table does not
// stop the others.
func (b *Tables) lookWaiting(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	const many = 256
	var faults []error
	last := int64(0)
	for {
		var tables []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			tables, err = tx.Tables.Waiting(last, many)
			return err
		})
		if err != nil {
			return 0, errors.Join(append(faults, err)...)
		}
		for _, at := range tables {
			of, held := b.Under(store.OfTable(at.ID), at.Chat)
			if last = at.ID; !held {
				continue
			}
			if _, err := b.playHouse(ctx, c, of, at.ID); err != nil && !b.Leases.Fenced(err) {
				faults = append(faults, fmt.Errorf("table %d: %w", at.ID, err))
			}
		}
		if len(tables) < many {
			return 0, errors.Join(faults...)
		}
	}
}

// playHouse plays the house seats of a waiting table if their play is known; otherwise it asks for it and returns a
// channel that is closed when it is there.
func (b *Tables) playHouse(ctx context.Context, c *bot.Core, of store.Scope, table int64) (soon <-chan struct{},
	err error) {
	var t store.Table
	err = b.Store.View(ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(table)
		return err
	})
	if err != nil || !t.Waits {
		return nil, err
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return nil, err
	}
	if problem, err := board.ProblemOf(g, t); err == nil {
		if _, there, _ := b.Solutions.Look(problem); !there {
			return b.Solutions.Ask(problem), nil
		}
	}
	return nil, c.Step(ctx, of, func(v *bot.Visit) error { return b.Visit(v).playHouse(table) })
}

// playHouse plays the house turns of a waiting table.
func (v *Visit) playHouse(table int64) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil || !t.Waits {
		return err
	}
	g, m, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	return v.CarryOn(&t, g, m)
}

// AwaitHouse plays the house seats that a table waits for, waiting for solutions, when Run is not running. It reports
// whether there was anything to play.
func (b *Tables) AwaitHouse(ctx context.Context, c *bot.Core, table int64) (waited bool, err error) {
	for {
		var waits bool
		err := b.Store.View(ctx, func(tx *store.Tx) error {
			t, err := tx.Tables.Table(table)
			waits = t.Waits
			return err
		})
		if err != nil || !waits {
			return waited, err
		}
		waited = true
		soon, err := b.playHouse(ctx, c, store.OfTable(table), table)
		if err != nil {
			return waited, err
		}
		if soon == nil {
			continue
		}
		select {
		case <-soon:
		case <-ctx.Done():
			return waited, ctx.Err()
		}
	}
}
