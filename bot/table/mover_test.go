package table_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestAToastSaysWhatHappenedToYou, in your language and never in the board's words.
func TestAToastSaysWhatHappenedToYou(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	anna.Writes("/shutbox 10")
	ben.Presses("Sit down")
	anna.Presses("▶ Start")
	for anna.Table().State == store.Playing {
		mover, begins := anna, []string{"You threw ", "You closed ", " does not fit: you stop at ",
			"You win and take 20 chips.", "You shut the box!"}
		m := anna.Board()
		if m.People[1].State == games.ToMove {
			mover, begins = ben, []string{
				"Du hast ", " geht nicht auf: Du hörst mit ", "Du gewinnst und bekommst 20 Chips.",
			}
		}
		r := mover.Sends(m.Buttons[0][0].Press)
		fits := false
		for _, part := range begins {
			fits = fits || strings.Contains(r.Toast, part)
		}
		if r.Refused || !fits || strings.Contains(r.Toast, mover.Name) {
			t.Errorf("%s is told %q by %s", mover.Name, r.Toast, m.Buttons[0][0].Label)
		}
	}
	h.Sound()
}

// TestWhoWinsIsTold, and for how much; whoever does not hears what their move did.
func TestWhoWinsIsTold(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	heard := map[string]bool{}
	for range 40 {
		anna.Writes("/coin 10")
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
		first, _ := h.ToMove([]*bare.Person{anna, ben})
		if r := first.Presses("Throw"); r.Toast != "You threw 1." && r.Toast != "You threw 2." {
			t.Errorf("%s is told %q", first.Name, r.Toast)
		}
		last, _ := h.ToMove([]*bare.Person{anna, ben})
		r := last.Presses("Throw")
		heard[r.Toast] = true
	}
	for _, toast := range []string{"You win and take 20 chips.", "You share the first place.", "You threw 1."} {
		if !heard[toast] {
			t.Errorf("nobody was told %q, but %v", toast, heard)
		}
	}
	// alone nobody is beaten
	anna.Writes("/coin 10")
	anna.Presses("▶ Start")
	if r := anna.Presses("Throw"); !strings.HasPrefix(r.Toast, "You threw ") {
		t.Errorf("alone Anna is told %q", r.Toast)
	}
}
