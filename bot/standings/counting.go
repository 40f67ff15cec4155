package standings

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// counting counts one thing in the moves of finished tables, when they are asked for, and keeps the counts after the
// answer.
type counting[T any] struct {
	of     string                                              // what is counted, in the log
	count  func(store.Table, []store.Move) ([]T, error)        // by seat
	keep   func(to store.Scores, table int64, seats []T) error // once
	faulty Faulty
}

// counted is what the moves of every seat of a finished table count.
type counted[T any] struct {
	table store.Table
	seats []T
}

// at counts tables. One whose moves cannot be counted is left out and told in the log: the others count.
func (c *counting[T]) at(v *Visit, tables []int64) ([]counted[T], error) {
	var all []counted[T]
	faults := map[int64]error{}
	for _, number := range tables {
		t, err := v.Tx.Tables.Table(number)
		if err != nil {
			return nil, fmt.Errorf("table %d: %w", number, err)
		}
		moves, err := v.Tx.Tables.Moves(number)
		if err != nil {
			return nil, err
		}
		seats, err := c.count(t, moves)
		if err != nil {
			faults[number] = err
			continue
		}
		all = append(all, counted[T]{t, seats})
	}
	v.After(func(ctx context.Context, core *bot.Core) error {
		for number, fault := range faults {
			if c.faulty.Note(number) {
				core.Log.ErrorContext(ctx, c.of+" of a table cannot be counted", "table", number, "error", fault)
			}
		}
		c.store(ctx, core, all)
		return nil
	})
	return all, nil
}

// add counts a player's tables that were not counted yet, as many as most, and calls each for what the player's seats
// count there. It returns how many tables are left.
func (c *counting[T]) add(v *Visit, player string, tables []int64, most int, each func(game string, seat T)) (int,
	error) {
	tables = slices.DeleteFunc(tables, c.faulty.Has)
	now := tables[:min(len(tables), most)]
	added, err := c.at(v, now)
	for _, one := range added {
		if i := board.SeatOf(one.table, chat.User(player)); i >= 0 {
			each(one.table.Game, one.seats[i])
		}
	}
	return len(tables) - len(now), err
}

// keptAtOnce is of how many tables counts are kept in one transaction.
const keptAtOnce = 64

// store keeps counts after the answer was read. If that fails they are counted again at the next request.
func (c *counting[T]) store(ctx context.Context, core *bot.Core, all []counted[T]) {
	for some := range slices.Chunk(all, keptAtOnce) {
		err := core.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			for _, one := range some {
				if err := c.keep(tx.Scores, one.table.ID, one.seats); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			core.Log.ErrorContext(ctx, "counted "+c.of+" cannot be stored", "error", err)
			return
		}
	}
}

// Faulty remembers tables whose moves cannot be counted, so that each is told in the log once and not tried again
// before the next start. The zero value remembers none.
type Faulty struct {
	mu     sync.Mutex
	tables map[int64]bool
}

// Note remembers a table, and reports whether it was not known before.
func (f *Faulty) Note(table int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.tables[table]
	if f.tables == nil {
		f.tables = map[int64]bool{}
	}
	f.tables[table] = true
	return !known
}

// Has reports whether a table is remembered.
func (f *Faulty) Has(table int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tables[table]
}

// Len returns how many tables are remembered.
func (f *Faulty) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.tables)
}
