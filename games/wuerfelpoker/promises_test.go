package wuerfelpoker_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/wuerfelpoker"
)

func TestPromises(t *testing.T) { gametest.Run(t, wuerfelpoker.Game{}) }
