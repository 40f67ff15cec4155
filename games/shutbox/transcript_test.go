package shutbox

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

// TestTranscripts plays the transcripts of matches in testdata. Besides the facts of all games, they state the
// scores by seat, the number of the round, the seats of a roll-off, the board (see picture), and its head after seats
// have left the game.
func TestTranscripts(t *testing.T) {
	without := gametest.Facts{}
	for said, out := range map[string][]games.Seat{"": nil, " without A": {0}, " without B": {1},
		" without A B": {0, 1}} {
		without["says"+said] = func(m games.Match) string { return headWithout(m, out) }
	}
	gametest.Transcripts(t, Game{}, "testdata/*.txt", without, gametest.Facts{
		"shows": func(m games.Match) string { return picture(m.View()) },
		"stands": func(m games.Match) string {
			var states []string
			for _, stand := range m.View().Stands {
				states = append(states, string(stand.State))
			}
			return strings.Join(states, " ")
		},
		"totals": func(m games.Match) string {
			s := sheetOf(m)
			return strings.Trim(fmt.Sprint(s.Totals), "[]")
		},
		"round": func(m games.Match) string { return strconv.Itoa(sheetOf(m).Round) },
		"roll-off": func(m games.Match) string {
			if sheetOf(m).RollOff == 0 {
				return "none"
			}
			return gametest.SeatNames(sheetOf(m).Playing, "none")
		},
	})
}

// sheetOf returns the sheet that m embeds.
func sheetOf(m games.Match) sheet {
	switch m := m.(type) {
	case *classic:
		return m.sheet
	case duel:
		return m.sheet
	case lucky:
		return m.sheet
	}
	return sheet{}
}

// picture returns the content of a view as text: the keys of its lines, its rows with their owners, open tiles and
// dice, and the dice of the mover.
func picture(v games.View) string {
	var parts []string
	for _, line := range append([]games.Line{v.Won}, v.Head...) {
		if line.Key != "" {
			parts = append(parts, strings.TrimPrefix(line.Key, "shutbox."))
		}
	}
	for _, row := range v.Tiles {
		text := "box"
		if row.Owner != games.Nobody {
			text = string(rune('A' + row.Owner))
		}
		for _, tile := range row.Tiles {
			if tile.Open {
				text += fmt.Sprint(" ", tile.Number)
			}
		}
		parts = append(parts, text+diceText(row.Dice))
	}
	if len(v.Dice) > 0 {
		parts = append(parts, strings.TrimSpace(diceText(v.Dice)))
	}
	return strings.Join(parts, " / ")
}

// diceText returns the faces of dice as text, such as " [3] [5]".
func diceText(dice []games.Die) (text string) {
	for _, d := range dice {
		text += fmt.Sprintf(" [%d]", d.Face)
	}
	return text
}

// headWithout returns the keys of the head of the view of m when the seats in out have left the game.
func headWithout(m games.Match, out []games.Seat) string {
	var said []string
	view := m.(games.Led).ViewWithout(out)
	for _, line := range append([]games.Line{view.Won}, view.Head...) {
		key := strings.TrimPrefix(strings.TrimPrefix(line.Key, "shutbox."), "head.")
		switch key {
		case "":
			continue
		case "closed-beat":
			key = fmt.Sprint(key, " ", line.Args["Best"])
		case "next-beat":
			key = fmt.Sprint(key, " ", line.Args["N"])
		}
		said = append(said, key)
	}
	return strings.Join(said, ", ")
}

// TestEverySentenceIsSaid checks that every sentence of the game occurs. It adds boards of Canoga that random play
// hardly reaches: with more sets than buttons, and with a tie after two rounds.
func TestEverySentenceIsSaid(t *testing.T) {
	crowded := duel{sheet: newSheet(duelRules(t, "tiles=12"), 2), Nth: 2, Faces: []int{6, 6}, Choose: true}
	crowded.Open[0] = crowded.rules.tiles
	rare := gametest.Rare{Boards: []games.Match{crowded}}
	for _, ties := range []string{"share", rollOff} {
		d := duel{sheet: newSheet(duelRules(t, "match=rounds:2 ties="+ties), 2)}
		for seat := range games.Seat(2) {
			d.storeChoice("covered", seat, d.rules.tiles, true, 7)
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

// duelRules returns the rules of Canoga with these options.
func duelRules(t *testing.T, options string) *rules {
	out, err := Game{}.Check(gametest.RulesOf("variant=canoga " + options))
	check(t, err)
	return parseRules(out)
}

// TestCanogaThrowsByTheButtonsOfOtherVariants checks that a duel has the same buttons to throw as other variants: one
// for each number of dice.
func TestCanogaThrowsByTheButtonsOfOtherVariants(t *testing.T) {
	low, _ := parseSet("3+2")
	d := duel{sheet: newSheet(duelRules(t, "one-die=high-shut"), 2), Open: [2]tiles{low, low}, Nth: 3}
	row := d.View().Buttons[0]
	if len(row) != 2 || row[0].Label.Key != "shutbox.button.dice-2" || row[1].Label.Key != "shutbox.button.dice-1" {
		t.Errorf("the buttons are %v", row)
	}
}
