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
// and who rolls off.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, Game{}, "testdata/*.txt", gametest.Facts{
		"totals": func(m games.Match) string {
			s := sheetOf(m)
			return strings.Trim(fmt.Sprint(s.totals[:s.seats]), "[]")
		},
		"round": func(m games.Match) string { return strconv.Itoa(sheetOf(m).round) },
		"roll-off": func(m games.Match) string {
			if sheetOf(m).rollOff == 0 {
				return "none"
			}
			return gametest.SeatNames(sheetOf(m).playing.list(), "none")
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
