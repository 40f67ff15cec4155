package coin

import (
	"os"
	"strings"
	"testing"

	"knobel/games/gametest"
)

func TestTranscripts(t *testing.T) { gametest.Transcripts(t, Game{}, "testdata/*.txt") }

func TestPromises(t *testing.T) { gametest.Run(t, Game{}) }

// TestGuideShowsThisGame checks that the example in CONTRIBUTING.md equals the code in coin.go.
func TestGuideShowsThisGame(t *testing.T) {
	guide, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("coin.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(guide), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("CONTRIBUTING.md shows no Go code")
	}
	for _, block := range blocks {
		shown, _, closed := strings.Cut(block, "```")
		if !closed {
			t.Fatal("CONTRIBUTING.md has an open block of code")
		}
		if !strings.Contains(string(code), shown) {
			t.Errorf("CONTRIBUTING.md shows code that is not in coin.go:\n%s", shown)
		}
	}
}
