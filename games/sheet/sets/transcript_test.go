package sets_test

import (
	"path/filepath"
	"testing"

	"knobel/games/gametest"
	"knobel/games/sheet/sets"
)

// TestTranscripts plays the rules of sets as they are told in testdata, in a folder for each set that has any.
func TestTranscripts(t *testing.T) {
	for _, g := range sets.All() {
		files := filepath.Join("testdata", g.Name(), "*.txt")
		if told, err := filepath.Glob(files); err != nil || len(told) == 0 {
			continue
		}
		t.Run(g.Name(), func(t *testing.T) { gametest.Transcripts(t, g, files) })
	}
}
