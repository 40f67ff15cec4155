package wuerfelpoker_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/sheet/sheettest"
	"knobel/games/wuerfelpoker"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestPromises(t *testing.T) { gametest.Run(t, wuerfelpoker.New()) }

func TestTheSheetMakesSense(t *testing.T) { sheettest.Sound(t, wuerfelpoker.New()) }

func TestPerfectPlayAgreesWithItself(t *testing.T) {
	for _, c := range []struct {
		rules games.Rules
		seats int
	}{
		{nil, 1},
		{games.Rules{"miss": "deferred", "poker": "doubled", "chance": "double"}, 2},
		{games.Rules{"bonus": "both", "first-throw": "plain", "four-as-two-pairs": "yes", "five-as-full-house": "yes",
			"point": "5"}, 3},
	} {
		gametest.Perfect(t, wuerfelpoker.New(), c.rules, c.seats)
	}
}

// TestTranscripts plays the transcripts of the rules in testdata/rules. In addition to the facts of all games they
// state the head of the board and its notes, the moves of the buttons, row by row, and the label of a separate page.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, wuerfelpoker.New(), "testdata/rules/*.txt", gametest.Facts{
		"says": func(m games.Match) string {
			v := m.View()
			lines := slices.DeleteFunc([]games.Line{v.Won}, func(l games.Line) bool { return l.Key == "" })
			return spellLines(append(lines, v.Head...)...)
		},
		"notes": func(m games.Match) string { return spellLines(m.View().Notes...) },
		"buttons": func(m games.Match) string {
			var rows []string
			for _, row := range m.View().Buttons {
				var moves []string
				for _, b := range row {
					moves = append(moves, strings.TrimSpace(string(b.Move)+" "+string(b.Style)))
				}
				rows = append(rows, strings.Join(moves, ", "))
			}
			return strings.Join(rows, " / ")
		},
		"apart": func(m games.Match) string { return spellLines(m.View().Apart) },
	})
}

// spellLines returns lines as keys and arguments, without the game's name.
func spellLines(lines ...games.Line) string {
	var out []string
	for _, line := range lines {
		r := games.Refusal{Line: line}
		out = append(out, strings.ReplaceAll(r.Error(), "wuerfelpoker.", ""))
	}
	return strings.Join(out, " / ")
}

// TestDiceArePickedAsTheyLie checks that each choice in the menu of dice selects exactly the dice that its move keeps.
func TestDiceArePickedAsTheyLie(t *testing.T) {
	m, err := wuerfelpoker.New().New(nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if m, _, err = games.Play(m, 0, "throw", dice.NewFallen([]int{4, 4, 4, 1, 6})); err != nil {
		t.Fatal(err)
	}
	choices := m.View().Pick.Choices
	for _, c := range choices {
		set := []byte("00000")
		for _, i := range c.Items {
			set[i] = '1'
		}
		if c.Move != games.Move("keep "+string(set)) {
			t.Errorf("the choice %v makes the move %q", c.Items, c.Move)
		}
	}
	if len(choices) != 31 {
		t.Errorf("there are %d choices", len(choices))
	}
}
