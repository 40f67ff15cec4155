package gametest

import (
	"testing"

	"knobel/games"
)

// A head that names the next seat alone tells no dead end of the one before.
func TestAHeadTellsADeadEnd(t *testing.T) {
	next := games.Say("pig.to-throw", games.Args{"Seat": games.Seat(1)})
	lost := games.Say("pig.lost", games.Args{"Seat": games.Seat(0)})
	events := []games.Event{games.Event(lost)}
	if tells([]games.Line{next}, 0, events) || !tells([]games.Line{lost, next}, 0, events) {
		t.Error("a dead end is told where none is, or the other way round")
	}
}
