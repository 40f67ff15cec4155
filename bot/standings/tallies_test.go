package standings

import (
	"fmt"
	"maps"
	"testing"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// What chance shuts is worked out once for each rules, and the memory that it takes has its bound.
func TestChancesAreRememberedWithinABound(t *testing.T) {
	all := []games.Game{shutbox.Game{}}
	b := New(table.New(bot.New(bot.Config{Store: storetest.Open(t), Games: all, Words: wordstest.Of(t, all...)}).Bot))
	for i := range maxChances {
		b.chances[fmt.Sprint(i)] = chance{}
	}
	if worked, err := b.shutByChance("shutbox", "{}"); err != nil || !worked.known || len(b.chances) > maxChances {
		t.Errorf("%v, %v, with %d remembered", worked, err, len(b.chances))
	}
	b.chances["shutbox {}"] = chance{shut: 2}
	if again, err := b.shutByChance("shutbox", "{}"); err != nil || again.shut != 2 {
		t.Errorf("it is worked out again: %v, %v", again, err)
	}
	if _, err := b.shutByChance("shutbox", "no rules"); err == nil || len(b.chances) != 1 {
		t.Errorf("rules that are none: %v, with %d remembered", err, len(b.chances))
	}
}

// Moves for absent players count for no one, nor do moves that were taken back.
func TestMovesThatDoNotCount(t *testing.T) {
	all := []games.Game{sets.Crag(), shutbox.Game{}}
	core := bot.New(bot.Config{Store: storetest.Open(t), Games: all, Words: wordstest.Of(t, all...)})
	b := New(table.New(core.Bot))
	at := store.Table{Game: "crag", Seats: make([]store.Seat, 2)}
	seats, err := b.TalliesAt(at, []store.Move{
		{Seat: 0, Move: "throw", Dice: []int{4, 4, 5}},
		{Seat: 0, Move: "keep 110", Dice: []int{4}},
		{Seat: 0, Move: "write fours"},
		{Seat: 0, Move: board.TakenBack},
		{Seat: 0, Move: "write three"},
		{Seat: 1, Move: "throw", Dice: []int{6, 6, 6}, Auto: true},
		{Seat: 1, Move: "write three", Auto: true},
	})
	want := map[string]int64{"power 2": 1, "power 1": 1, "equal": 1, "filled three": 1, "points three": 25,
		"best three": 25, "worst three": 0}
	if err != nil || len(seats) != 2 || !maps.Equal(seats[0], want) || len(seats[1]) != 0 {
		t.Errorf("%v, %v", seats, err)
	}
	for _, game := range []string{"shutbox", "gone"} {
		if seats, err := b.TalliesAt(store.Table{Game: game, Seats: at.Seats}, nil); err != nil || seats != nil {
			t.Errorf("%s: %v, %v", game, seats, err)
		}
	}
}
