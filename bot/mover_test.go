package bot_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestAToastSaysWhatHappenedToYou, in your language and never in the board's words.
func TestAToastSaysWhatHappenedToYou(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	anna.writes("/shutbox 10")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	for anna.table().State == store.Playing {
		mover, begins := anna, []string{"You threw ", "You closed ", " does not fit: you stop at ",
			"You win and take 20 chips.", "You shut the box!"}
		m := anna.board()
		if m.People[1].State == games.ToMove {
			mover, begins = ben, []string{
				"Du hast ", " geht nicht auf: Du hörst mit ", "Du gewinnst und bekommst 20 Chips.",
			}
		}
		r := mover.sends(m.Buttons[0][0].Press)
		fits := false
		for _, part := range begins {
			fits = fits || strings.Contains(r.Toast, part)
		}
		if r.Refused || !fits || strings.Contains(r.Toast, mover.name) {
			t.Errorf("%s is told %q by %s", mover.name, r.Toast, m.Buttons[0][0].Label)
		}
	}
	h.sound()
}

// TestWhoWinsIsTold, and for how much; whoever does not hears what their move did.
func TestWhoWinsIsTold(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	heard := map[string]bool{}
	for range 40 {
		anna.writes("/coin 10")
		ben.presses("Sit down")
		anna.presses("▶ Start")
		first, _ := h.toMove([]*person{anna, ben})
		if r := first.presses("Throw"); r.Toast != "You threw 1." && r.Toast != "You threw 2." {
			t.Errorf("%s is told %q", first.name, r.Toast)
		}
		last, _ := h.toMove([]*person{anna, ben})
		r := last.presses("Throw")
		heard[r.Toast] = true
	}
	for _, toast := range []string{"You win and take 20 chips.", "You share the first place.", "You threw 1."} {
		if !heard[toast] {
			t.Errorf("nobody was told %q, but %v", toast, heard)
		}
	}
	// alone nobody is beaten
	anna.writes("/coin 10")
	anna.presses("▶ Start")
	if r := anna.presses("Throw"); !strings.HasPrefix(r.Toast, "You threw ") {
		t.Errorf("alone Anna is told %q", r.Toast)
	}
}
