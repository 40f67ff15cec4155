package table_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

// A game of several rounds in which whatever can be is taken back is recorded,
// verified and settled as if nothing had been; its end stands.
func TestUndoneChoicesStandInNoRecord(t *testing.T) {
	for _, rules := range []string{"match=rounds:2 shut=pays-double ties=roll-off tiles=4", "canoga"} {
		h := bare.New(t, shutbox.Game{})
		people := []*bare.Person{h.Person("Anna"), h.Person("Ben")}
		people[0].Writes("/shutbox 10 " + rules)
		people[1].Presses("Sit down")
		people[0].Presses("▶ Start")
		undone, moves := 0, 0
		for ; people[0].Table().State == store.Playing; moves++ {
			h.PressOn(people, 1)
			if moves%3 != 1 {
				continue
			}
			for _, p := range people {
				if r := p.Sends(fmt.Sprintf("1:1:%d:!undo", p.Table().Turn)); !r.Refused {
					undone++
				}
			}
		}
		for _, p := range people {
			bare.Refused(t, p.Sends(fmt.Sprintf("1:1:%d:!undo", p.Table().Turn)),
				"This game is over. ↻ Rematch plays the next.")
		}
		if stored := len(h.Moves(1)); undone == 0 || len(h.RecordOf(1).Moves)+2*undone != stored {
			t.Errorf("%s: %d choices taken back, %d moves stored", rules, undone, stored)
		}
		h.Sound()
		h.Export(review.Wanted{})
	}
}
