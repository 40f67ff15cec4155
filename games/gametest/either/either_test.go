package either

import (
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

func TestPromises(t *testing.T) {
	for _, g := range []Game{{}, Loser(), Lids()} {
		t.Run(g.Name(), func(t *testing.T) {
			gametest.Run(t, g)
			gametest.Transcripts(t, g, "testdata/"+g.Name()+".txt")
		})
	}
}

// TestTheVariantIsTheSameHoweverItIsSettled checks that the settlement does not change the variant, but the worth of a
// point does.
func TestTheVariantIsTheSameHoweverItIsSettled(t *testing.T) {
	for want, rules := range map[string][]games.Rules{
		"classic": {nil, {"settle": "pool"}, {"settle": "pool", "hints": "yes"}},
		"double":  {{"dice": "2"}, {"dice": "2", "settle": "pool"}},
		"":        {{"point": "5"}, {"dice": "2", "point": "1"}},
	} {
		for _, r := range rules {
			if got := games.VariantOf(Game{}, r); got != want {
				t.Errorf("%v are the variant %q, want %q", r, got, want)
			}
		}
	}
}
