package table_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// A choice belongs to whoever has made it: neither who takes the seat over nor
// who gets it back takes back what was written there before.
func TestNobodyTakesBackWhatAnotherHasWritten(t *testing.T) {
	for game, choose := range map[string]func(*bare.Person){
		"/wuerfelpoker": func(p *bare.Person) {
			p.Presses("Throw")
			p.Presses("Write…")
			p.Sends(p.Board().Buttons[0][0].Press)
		},
		"/shutbox": func(p *bare.Person) { p.Presses("🎲 Throw"); p.Sends(p.Board().Buttons[0][0].Press) },
	} {
		h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
		h.Regulars("Anna", "Dora")
		people := h.Gather(game, "Anna", "Ben")
		anna, dora := people[0], h.Person("Dora")
		anna.Presses("▶ Start")
		choose(anna)
		undo := anna.Button("↶ Undo").Press
		hands := func(from, to *bare.Person, name string) {
			t.Helper()
			from.Writes("/handover")
			to.Presses("Take " + name + "’s seat")
			if game == "/shutbox" { // which is for a stake
				people[1].Presses(to.Name + " may sit there")
			}
			h.Restart()
			if text := bare.Show(to.Board()); strings.Contains(text, "Undo") {
				t.Errorf("%s: what another has chosen can be taken back:\n%s", game, text)
			}
			bare.Refused(t, to.Sends(undo), "Only who has made a choice can take it back. Play on.")
		}
		hands(anna, dora, "Anna")
		bare.Refused(t, anna.Sends(undo), "You are watching this game. Join the next one.")
		hands(dora, anna, "Dora")

		// What the new owner chooses is theirs.
		hands(anna, dora, "Anna")
		for dora.Board().Accent != 0 {
			people[1].Sends(bare.Onward(people[1].Board()).Press)
		}
		choose(dora)
		bare.Told(t, dora.Sends(fmt.Sprintf("1:1:%d:!undo", dora.Table().Turn)), "Taken back.")
		h.Sound()
	}
}

// Where somebody was forgotten nobody is left who could press.
func TestNobodyIsOfferedWhatOnlyTheForgottenCouldTakeBack(t *testing.T) {
	anna, ben := bare.Written(t)
	anna.Forgets()
	if text := bare.Show(ben.Board()); strings.Contains(text, "Undo") {
		t.Errorf("a button for nobody:\n%s", text)
	}
	anna.Sound()
}

// Taking back gives no time: a turn has what it would have had, and a minute at
// the least from the first time that something of it is taken back.
func TestTakingBackGivesNoTime(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	people := h.Gather("/wuerfelpoker turn=10m", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.Presses("▶ Start")
	writes := func(p *bare.Person) { p.Presses("Write…"); p.Sends(p.Board().Buttons[0][0].Press) }
	undoes := func(p *bare.Person, due time.Time) {
		t.Helper()
		bare.Told(t, p.Presses("↶ Undo"), "Taken back.")
		if got := time.UnixMilli(p.Table().Due).UTC(); !got.Equal(due) {
			t.Errorf("%s has until %v, not until %v", p.Name, got, due)
		}
	}
	h.Wait(2 * time.Minute)
	anna.Presses("Throw")
	first := h.Time() // nothing is known of before
	h.Wait(3 * time.Minute)
	writes(anna)
	h.Wait(time.Minute)
	undoes(anna, first.Add(10*time.Minute))
	writes(anna)
	began := h.Time()
	h.Wait(3 * time.Minute)
	ben.Presses("Throw")
	h.Wait(5 * time.Minute)
	writes(ben)
	undoes(ben, began.Add(10*time.Minute))
	h.Wait(90 * time.Second)
	writes(ben)
	undoes(ben, began.Add(10*time.Minute))
	writes(ben)
	h.Wait(time.Minute)
	anna.Presses("Throw")
	h.Wait(8*time.Minute + 50*time.Second)
	writes(anna)
	late := h.Time()
	undoes(anna, late.Add(time.Minute))
	h.Wait(30 * time.Second)
	writes(anna)
	undoes(anna, late.Add(time.Minute))
	h.Sound()
}
