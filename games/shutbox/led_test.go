package shutbox

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// TestWhoCanWinNothingIsNobodyToBeat plays a round in which seat 0 is the best by
// the dice, then seat 1, then seat 2: each closes one set, and sticks at a 2.
func TestWhoCanWinNothingIsNobodyToBeat(t *testing.T) {
	m, err := Game{}.New(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	play := func(seat games.Seat, move games.Move, faces ...int) {
		t.Helper()
		if m, _, err = games.Play(m, seat, move, dice.NewScripted(t, faces...)); err != nil {
			t.Fatal(err)
		}
	}
	says := func(want string, out ...games.Seat) {
		t.Helper()
		var said []string
		view := m.(games.Led).ViewWithout(out)
		for _, line := range append([]games.Line{view.Won}, view.Head...) {
			key := strings.TrimPrefix(strings.TrimPrefix(line.Key, "shutbox."), "head.")
			switch key {
			case "":
				continue
			case "closed-beat":
				key = fmt.Sprint(key, " ", line.Args["Best"])
			case "next-beat":
				key = fmt.Sprint(key, " ", line.Args["N"])
			}
			said = append(said, key)
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("without %v it says %q, want %q", out, got, want)
		}
	}
	play(0, "throw 2", 5, 6)
	play(0, "shut 9+2")
	play(0, "throw 2", 1, 1)
	says("dead.stuck, next-beat 34")
	says("dead.stuck, next", 0)
	play(1, "throw 2", 4, 4)
	play(1, "shut 6+2")
	says("closed-beat 34")
	says("closed", 0)
	play(1, "throw 2", 1, 1)
	says("dead.stuck, next-beat 37", 0)
	play(2, "throw 2", 3, 4)
	play(2, "shut 5+2")
	says("closed-beat 37", 0)
	says("closed", 0, 1)
	play(2, "throw 2", 1, 1)
	says("won, stuck")
	says("stuck", 0)
	says("won, stuck", 1)
	if !reflect.DeepEqual(m.View(), m.(games.Led).ViewWithout(nil)) {
		t.Error("where nobody is out it is another view")
	}
}

// TestWhoCanWinNothingHasNotWon plays matches of all kinds to their ends.
func TestWhoCanWinNothingHasNotWon(t *testing.T) {
	for _, rules := range []games.Rules{{}, {"match": "rounds:2"}, {"variant": "lucky-seven", "match": "rounds:2"},
		{"variant": "canoga"}} {
		rules, err := Game{}.Check(rules)
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for seed := range uint64(30) {
			m, err := Game{}.New(rules, 2)
			if err != nil {
				t.Fatal(err)
			}
			luck := newChance(seed)
			for turn := m.Turn(); len(turn) > 0; turn = m.Turn() {
				legal := m.Moves(turn[0])
				if m, _, err = games.Play(m, turn[0], legal[luck.IntN(len(legal))], luck); err != nil {
					t.Fatal(err)
				}
			}
			result, _ := m.Result()
			if m.View().Won.Key != "" {
				said++
			}
			if v := m.(games.Led).ViewWithout(result.Winners); v.Won.Key != "" {
				t.Errorf("%v: it says %v", rules, v.Won)
			}
		}
		if said == 0 {
			t.Errorf("%v: nobody is said to have won", rules)
		}
	}
}
