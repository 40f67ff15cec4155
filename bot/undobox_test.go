package bot_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestUndoAtTheBox(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	anna.presses("🎲 Throw")
	thrown := anna.table()
	before := anna.board()
	anna.sends(before.Buttons[0][0].Press)
	after := anna.board()
	if b := anna.button("↶ Undo"); b.For != "test:Anna" {
		t.Errorf("to undo is for %q", b.For)
	}
	undo, throw := anna.button("↶ Undo").Press, after.Buttons[0][0].Press
	refused(t, ben.sends(undo), "Only Anna can take that back. Just ask.")
	refused(t, h.person("Clara").sends(undo), "You are watching this game. Join the next one.")
	h.restart()
	told(t, anna.sends(undo), "Taken back.")
	now := anna.table()
	if !bytes.Equal(now.Match, thrown.Match) || now.Thrown != thrown.Thrown || now.Turn != thrown.Turn+2 {
		t.Errorf("taken back, it is %s after %d dice", now.Match, now.Thrown)
	}
	if got, want := show(anna.board()), show(before); got != want {
		t.Errorf("taken back:\n%s\nbefore:\n%s", got, want)
	}
	for _, stale := range []string{undo, throw, before.Buttons[0][0].Press} {
		refused(t, anna.sends(stale), "The table has moved on. Look at the newest board.")
	}
	h.balance("pool:1", 20)

	// Another choice, and then dice: nothing can be taken back any more.
	sets := anna.board().Buttons[0]
	anna.sends(sets[len(sets)-1].Press)
	undo = anna.button("↶ Undo").Press
	anna.presses("🎲 Throw")
	refused(t, anna.sends(undo), "Dice have been thrown since: it stands. Play on.")
	if m := anna.board(); strings.Contains(show(m), "Undo") {
		t.Errorf("dice have been thrown since\n%s", show(m))
	}
	h.sound()
}

// A game of several rounds in which whatever can be is taken back is recorded,
// verified and settled as if nothing had been; its end stands.
func TestUndoneChoicesStandInNoRecord(t *testing.T) {
	for _, rules := range []string{"match=rounds:2 shut=pays-double ties=roll-off tiles=4", "canoga"} {
		h := newHouse(t, shutbox.Game{})
		people := []*person{h.person("Anna"), h.person("Ben")}
		people[0].writes("/shutbox 10 " + rules)
		people[1].presses("Sit down")
		people[0].presses("▶ Start")
		undone, moves := 0, 0
		for ; people[0].table().State == store.Playing; moves++ {
			h.pressOn(people, 1)
			if moves%3 != 1 {
				continue
			}
			for _, p := range people {
				if r := p.sends(fmt.Sprintf("1:1:%d:!undo", p.table().Turn)); !r.Refused {
					undone++
				}
			}
		}
		for _, p := range people {
			refused(t, p.sends(fmt.Sprintf("1:1:%d:!undo", p.table().Turn)),
				"This game is over. ↻ Rematch plays the next.")
		}
		if stored := len(h.moves(1)); undone == 0 || len(h.recordOf(1).Moves)+2*undone != stored {
			t.Errorf("%s: %d choices taken back, %d moves stored", rules, undone, stored)
		}
		h.sound()
		h.export(review.Wanted{})
	}
}

// The house follows at once and throws: then nothing can be taken back.
func TestNoUndoAtTheBoxOnceTheHouseHasThrown(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox 10 tiles=4 match=rounds:3")
	anna.sends("1:1:0:!house fewest")
	anna.presses("▶ Start")
	for range 60 { // until Anna's turn has ended
		m := anna.board()
		anna.sends(onward(m).Press)
		if moves := h.moves(1); moves[len(moves)-1].Seat == 1 || anna.table().State == store.Over {
			break
		}
	}
	if r := anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)); !r.Refused {
		t.Errorf("taken back after the house has played: %s", r.Toast)
	}
	h.sound()
}
