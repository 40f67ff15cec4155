package shutbox_test

import (
	"os"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/shutbox"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestShutTheBoxKeepsItsPromises(t *testing.T) {
	gametest.Run(t, shutbox.Game{})
}

func TestPerfectPlayAgreesWithItself(t *testing.T) {
	for _, c := range []struct {
		rules games.Rules
		seats int
	}{
		{nil, 1}, {nil, 2}, {nil, 4},
		{games.Rules{"shut": "scores-zero"}, 3},
		{games.Rules{"shut": "pays-double", "close": "sum-or-difference"}, 3},
		{games.Rules{"close": "sum-or-tile", "one-die": "sum-six", "ties": "roll-off"}, 2},
		{games.Rules{"close": "two-tiles", "one-die": "high-shut-forced", "score": "count"}, 3},
		{games.Rules{"close": "one-tile", "one-die": "never", "score": "digits"}, 2},
		{games.Rules{"seven": "ends-turn", "first-throw": "2", "one-die": "last-one"}, 3},
		{games.Rules{"seven": "ends-round", "first-throw": "3"}, 3},
		{games.Rules{"tiles": "6", "dice": "1d6"}, 4},
		{games.Rules{"tiles": "10", "dice": "1d20"}, 2},
		{games.Rules{"tiles": "4-9", "dice": "4d6"}, 2},
		{games.Rules{"tiles": "1,3,5,7,9", "match": "rounds:3"}, 2},
		{games.Rules{"match": "rounds:2", "shut": "wins"}, 2},
		{games.Rules{"match": "rounds:2", "ties": "roll-off", "tiles": "4"}, 3},
		{games.Rules{"match": "knockout:45"}, 3},
		{games.Rules{"match": "until:60", "seven": "ends-round"}, 2},
		{games.Rules{"variant": "lucky-seven"}, 3},
	} {
		gametest.Perfect(t, shutbox.Game{}, c.rules, c.seats)
	}
}
