package wuerfelpoker_test

import (
	"os"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/sheet/sheettest"
	"knobel/games/wuerfelpoker"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestPromises(t *testing.T) { gametest.Run(t, wuerfelpoker.New()) }

func TestTheSheetMakesSense(t *testing.T) { sheettest.Sound(t, wuerfelpoker.New()) }

func TestPerfectPlayAgreesWithItself(t *testing.T) {
	for _, c := range []struct {
		rules games.Rules
		seats int
	}{
		{nil, 1},
		{games.Rules{"miss": "deferred", "poker": "doubled", "chance": "double"}, 2},
		{games.Rules{"bonus": "both", "first-throw": "plain", "four-as-two-pairs": "yes", "five-as-full-house": "yes",
			"point": "5"}, 3},
	} {
		gametest.Perfect(t, wuerfelpoker.New(), c.rules, c.seats)
	}
}
