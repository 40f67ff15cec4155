package zehntausend

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/gametest"
)

func TestMain(m *testing.M) { os.Exit(gametest.Main(m)) }

func TestPromises(t *testing.T) { gametest.Run(t, Game{}) }

// TestTranscripts plays the transcripts of the rules in testdata. In addition to the facts of all games they state the
// totals, the points of the turn, and the seats of a roll-off.
func TestTranscripts(t *testing.T) {
	gametest.Transcripts(t, Game{}, "testdata/*.txt", gametest.Facts{
		"totals": func(m games.Match) string {
			var totals []string
			for _, total := range m.(match).Totals {
				totals = append(totals, strconv.Itoa(total))
			}
			return strings.Join(totals, " ")
		},
		"points": func(m games.Match) string { return strconv.Itoa(m.(match).Points) },
		"roll-off": func(m games.Match) string {
			if !m.(match).isRollOff() {
				return "none"
			}
			var seats []games.Seat
			playing, _ := m.(match).rollOffSeats()
			for _, seat := range playing {
				seats = append(seats, games.Seat(seat))
			}
			return gametest.SeatNames(seats, "none")
		},
	})
}

// TestTurnsAreSolvedOnceForTheirRules checks that turns are solved once for all matches of the same rules, because a
// match is loaded for every button press.
func TestTurnsAreSolvedOnceForTheirRules(t *testing.T) {
	g := New()
	solved := func(rules games.Rules) *turn {
		m, err := g.New(rules, 2)
		if err != nil {
			t.Fatal(err)
		}
		state, err := m.Save()
		if err != nil {
			t.Fatal(err)
		}
		if m, err = g.Load(rules, state); err != nil {
			t.Fatal(err)
		}
		return m.(match).rules.turn(true)
	}
	first := solved(nil)
	if solved(nil) != first {
		t.Error("the same rules are solved again")
	}
	if other := solved(games.Rules{"dice": "5"}); other == first {
		t.Error("other rules have the same solution")
	}
	for least := range maxKnown { // together with the rules above, more than the cache holds
		solved(games.Rules{"target": fmt.Sprint(1000 + 50*least)})
	}
	if n := len(g.known.of); n > maxKnown {
		t.Errorf("%d solutions are remembered", n)
	}
}

// BenchmarkSolve solves a turn, as needed once for the rules of a table with the house "bold".
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		parseRules(games.Rules{"entry": "500"}).turn(false)
	}
}

// A slow independent implementation of the rules: dice are divided into groups in every way.

// naive computes the points of dice from the options.
type naive struct {
	ones                      int
	more                      string
	straight, pairs, triplets int
	known                     map[string]int
}

// throwPoints returns the most points of sorted dice if all are divided into scoring groups; 0 if that is impossible.
func (n *naive) throwPoints(dice []int) int {
	key := fmt.Sprint(dice)
	if points, known := n.known[key]; known {
		return points
	}
	best := 0
	for some := 1; some < 1<<len(dice); some += 2 { // all groups that contain the first die
		var group, rest []int
		for i, face := range dice {
			if some>>i&1 == 1 {
				group = append(group, face)
			} else {
				rest = append(rest, face)
			}
		}
		points := n.groupPoints(group)
		if points == 0 {
			continue
		}
		if more := n.throwPoints(rest); len(rest) == 0 || more > 0 {
			best = max(best, points+more)
		}
	}
	n.known[key] = best
	return best
}

// groupPoints returns the points of dice as one group, 0 if they are not one.
func (n *naive) groupPoints(dice []int) int {
	var shown [7]int
	for _, face := range dice {
		shown[face]++
	}
	face, alike := dice[0], shown[dice[0]] == len(dice)
	three := map[int]int{1: n.ones, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}[face]
	switch {
	case len(dice) == 1:
		return map[int]int{1: 100, 5: 50}[face]
	case alike && len(dice) == 3:
		return three
	case alike && len(dice) > 3:
		return max(map[string][]int{
			"double": {2 * three, 4 * three, 8 * three}, "add": {2 * three, 3 * three, 4 * three},
			"thousands": {1000, 2000, 3000}, "none": {0, 0, 0},
		}[n.more][len(dice)-4], n.sixPoints(shown))
	}
	return n.sixPoints(shown)
}

// sixPoints returns the points of six dice as a straight, pairs or triplets, else 0; shown[f] dice show the face f.
func (n *naive) sixPoints(shown [7]int) int {
	times := map[int]int{}
	for _, count := range shown[1:] {
		times[count]++
	}
	switch {
	case times[1] == 6:
		return n.straight
	case times[2] == 3, times[4] == 1 && times[2] == 1, times[6] == 1:
		return n.pairs
	case times[3] == 2:
		return n.triplets
	}
	return 0
}

// eachSorted calls each for all results of that many dice, sorted.
func eachSorted(count int, each func(dice []int)) {
	var next func(dice []int, from int)
	next = func(dice []int, from int) {
		if len(dice) == count {
			each(dice)
			return
		}
		for face := from; face <= sides; face++ {
			next(append(dice[:len(dice):len(dice)], face), face)
		}
	}
	next(nil, 1)
}

// eachScoring calls each for all combinations of options that affect points, with a naive scorer and the rules.
func eachScoring(each func(*naive, games.Rules)) {
	for _, ones := range []int{300, 1000} {
		for _, more := range []string{double, add, none, thousands} {
			for _, straight := range []int{0, 700} {
				for _, pairs := range []int{0, 750} {
					for _, triplets := range []int{0, 500, 2500} {
						each(&naive{ones, more, straight, pairs, triplets, map[string]int{}}, games.Rules{
							"ones": fmt.Sprint(ones), "more": more, "straight": fmt.Sprint(straight),
							"pairs": fmt.Sprint(pairs), "triplets": fmt.Sprint(triplets),
						})
					}
				}
			}
		}
	}
}

// TestEveryThrowUnderEveryOption compares the points of all throws with those of the naive scorer.
func TestEveryThrowUnderEveryOption(t *testing.T) {
	eachScoring(func(n *naive, rules games.Rules) {
		checked, err := Game{}.Check(rules)
		if err != nil {
			t.Fatal(err)
		}
		r := parseRules(checked)
		for count := 1; count <= maxDice; count++ {
			eachSorted(count, func(dice []int) {
				if got, want := r.throwPoints(countsOf(dice, 1<<count-1)), n.throwPoints(dice); got != want {
					t.Errorf("%v: %v count %d, not %d", rules, dice, got, want)
				}
			})
		}
	})
}
