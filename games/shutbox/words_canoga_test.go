package shutbox

import (
	"testing"

	"knobel/games"
)

// hearRareDuels hears boards of Canoga that hardly come by chance: with more sets than there are
// buttons, and after two rounds that were worth the same.
func (l *listener) hearRareDuels() {
	r := l.duelRules("tiles=12")
	crowded := duel{rules: r, sheet: newSheet(2), open: [2]tiles{r.tiles, 0}, turn: 2, faces: []int{6, 6}, choose: true}
	v := crowded.View()
	if v.Pick == nil {
		l.t.Fatal("every set has a button")
	}
	l.see(v)
	for _, ties := range []string{"share", rollOff} {
		d := duel{rules: l.duelRules("match=rounds:2 ties=" + ties), sheet: newSheet(2)}
		for seat := range games.Seat(2) {
			events := d.played("covered", seat, d.rules.tiles, true, 7)
			if you := events[0].You(); you.Key != "shutbox.you.canoga.covered-all" {
				l.t.Errorf("who has won a round is told %s", you.Key)
			}
		}
		if d.sheet.over == (ties == rollOff) {
			l.t.Errorf("with ties=%s the sheet is %+v", ties, d.sheet)
		}
		l.see(d.View())
	}
}

func (l *listener) duelRules(given string) *rules {
	out, err := Game{}.Check(rulesOf("variant=canoga " + given))
	if err != nil {
		l.t.Fatal(err)
	}
	return read(out)
}

// The dice on the buttons of a duel are those of the other variants: two for two dice.
func TestCanogaThrowsByTheButtonsOfOtherVariants(t *testing.T) {
	r, err := Game{}.Check(rulesOf("variant=canoga one-die=high-shut"))
	if err != nil {
		t.Fatal(err)
	}
	low, _ := parseSet("3+2")
	d := duel{rules: read(r), sheet: newSheet(2), open: [2]tiles{low, low}, turn: 3}
	row := d.View().Buttons[0]
	if len(row) != 2 || row[0].Label.Key != "shutbox.button.dice-2" || row[1].Label.Key != "shutbox.button.dice-1" {
		t.Errorf("the buttons are %v", row)
	}
}
