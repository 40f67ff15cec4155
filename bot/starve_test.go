package bot_test

import (
	"fmt"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/store"
)

// However many tables cannot be played at, since their game is not installed any
// more, the turns of all others end in time; and theirs do once it is back.
func TestTablesThatFailStopNoOtherClock(t *testing.T) {
	beside(t)
	for _, broken := range []int{1, 70} { // fewer and more than are looked at at once
		t.Run(fmt.Sprint(broken), func(t *testing.T) {
			bubble(t, func(t *testing.T) { failBeside(t, broken) })
		})
	}
}

// failBeside lets a table play beside many of which the game is missing.
func failBeside(t *testing.T, broken int) {
	h := newHouse(t, pile{})
	open := func(place, line string) {
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.place, ben.place = chat.Place(place), chat.Place(place)
		anna.writes(line)
		ben.presses("Sit down")
		anna.presses("▶ Start")
	}
	place := func(i int) string { return fmt.Sprint("test:1/", 100+i) }
	for i := range broken {
		open(place(i), "/pile 10 turn=5m")
	}
	h.wait(time.Second)
	open("test:1/1", "/coin 10 turn=5m")
	all := h.games
	h.games, h.sweep = []games.Game{coin.Game{}}, 15*time.Second
	h.restart()
	stop := h.onStage(newStage())
	for range 80 { // the grace after the start, and the turn
		h.later(5 * time.Second)
	}
	last := func(at chat.Place) store.Table { return h.person("Anna").at(at).table() }
	if last("test:1/1").Turn == 0 {
		t.Error("no turn was ended")
	}
	stop()
	h.games = all
	h.restart()
	stop = h.onStage(newStage())
	defer stop()
	for range 120 {
		h.later(5 * time.Second)
	}
	for i := range broken {
		if table := last(chat.Place(place(i))); table.State == store.Playing && table.Turn == 0 {
			t.Errorf("table %d was not played for once its game was back", table.ID)
		}
	}
}
