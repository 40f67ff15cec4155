package wuerfelpoker_test

import (
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/wuerfelpoker"
)

// TestTranscripts plays the rules as they are told in testdata/rules, and beside the facts of all games states what
// the head of the board says.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, wuerfelpoker.New(), "testdata/rules/*.txt", gametest.Facts{
		"says": func(m games.Match) string {
			v := m.View()
			lines := slices.DeleteFunc([]games.Line{v.Won}, func(l games.Line) bool { return l.Key == "" })
			return said(append(lines, v.Head...)...)
		},
	})
}
