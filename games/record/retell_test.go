package record_test

import (
	"fmt"
	"testing"

	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/record"
	"knobel/games/zehntausend"
)

func retold(t *testing.T, g games.Game, seats int, moves ...record.Move) []record.Retold {
	t.Helper()
	rules, err := g.Check(games.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.New(rules, seats)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := record.Retell(m, moves)
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

// Turns are told as they were thrown, where they began and how they came out.
func TestTurnsAreRetold(t *testing.T) {
	turns := retold(t, zehntausend.Game{}, 2,
		record.Move{Seat: 0, Move: "throw", Dice: []int{1, 2, 2, 3, 4, 6}, Auto: true},
		record.Move{Seat: 0, Move: "keep 100000", Dice: []int{2, 2, 3, 4, 6}, Auto: true},
		record.Move{Seat: 1, Move: "throw", Dice: []int{5, 2, 2, 3, 4, 6}})
	if len(turns) != 2 {
		t.Fatalf("%d turns: %+v", len(turns), turns)
	}
	if first := turns[0]; fmt.Sprint(first.Throws) != "[[1 2 2 3 4 6] [2 2 3 4 6]]" || !first.Auto || !first.Ended ||
		first.How.Key != "zehntausend.turn.lost" {
		t.Errorf("the first is %+v", first)
	}
	if second := turns[1]; second.Seat != 1 || second.Auto || second.Ended || second.How.Key != "" ||
		second.Before.Turn()[0] != 1 {
		t.Errorf("the second is %+v", second)
	}
}

// Of a game that does not say how turns come out it is told how the seat stands.
func TestATurnCameOutAsTheSeatStands(t *testing.T) {
	turns := retold(t, coin.Game{}, 2, record.Move{Seat: 0, Move: "throw", Dice: []int{2}})
	if len(turns) != 1 || !turns[0].Ended || turns[0].How.Key != "coin.face" {
		t.Errorf("%+v", turns)
	}
}

// What cannot have been is refused.
func TestOtherDiceAreNotRetold(t *testing.T) {
	m, err := coin.Game{}.New(games.Rules{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, dice := range [][]int{nil, {3}, {1, 1}} {
		if turns, err := record.Retell(m, []record.Move{{Seat: 0, Move: "throw", Dice: dice}}); err == nil {
			t.Errorf("dice %v are told as %+v", dice, turns)
		}
	}
}
