package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// A choice belongs to whoever has made it: neither who takes the seat over nor
// who gets it back takes back what was written there before.
func TestNobodyTakesBackWhatAnotherHasWritten(t *testing.T) {
	for game, choose := range map[string]func(*person){
		"/wuerfelpoker": func(p *person) {
			p.presses("Throw")
			p.presses("Write…")
			p.sends(p.board().Buttons[0][0].Press)
		},
		"/shutbox": func(p *person) { p.presses("🎲 Throw"); p.sends(p.board().Buttons[0][0].Press) },
	} {
		h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
		h.regulars("Anna", "Dora")
		people := h.gather(game, "Anna", "Ben")
		anna, dora := people[0], h.person("Dora")
		anna.presses("▶ Start")
		choose(anna)
		undo := anna.button("↶ Undo").Press
		hands := func(from, to *person, name string) {
			t.Helper()
			from.writes("/handover")
			to.presses("Take " + name + "’s seat")
			if game == "/shutbox" { // which is for a stake
				people[1].presses(to.name + " may sit there")
			}
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

// Taking back gives no time: a turn has what it would have had, and a minute at
// the least from the first time that something of it is taken back.
func TestTakingBackGivesNoTime(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	people := h.gather("/wuerfelpoker turn=10m", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.presses("▶ Start")
	writes := func(p *person) { p.presses("Write…"); p.sends(p.board().Buttons[0][0].Press) }
	undoes := func(p *person, due time.Time) {
		t.Helper()
		told(t, p.presses("↶ Undo"), "Taken back.")
		if got := time.UnixMilli(p.table().Due).UTC(); !got.Equal(due) {
			t.Errorf("%s has until %v, not until %v", p.name, got, due)
		}
	}
	h.wait(2 * time.Minute)
	anna.presses("Throw")
	first := h.time() // nothing is known of before
	h.wait(3 * time.Minute)
	writes(anna)
	h.wait(time.Minute)
	undoes(anna, first.Add(10*time.Minute))
	writes(anna)
	began := h.time()
	h.wait(3 * time.Minute)
	ben.presses("Throw")
	h.wait(5 * time.Minute)
	writes(ben)
	undoes(ben, began.Add(10*time.Minute))
	h.wait(90 * time.Second)
	writes(ben)
	undoes(ben, began.Add(10*time.Minute))
	writes(ben)
	h.wait(time.Minute)
	anna.presses("Throw")
	h.wait(8*time.Minute + 50*time.Second)
	writes(anna)
	late := h.time()
	undoes(anna, late.Add(time.Minute))
	h.wait(30 * time.Second)
	writes(anna)
	undoes(anna, late.Add(time.Minute))
	h.sound()
}
