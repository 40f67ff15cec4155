package board_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Boards of finished games have each seat's place and amount, in the order of places.
func TestPlacesAndAmounts(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	for line, stake := range map[string]string{
		"/shutbox 10": "pool", "/shutbox 0": "", "/wuerfelpoker": "points", "/wuerfelpoker point=2": "units",
	} {
		people := h.Gather(line, "Anna", "Ben", "Clara")
		people[0].Presses("▶ Start")
		if m := people[0].Board(); strings.Contains(fmt.Sprintf("%+v", m.People), "Place:1") {
			t.Errorf("%s: places before the end: %+v", line, m.People)
		}
		h.PressOut(people)
		board := people[0].Board()
		rows := bare.Stored(h, func(tx *store.Tx) ([]store.Result, error) { return tx.Tables.Results(board.Table) })
		for i, p := range board.People {
			row := rows[p.Seat]
			if row.Seat != p.Seat || p.Place != row.Place || p.Place < 1 {
				t.Errorf("%s: line %d is %+v, its result %+v", line, i, p, row)
			}
			if i > 0 && p.Place < board.People[i-1].Place {
				t.Errorf("%s: place %d is below place %d", line, p.Place, board.People[i-1].Place)
			}
			want := ""
			switch stake {
			case "pool", "units":
				want = strings.Replace(fmt.Sprintf("%+d", row.Units()), "-", "−", 1)
			case "points":
				if want = p.Amount; !strings.Contains(p.Text, "("+want+")") || want == "" {
					t.Errorf("%s: %+v", line, p)
				}
			}
			if want == "+0" {
				want = "0"
			}
			if p.Amount != want {
				t.Errorf("%s: the amount is %q, not %q", line, p.Amount, want)
			}
		}
	}
	alone := h.Gather("/shutbox", "Dora")
	alone[0].Presses("▶ Start")
	h.PressOut(alone)
	if p := alone[0].Board().People[0]; p.Place != 0 || p.Amount != "" {
		t.Errorf("in a game of one seat: %+v", p)
	}
}
