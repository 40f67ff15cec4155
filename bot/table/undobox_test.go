package table_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestUndoAtTheBox(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	anna.Presses("🎲 Throw")
	thrown := anna.Table()
	before := anna.Board()
	anna.Sends(before.Buttons[0][0].Press)
	after := anna.Board()
	if b := anna.Button("↶ Undo"); b.For != "test:Anna" {
		t.Errorf("to undo is for %q", b.For)
	}
	undo, throw := anna.Button("↶ Undo").Press, after.Buttons[0][0].Press
	bare.Refused(t, ben.Sends(undo), "Only Anna can take that back. Just ask.")
	bare.Refused(t, h.Person("Clara").Sends(undo), "You are watching this game. Join the next one.")
	h.Restart()
	bare.Told(t, anna.Sends(undo), "Taken back.")
	now := anna.Table()
	if !bytes.Equal(now.Match, thrown.Match) || now.Thrown != thrown.Thrown || now.Turn != thrown.Turn+2 {
		t.Errorf("taken back, it is %s after %d dice", now.Match, now.Thrown)
	}
	if got, want := bare.Show(anna.Board()), bare.Show(before); got != want {
		t.Errorf("taken back:\n%s\nbefore:\n%s", got, want)
	}
	for _, stale := range []string{undo, throw, before.Buttons[0][0].Press} {
		bare.Refused(t, anna.Sends(stale), "The table has moved on. Look at the newest board.")
	}
	h.Balance("pool:1", 20)

	// Another choice, and then dice: nothing can be taken back any more.
	sets := anna.Board().Buttons[0]
	anna.Sends(sets[len(sets)-1].Press)
	undo = anna.Button("↶ Undo").Press
	anna.Presses("🎲 Throw")
	bare.Refused(t, anna.Sends(undo), "Dice have been thrown since: it stands. Play on.")
	if m := anna.Board(); strings.Contains(bare.Show(m), "Undo") {
		t.Errorf("dice have been thrown since\n%s", bare.Show(m))
	}
	h.Sound()
}

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

// The house follows at once and throws: then nothing can be taken back.
func TestNoUndoAtTheBoxOnceTheHouseHasThrown(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 10 tiles=4 match=rounds:3")
	anna.Sends("1:1:0:!house fewest")
	anna.Presses("▶ Start")
	for range 60 { // until Anna's turn has ended
		m := anna.Board()
		anna.Sends(bare.Onward(m).Press)
		if moves := h.Moves(1); moves[len(moves)-1].Seat == 1 || anna.Table().State == store.Over {
			break
		}
	}
	if r := anna.Sends(fmt.Sprintf("1:1:%d:!undo", anna.Table().Turn)); !r.Refused {
		t.Errorf("taken back after the house has played: %s", r.Toast)
	}
	h.Sound()
}
