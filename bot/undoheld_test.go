package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// A choice belongs to whoever has made it: neither who takes the seat over nor
// who gets it back takes back what was written there before.
func TestNobodyTakesBackWhatAnotherHasWritten(t *testing.T) {
	for game, choose := range map[string]func(*person){
		"/wuerfelpoker": func(p *person) { p.presses("Throw"); p.presses("Write…"); p.sends(p.board().Buttons[0][0].Press) },
		"/shutbox":      func(p *person) { p.presses("🎲 Throw"); p.sends(p.board().Buttons[0][0].Press) },
	} {
		h := newHouse(t, shutbox.Game{}, wuerfelpoker.Game{})
		people := h.gather(game, "Anna", "Ben")
		anna, dora := people[0], h.person("Dora")
		anna.presses("▶ Start")
		choose(anna)
		undo := anna.button("↶ Undo").Press
		hands := func(from, to *person, name string) {
			t.Helper()
			from.writes("/handover")
			to.presses("Take " + name + "’s seat")
			h.restart()
			if text := show(to.board()); strings.Contains(text, "Undo") {
				t.Errorf("%s: what another has chosen can be taken back:\n%s", game, text)
			}
			refused(t, to.sends(undo), "Only who has made a choice can take it back. Play on.")
		}
		hands(anna, dora, "Anna")
		refused(t, anna.sends(undo), "You are watching this game. Join the next one.")
		hands(dora, anna, "Dora")

		// What the new owner chooses is theirs.
		hands(anna, dora, "Anna")
		for dora.board().Accent != 0 {
			people[1].sends(onward(people[1].board()).Press)
		}
		choose(dora)
		told(t, dora.sends(fmt.Sprintf("1:1:%d:!undo", dora.table().Turn)), "Taken back.")
		h.sound()
	}
}

// Where somebody was forgotten nobody is left who could press.
func TestNobodyIsOfferedWhatOnlyTheForgottenCouldTakeBack(t *testing.T) {
	anna, ben := written(t)
	anna.forgets()
	if text := show(ben.board()); strings.Contains(text, "Undo") {
		t.Errorf("a button for nobody:\n%s", text)
	}
	anna.sound()
}
