package table_test

import (
	"context"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/store"
)

// A press that is refused brings the board of a lost place back, and its clock
// with it: nobody waits for the sweep.
func TestARefusedPressSetsTheClockGoing(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10 turn=1m", "Anna", "Ben")
		anna, ben := people[0], people[1]
		err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
			lost, err := tx.Table(1)
			if err != nil {
				return err
			}
			lost.Away = true
			return tx.SaveTable(lost)
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 60 { // nothing is looked for there, and the loop sleeps until its sweep
			h.Later(5 * time.Second)
		}
		if table := anna.Table(); table.Turn != 0 || !table.Away {
			t.Fatalf("turn %d of a table that is away: %v", table.Turn, table.Away)
		}
		bare.Refused(t, ben.Sends("1:1:0:throw"), "It is Anna's turn; the board says when it is yours.")
		left := 48 // of four minutes: grace is three at the most
		s.Until(t, "the house has played for her", func([]string) bool {
			if left--; left > 0 {
				h.Later(5 * time.Second)
			}
			return anna.Table().Turn == 1
		})
		h.Sound()
	})
}
