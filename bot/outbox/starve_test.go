package outbox_test

import (
	"fmt"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/store"
)

// However many tables cannot be played at, since their game is not installed any
// more, the turns of all others end in time; and theirs do once it is back.
func TestTablesThatFailStopNoOtherClock(t *testing.T) {
	bare.Beside(t)
	for _, broken := range []int{1, 70} { // fewer and more than are looked at at once
		t.Run(fmt.Sprint(broken), func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) { failBeside(t, broken) })
		})
	}
}

// failBeside lets a table play beside many of which the game is missing.
func failBeside(t *testing.T, broken int) {
	h := bare.New(t, bare.Pile{})
	open := func(place, line string) {
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Place, ben.Place = chat.Place(place), chat.Place(place)
		anna.Writes(line)
		ben.Presses("Sit down")
		anna.Presses("▶ Start")
	}
	place := func(i int) string { return fmt.Sprint("test:1/", 100+i) }
	for i := range broken {
		open(place(i), "/pile 10 turn=5m")
	}
	h.Wait(time.Second)
	open("test:1/1", "/coin 10 turn=5m")
	all := h.Games
	h.Games, h.Sweep = []games.Game{coin.Game{}}, 15*time.Second
	h.Restart()
	stop := h.OnStage(bare.NewStage())
	for range 80 { // the grace after the start, and the turn
		h.Later(5 * time.Second)
	}
	last := func(at chat.Place) store.Table { return h.Person("Anna").At(at).Table() }
	if last("test:1/1").Turn == 0 {
		t.Error("no turn was ended")
	}
	stop()
	h.Games = all
	h.Restart()
	stop = h.OnStage(bare.NewStage())
	defer stop()
	for range 120 {
		h.Later(5 * time.Second)
	}
	for i := range broken {
		if table := last(chat.Place(place(i))); table.State == store.Playing && table.Turn == 0 {
			t.Errorf("table %d was not played for once its game was back", table.ID)
		}
	}
}
