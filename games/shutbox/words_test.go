package shutbox

import (
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

// TestEverySentenceIsSaid adds boards of Canoga that hardly come by chance: with more sets than there are buttons, and
// after two rounds that were worth the same.
func TestEverySentenceIsSaid(t *testing.T) {
	crowded := duel{rules: duelRules(t, "tiles=12"), sheet: newSheet(2), Nth: 2, Faces: []int{6, 6}, Choose: true}
	crowded.Open[0] = crowded.rules.tiles
	rare := gametest.Rare{Boards: []games.Match{crowded}}
	for _, ties := range []string{"share", rollOff} {
		d := duel{rules: duelRules(t, "match=rounds:2 ties="+ties), sheet: newSheet(2)}
		for seat := range games.Seat(2) {
			d.played("covered", seat, d.rules.tiles, true, 7)
		}
		rare.Boards = append(rare.Boards, d)
	}
	_, pool := Game{}.Figures(gametest.RulesOf("match=rounds:9"), map[string]string{"goal": "pool", "players": "2"})
	rare.Refusals = []error{pool}
	rare.Rules = []string{
		"tiles=0", "first-throw=2 tiles=4-9", "score=digits tiles=24", "match=until:99999999", "tiles=13-13",
		"variant=canoga score=count", "tiles=7-7", "match=rounds:2 ties=roll-off",
		"match=knockout:20 ties=roll-off", "match=until:9 shut=wins tiles=1-2",
		"tiles=2 first-throw=2 seven=ends-round", "dice=4d6 tiles=6", "tiles=1 score=count",
		"tiles=1-2 ties=roll-off shut=pays-double", "tiles=1 match=until:1",
		"tiles=1 match=knockout:1 one-die=high-shut-forced", "tiles=3 match=knockout:4 seven=ends-turn",
		"match=rounds:2 seven=ends-round", "ties=roll-off seven=ends-round", "match=rounds:2 first-throw=2",
		"variant=canoga match=rounds:2", "variant=canoga match=until:20",
		"variant=canoga match=rounds:2 ties=roll-off", "variant=lucky-seven match=rounds:2",
		"variant=lucky-seven match=until:20", "variant=lucky-seven match=rounds:3 ties=roll-off",
		"variant=lucky-seven match=knockout:20 ties=roll-off", "match=rounds:2 close=one-tile",
		"match=rounds:2 close=sum-or-difference", "tiles=12 score=digits ties=roll-off match=rounds:9",
	}
	gametest.Said(t, Game{}, rare)
}

func duelRules(t *testing.T, given string) *rules {
	out, err := Game{}.Check(gametest.RulesOf("variant=canoga " + given))
	if err != nil {
		t.Fatal(err)
	}
	return read(out)
}

// The dice on the buttons of a duel are those of the other variants: two for two dice.
func TestCanogaThrowsByTheButtonsOfOtherVariants(t *testing.T) {
	low, _ := parseSet("3+2")
	d := duel{rules: duelRules(t, "one-die=high-shut"), sheet: newSheet(2), Open: [2]tiles{low, low}, Nth: 3}
	row := d.View().Buttons[0]
	if len(row) != 2 || row[0].Label.Key != "shutbox.button.dice-2" || row[1].Label.Key != "shutbox.button.dice-1" {
		t.Errorf("the buttons are %v", row)
	}
}
