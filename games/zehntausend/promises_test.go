package zehntausend

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestPromises(t *testing.T) { gametest.Run(t, Game{}) }

// TestTranscripts plays the rules as they are told in testdata. Beside the facts of
// all games they state the totals, the points of the turn, and who rolls off.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, Game{}, "testdata/*.txt", gametest.Facts{
		"totals": func(m games.Match) string {
			var totals []string
			for _, total := range m.(match).Totals {
				totals = append(totals, strconv.Itoa(total))
			}
			return strings.Join(totals, " ")
		},
		"points": func(m games.Match) string { return strconv.Itoa(m.(match).Points) },
		"roll-off": func(m games.Match) string {
			if !m.(match).rolling() {
				return "none"
			}
			var seats []games.Seat
			playing, _ := m.(match).rollingOff()
			for _, seat := range playing {
				seats = append(seats, games.Seat(seat))
			}
			return gametest.SeatNames(seats, "none")
		},
	})
}
