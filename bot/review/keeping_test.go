package review

import (
	"strings"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/fakes"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// A game whose moves cannot be counted keeps its own, and tells why once; all others
// lose theirs, those behind it, too.
func TestAFaultyGameKeepsNoOtherFromLosingItsMoves(t *testing.T) {
	st := storetest.Open(t)
	g := shutbox.Game{}
	said := wordstest.Of(t, g)
	now := fakes.NewClockAt(time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC), false)
	core := bot.New(bot.Config{Store: st, Games: []games.Game{g}, Words: said, Clock: now, KeepMoves: LeastKept})
	b := New(standings.New(table.New(core.Bot)))
	faulty := aged(t, st, store.Over, 7) // no die shows that
	other := aged(t, st, store.Abandoned, 6)
	_, err := b.dropMoves(t.Context(), core)
	if err == nil || !strings.Contains(err.Error(), "move 1 shows a 7") {
		t.Errorf("of the faulty game: %v", err)
	}
	if _, err := b.dropMoves(t.Context(), core); err != nil {
		t.Errorf("the faulty game once more: %v", err)
	}
	for table, moves := range map[int64]int{faulty: 1, other: 0} {
		err := st.View(t.Context(), func(tx *store.Tx) error {
			left, err := tx.Tables.Moves(table)
			if len(left) != moves {
				t.Errorf("table %d has %d moves, want %d", table, len(left), moves)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// aged is a table that ended long ago, after one throw.
func aged(t *testing.T, st *store.Store, state string, face int) int64 {
	t.Helper()
	table := store.Table{
		Chat: "test:1", Place: "test:1/" + state, Game: shutbox.Game{}.Name(), Rules: map[string]string{},
		Unit: "chips", Opener: "test:anna",
		State: state, Dice: store.Dice{Seed: make([]byte, 32)}, Turn: 1,
		Clock: store.Clock{TurnLimit: store.DefaultLimit}, Version: 1, Changed: 1000,
		Seats: []store.Seat{{Player: "test:anna", Name: "Anna", Confirmed: true}},
	}
	err := st.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) (err error) {
		if table.ID, err = tx.Tables.AddTable(table); err != nil {
			return err
		}
		if err := tx.Tables.AddMove(table.ID, store.Move{Move: "throw 2", Dice: []int{face, 1}}); err != nil ||
			state != store.Over {
			return err
		}
		return tx.Tables.Finish(table.ID, 1000, 0, []store.Result{{Place: 1, Turns: 1}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return table.ID
}
