package record_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/zehntausend"
)

// atRandom plays a game of Shut the Box with random moves and returns its record and result.
func atRandom(t *testing.T, rules games.Rules, seats int, chance *rand.Rand) (record.Record, games.Result) {
	t.Helper()
	terms := record.Terms{Table: fmt.Sprint(chance.Uint32()), Game: shutbox.Game{}, Rules: rules, Unit: "chips"}
	for i := range seats {
		terms.Seats = append(terms.Seats, record.Seat{Name: fmt.Sprint("P", i), Entropy: "x"})
	}
	s, err := record.Sit(terms)
	check(t, err)
	for turn := s.Match().Turn(); len(turn) > 0; turn = s.Match().Turn() {
		moves := s.Match().Moves(turn[0])
		if _, err := s.Play(turn[0], moves[chance.IntN(len(moves))]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Record()
	check(t, err)
	result, _ := s.Match().Result()
	return r, result
}

// TestShutBoxesAreCounted checks that TurnsOf counts exactly the shut boxes that pay double, in every round and
// roll-off, and at least one turn for every seat that has thrown.
func TestShutBoxesAreCounted(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	shuts := 0
	for _, rules := range []games.Rules{
		{"tiles": "3"}, {"tiles": "4", "ties": "roll-off"}, {"tiles": "4", "match": "rounds:3", "ties": "roll-off"},
		{"tiles": "5", "match": "knockout:20"},
		{"tiles": "1-2,7", "seven": "ends-turn"}, {"tiles": "4", "score": "digits"}, {"variant": "lucky-seven"},
		{"variant": "lucky-seven", "match": "rounds:3"},
	} {
		rules["shut"] = "pays-double"
		for range 60 {
			r, result := atRandom(t, rules, 2+chance.IntN(4), chance)
			counts, err := record.TurnsOf(shutbox.Game{}, r.Rules, len(r.Seats), r.Moves)
			check(t, err)
			for seat, n := range counts {
				paid := 0
				for _, owed := range result.Doubles {
					if int(owed) == seat {
						paid++
					}
				}
				threw := slices.ContainsFunc(r.Moves, func(m record.Move) bool { return int(m.Seat) == seat })
				if n.Shut != paid || n.Shut > n.Turns || (n.Turns > 0) != threw {
					t.Errorf("%v: seat %d counts %+v, and was paid %d times (%v)", rules, seat, n, paid, r.Moves)
				}
				shuts += n.Shut
			}
		}
	}
	if shuts < 50 {
		t.Errorf("only %d boxes were shut", shuts)
	}
}

// TestCoveredRowsAreCounted checks that in Canoga covering one's own row counts as shutting the box, and opening the
// opponent's row does not.
func TestCoveredRowsAreCounted(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	covered := 0
	for range 60 {
		r, _ := atRandom(t, games.Rules{"variant": "canoga"}, 2, chance)
		counts, err := record.TurnsOf(shutbox.Game{}, r.Rules, 2, r.Moves)
		last := r.Moves[len(r.Moves)-1]
		want := []record.Turns{{Turns: counts[0].Turns}, {Turns: counts[1].Turns}}
		if strings.HasPrefix(string(last.Move), "cover ") {
			want[last.Seat].Shut = 1
			covered++
		}
		if err != nil || !reflect.DeepEqual(counts, want) || counts[last.Seat].Turns == 0 {
			t.Errorf("%+v, want %+v, %v", counts, want, err)
		}
	}
	if covered == 0 || covered == 60 {
		t.Errorf("%d of 60 rows were covered", covered)
	}
}

// TestTurnsOfWhatCannotBe checks that the error of TurnsOf names the impossible move.
func TestTurnsOfWhatCannotBe(t *testing.T) {
	good := []record.Move{{Seat: 0, Move: "throw 2", Dice: []int{5, 6}}, {Seat: 0, Move: "shut 9+2"}}
	for name, moves := range map[string][]record.Move{
		"another seat":    {{Seat: 1, Move: "throw 2", Dice: []int{5, 6}}},
		"no such move":    {{Seat: 0, Move: "dance"}},
		"no such set":     {good[0], {Seat: 0, Move: "shut 9+3"}},
		"a die too few":   {{Seat: 0, Move: "throw 2", Dice: []int{5}}},
		"a die too many":  {{Seat: 0, Move: "throw 2", Dice: []int{5, 6, 1}}},
		"no such die":     {{Seat: 0, Move: "throw 2", Dice: []int{5, 7}}},
		"dice of nothing": {good[0], {Seat: 0, Move: "shut 9+2", Dice: []int{1}}},
	} {
		if counts, err := record.TurnsOf(shutbox.Game{}, games.Rules{}, 2, moves); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("move %d,", len(moves))) {
			t.Errorf("%s: %v, %v", name, counts, err)
		}
		if m, _ := (shutbox.Game{}).New(games.Rules{}, 2); m != nil {
			if steps, err := record.Steps(m, moves); err == nil {
				t.Errorf("%s: it is told as %+v", name, steps)
			}
		}
	}
	counts, err := record.TurnsOf(shutbox.Game{}, games.Rules{}, 2, good)
	if err != nil || !reflect.DeepEqual(counts, make([]record.Turns, 2)) {
		t.Errorf("%v, %v", counts, err)
	}
}

// retellMoves replays moves of g from a new match on and returns the turns that they form.
func retellMoves(t *testing.T, g games.Game, seats int, moves ...record.Move) []record.Retold {
	t.Helper()
	rules, err := g.Check(games.Rules{})
	check(t, err)
	m, err := g.New(rules, seats)
	check(t, err)
	steps, err := record.Steps(m, moves)
	check(t, err)
	return record.Retell(steps)
}

// TestTurnsAreRetold checks the throws, the start and the outcome of each turn that Retell returns.
func TestTurnsAreRetold(t *testing.T) {
	turns := retellMoves(t, zehntausend.Game{}, 2,
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

// TestATurnCameOutAsTheSeatStands checks that the outcome is the seat's line on the board if the match is no
// games.Turned.
func TestATurnCameOutAsTheSeatStands(t *testing.T) {
	turns := retellMoves(t, coin.Game{}, 2, record.Move{Seat: 0, Move: "throw", Dice: []int{2}})
	if len(turns) != 1 || !turns[0].Ended || turns[0].How.Key != "coin.face" {
		t.Errorf("%+v", turns)
	}
}
