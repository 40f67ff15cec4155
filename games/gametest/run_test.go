package gametest_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/gametest/coin"
)

func TestTheSmallestGameKeepsItsPromises(t *testing.T) {
	gametest.Run(t, coin.Game{})
}
