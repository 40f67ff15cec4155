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

// counting counts one thing in the moves of finished tables, when they are asked for, and stores the counts after the
// answer.
type counting[T any] struct {
	of     string                                              // what is counted, in the log
	count  func(store.Table, []store.Move) ([]T, error)        // by seat
	keep   func(to store.Scores, table int64, seats []T) error // once
	faulty Faulty
}

// counted holds the counts of every seat of a finished table.
type counted[T any] struct {
	table int64
	seats []T
}

// add counts a player's tables that were not counted yet, as many as most, and calls each with the counts of the
// player's seats. It returns how many tables are left. A table whose moves cannot be counted is logged and left out.
func (c *counting[T]) add(v *Visit, player string, tables []int64, most int, each func(game string, seat T)) (left int,
	err error) {
	tables = slices.DeleteFunc(tables, c.faulty.Has)
	now := tables[:min(len(tables), most)]
	var all []counted[T]
	faults := map[int64]error{}
	for _, number := range now {
		t, err := v.Tx.Tables.Table(number)
		if err != nil {
			return 0, fmt.Errorf("table %d: %w", number, err)
		}
		moves, err := v.Tx.Tables.Moves(number)
		if err != nil {
			return 0, err
		}
		seats, err := c.count(t, moves)
		if err != nil {
			faults[number] = err
			continue
		}
		all = append(all, counted[T]{number, seats})
		if i := board.SeatOf(t, chat.User(player)); i >= 0 {
			each(t.Game, seats[i])
		}
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
	return len(tables) - len(now), nil
}

// keptAtOnce is of how many tables counts are kept in one transaction.
const keptAtOnce = 64

// store keeps counts after the answer was read. If that fails they are counted again at the next request.
func (c *counting[T]) store(ctx context.Context, core *bot.Core, all []counted[T]) {
	for some := range slices.Chunk(all, keptAtOnce) {
		err := core.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			for _, one := range some {
				if err := c.keep(tx.Scores, one.table, one.seats); err != nil {
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

// Faulty is a set of tables whose moves cannot be counted, so that each is logged once and not tried again before the
// next start. The zero value is empty.
type Faulty struct{ tables sync.Map }

// Note adds a table, and reports whether it is new.
func (f *Faulty) Note(table int64) bool {
	_, known := f.tables.LoadOrStore(table, true)
	return !known
}

// Has reports whether a table is in the set.
func (f *Faulty) Has(table int64) bool {
	_, known := f.tables.Load(table)
	return known
}

// Len returns the number of tables.
func (f *Faulty) Len() (n int) {
	f.tables.Range(func(any, any) bool { n++; return true })
	return n
}
