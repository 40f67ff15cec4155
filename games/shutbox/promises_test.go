package shutbox_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/shutbox"
)

func TestShutTheBoxKeepsItsPromises(t *testing.T) {
	gametest.Run(t, shutbox.Game{})
}
