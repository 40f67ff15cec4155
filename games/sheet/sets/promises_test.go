package sets_test

import (
	"os"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/sheet/sheettest"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestPromises(t *testing.T) {
	for _, g := range sets.All() {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			gametest.Run(t, g)
		})
	}
}

func TestSetsMakeSense(t *testing.T) {
	for _, g := range sets.All() {
		sheettest.Sound(t, g)
	}
}

// TestPerfectPlayAgreesWithItself plays every set that is solved, with what positions know beside the rows filled: the
// sum that a bonus hangs on, whether a row holds points, several places of a row.
func TestPerfectPlayAgreesWithItself(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
		seats int
	}{
		{sets.Kniffel(), nil, 2},
		{sets.Kniffel(), games.Rules{"further": "100", "joker": "forced"}, 2},
		{sets.Kniffel(), games.Rules{"further": "50", "joker": "free", "settle": "pool"}, 2},
		{sets.Yatzy(), nil, 1},
		{sets.Yatzy(), games.Rules{"order": "forced", "bonus": "42"}, 2},
		{sets.Generala(), games.Rules{"double": "yes", "wrap": "yes"}, 2},
		{sets.Generala(), games.Rules{"first": "10"}, 2},
		{sets.Escalero(), nil, 2},
		{sets.Kismet(), nil, 2},
		{sets.Kismet(), games.Rules{"strict": "no"}, 1},
		{sets.Crag(), nil, 3},
		{sets.Balut(), games.Rules{"point": "1"}, 1},
	} {
		t.Run(c.game.Name(), func(t *testing.T) {
			t.Parallel()
			gametest.Perfect(t, c.game, c.rules, c.seats)
		})
	}
}
