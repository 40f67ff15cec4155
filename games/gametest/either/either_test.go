package either_test

import (
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/gametest/either"
)

func TestPromises(t *testing.T) { gametest.Run(t, either.Game{}) }

func TestTranscripts(t *testing.T) { gametest.Transcripts(t, either.Game{}, "testdata/*.txt") }

// TestTheVariantIsTheSameHoweverItIsSettled: what a point is worth is a rule of its own.
func TestTheVariantIsTheSameHoweverItIsSettled(t *testing.T) {
	for want, rules := range map[string][]games.Rules{
		"classic": {nil, {"settle": "pool"}, {"settle": "pool", "hints": "yes"}},
		"double":  {{"dice": "2"}, {"dice": "2", "settle": "pool"}},
		"":        {{"point": "5"}, {"dice": "2", "point": "1"}},
	} {
		for _, r := range rules {
			if got := games.VariantOf(either.Game{}, r); got != want {
				t.Errorf("%v are the variant %q, want %q", r, got, want)
			}
		}
	}
}
