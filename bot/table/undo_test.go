package table_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// A game in which whatever can be is taken back is recorded, verified and settled as if nothing had been; its end
// stands.
func TestUndoneMovesStandInNoRecord(t *testing.T) {
	for _, line := range []string{"/wuerfelpoker point=1",
		"/shutbox 10 match=rounds:2 shut=pays-double ties=roll-off tiles=4", "/shutbox 10 canoga"} {
		h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
		people := h.Gather(line, "Anna", "Ben")
		people[0].Presses("▶ Start")
		undone := 0
		undo := func(p *bare.Person) chat.Reply { return p.Sends(fmt.Sprintf("1:1:%d:!undo", p.Table().Turn)) }
		for moves := 0; people[0].Table().State == store.Playing; moves++ {
			h.PressOn(people, 1)
			for _, p := range people {
				if moves%3 == 1 && !undo(p).Refused {
					undone++
				}
			}
		}
		for _, p := range people {
			bare.Refused(t, undo(p), "This game is over. ↻ Rematch plays the next.")
		}
		if stored := len(h.Moves(1)); undone == 0 || len(h.RecordOf(1).Moves)+2*undone != stored {
			t.Errorf("%s: %d moves taken back, %d moves stored", line, undone, stored)
		}
		h.Sound()
		h.Export(review.Wanted{})
	}
}
