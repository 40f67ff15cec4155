package sets_test

import (
	"testing"

	"knobel/games/gametest"
	"knobel/games/sheet/sets"
	"knobel/games/sheet/sheettest"
)

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
