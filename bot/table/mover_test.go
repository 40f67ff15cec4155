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
