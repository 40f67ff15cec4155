package sets

import (
	"math"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// TestPublishedFigures compares perfect play with what others have computed; all of it with KNOBEL_TEST_LONG=1.
func TestPublishedFigures(t *testing.T) {
	for i, c := range []struct {
		game  sheet.Game
		rules games.Rules
		want  float64
	}{
		{Yatzy(), nil, 248.4399893779},
		{Kniffel(), kniffelRules(100, "forced"), 254.5877287345},
		{Kniffel(), nil, 245.8707745141},
		{Kniffel(), kniffelRules(100, "free"), 254.5896094820},
	} {
		if i > 1 && !long() {
			break
		}
		if got := sheettest.Total(t, c.game, c.rules); !(math.Abs(got-c.want) < 1e-9) {
			t.Errorf("%s %v: %.12f, not %.10f", c.game.Name(), c.rules, got, c.want)
		}
	}
}
