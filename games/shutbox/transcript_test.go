package shutbox

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

// TestTranscripts plays the rules as they are told in testdata. Beside the facts
// of all games they state what is written down by seat, the number of the round,
// who rolls off, what the board shows, and what its head says without those who are out.
func TestTranscripts(t *testing.T) {
	without := gametest.Facts{}
	for said, out := range map[string][]games.Seat{"": nil, " without A": {0}, " without B": {1},
		" without A B": {0, 1}} {
		without["says"+said] = func(m games.Match) string { return saidWithout(m, out) }
	}
	gametest.Transcripts(t, Game{}, "testdata/*.txt", without, gametest.Facts{
		"shows": func(m games.Match) string { return picture(m.View()) },
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

// sheetOf returns the sheet that every kind of match keeps.
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

// picture returns what a view says and shows: who has won, its lines, its rows with their owners, open
// tiles and dice, and the dice of the mover.
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
		parts = append(parts, text+lying(row.Dice))
	}
	if len(v.Dice) > 0 {
		parts = append(parts, strings.TrimSpace(lying(v.Dice)))
	}
	return strings.Join(parts, " / ")
}

func lying(all []games.Die) (text string) {
	for _, d := range all {
		text += fmt.Sprintf(" [%d]", d.Face)
	}
	return text
}

// saidWithout returns what the head of a view says, without seats that are out.
func saidWithout(m games.Match, out []games.Seat) string {
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
