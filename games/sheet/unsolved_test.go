package sheet_test

import (
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
)

// TestWhatIsTooLargeIsNotSolved compares what comes with the refusal with nil, as callers do.
func TestWhatIsTooLargeIsNotSolved(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
	}{
		{sets.MaxiYatzy(), nil},
		{sets.MaxiYatzy(), games.Rules{"saved": "yes"}},
		{sets.Yamb(), nil},
		{sets.Escalero(), games.Rules{"columns": "3"}},
	} {
		_, _, err := c.game.Alike(c.rules, 1)
		if _, refused := games.Refused(err); !refused {
			t.Errorf("%s %v is solved: %v", c.game.Name(), c.rules, err)
		}
		if solved, err := c.game.Solve(c.rules, 1); err == nil || solved != nil {
			t.Errorf("%s %v: %T is the perfect play of what is not solved: %v", c.game.Name(), c.rules, solved, err)
		}
	}
}
