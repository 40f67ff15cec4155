package gametest

import (
	"math"
	"math/rand/v2"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
)

// The test of a game's perfect play.

const (
	solvedApart = 1e-9 // largest relative error of solved values
	fewWays     = 40   // moves with at most this many results of the dice are all followed
	manyEvery   = 100  // of moves with more than fewWays results, one in this many is followed
	onlyEvery   = 8    // replaces manyEvery if the move is the only legal one, as the first throw of a turn often is
)

// Perfect tests that a solution is consistent during a whole match: the value of each position is that of its best
// move, for every seat; the value of each move is the average over its dice; and the value of the end is the
// settlement. Then no deviation at a single point gains anything, and so no deviation does.
func Perfect(t *testing.T, g games.Solver, rules games.Rules, seats int) {
	t.Helper()
	m, err := g.New(rules, seats)
	Check(t, err)
	PerfectFrom(t, g, rules, m)
}

// PerfectFrom does the same as Perfect for a match that continues from m.
func PerfectFrom(t *testing.T, g games.Solver, rules games.Rules, m games.Match) {
	t.Helper()
	seats := len(m.View().Stands)
	solution, err := g.Solve(rules, seats)
	if err != nil {
		t.Fatalf("%v, %d seats: %v", rules, seats, err)
	}
	if solution.Measure() == games.Share && g.Shape(rules).Owed() {
		t.Fatal("where there is no pool, perfect play has no share of it")
	}
	random := rand.New(rand.NewPCG(1, uint64(seats)))
	luck := &dice.Fair{Seed: dice.SeriesSeed(1, seats), Table: "test", Entropies: []string{"house"}}
	for moves := 0; len(m.Turn()) > 0 && moves < 500; moves++ {
		s := m.Turn()[0]
		worths, err := solution.Worths(m, s)
		if err != nil {
			t.Fatalf("%v, %d seats: %v", rules, seats, err)
		}
		best, _ := games.Best(worths, s)
		if expected := mustExpect(t, solution, m); !areNear(expected, best.Values, 0) {
			t.Fatalf("%v, %d seats, seat %d: %v expected, and %q brings %v", rules, seats, s, expected, best.Move,
				best.Values)
		}
		for _, w := range worths {
			every := manyEvery
			if len(worths) == 1 {
				every = onlyEvery
			}
			average, largest, ways := followMove(t, solution, m, s, w.Move, random.IntN(every) == 0)
			if ways > 0 && !areNear(average, w.Values, largest) {
				t.Fatalf("%v, %d seats, seat %d: %q is worth %v, it leads to %v", rules, seats, s, w.Move, w.Values,
					average)
			}
		}
		move := best.Move
		if random.IntN(3) == 0 {
			move = worths[random.IntN(len(worths))].Move
		}
		m, _, err = games.Play(m, s, move, luck)
		Check(t, err)
	}
	result, over := m.Result()
	if has := mustExpect(t, solution, m); over && !games.AimsAtTotal(g, rules) {
		if want := settledValues(t, solution.Measure(), result); want != nil && !areNear(has, want, 0) {
			t.Fatalf("%v, %d seats: %+v is worth %v, and settled as %v", rules, seats, result, has, want)
		}
	}
}

// settledValues returns the value of result for each seat, as measure counts it; nil for a single seat or measure Par.
func settledValues(t *testing.T, measure games.Measure, result games.Result) (values []float64) {
	t.Helper()
	seats := len(result.Rows)
	switch {
	case seats == 1:
	case measure == games.Share:
		const stake = 27720 // divisible by up to twelve winners
		booked, err := money.Open(stake, seats, 0).Settle(result.Winners, result.Doubles)
		Check(t, err)
		for _, amount := range booked.Amounts {
			values = append(values, float64(amount)/stake)
		}
	case measure == games.Difference:
		differences, err := money.Differences(result)
		Check(t, err)
		for _, d := range differences {
			values = append(values, float64(d.N)/float64(d.D))
		}
	}
	return values
}

// mustExpect returns the expected value of each seat; an error fails the test.
func mustExpect(t *testing.T, solution games.Perfect, m games.Match) []float64 {
	t.Helper()
	expected, err := solution.Expect(m)
	Check(t, err)
	return expected
}

// areNear reports whether a and b differ by rounding errors only. If a holds averages, largest is the largest absolute
// value that was averaged; otherwise it is 0.
func areNear(a, b []float64, largest float64) bool {
	if len(a) != len(b) {
		return false
	}
	for s := range a {
		if math.Abs(a[s]-b[s]) > solvedApart*max(1, math.Abs(a[s]), largest) {
			return false
		}
	}
	return true
}

// followMove plays a move with all results of the dice. It returns the average of the expected values of each seat, the
// largest absolute value among them, and the number of results. If many is false and there are more than fewWays
// results, it returns 0 results.
func followMove(t *testing.T, solution games.Perfect, m games.Match, s games.Seat, move games.Move,
	many bool) (average []float64, largest float64, ways int) {
	t.Helper()
	average = make([]float64, 0, 10)
	for d := (&everyThrow{}); ways == 0 || d.next(); ways++ {
		d.chance = 1
		after, _ := m.Apply(s, move, d)
		if !many && d.chance < 1./fewWays {
			return nil, 0, 0
		}
		for seat, value := range mustExpect(t, solution, after) {
			if ways == 0 {
				average = append(average, 0)
			}
			average[seat] += value * d.chance
			largest = max(largest, math.Abs(value))
		}
	}
	return average, largest, ways
}

// everyThrow is a Dice that throws all possible results, one after the other.
type everyThrow struct {
	faces, sides []int
	thrown       int     // number of dice thrown in this result so far
	chance       float64 // probability of this result
}

// Throw returns the dice of the present result.
func (e *everyThrow) Throw(count, sides int) []int {
	for len(e.faces) < e.thrown+count {
		e.faces, e.sides = append(e.faces, 1), append(e.sides, sides)
	}
	e.thrown += count
	for range count {
		e.chance /= float64(sides)
	}
	return append([]int(nil), e.faces[e.thrown-count:e.thrown]...)
}

// next proceeds to the next result and reports whether there is one.
func (e *everyThrow) next() bool {
	e.faces, e.sides = e.faces[:e.thrown], e.sides[:e.thrown]
	e.thrown = 0
	for i := len(e.faces) - 1; i >= 0; i-- {
		if e.faces[i]++; e.faces[i] <= e.sides[i] {
			e.faces, e.sides = e.faces[:i+1], e.sides[:i+1]
			return true
		}
	}
	return false
}
