package wuerfelpoker_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/wuerfelpoker"
)

// TestTranscripts plays the rules as they are told in testdata/rules.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, wuerfelpoker.New(), "testdata/rules/*.txt")
}
