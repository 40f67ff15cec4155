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
	solvedApart = 1e-9 // how far what is solved may be from what follows from it
	fewWays     = 40   // a move whose dice may fall in no more ways is always followed
	manyEvery   = 100  // and of the others one in so many,
	onlyEvery   = 8    // or of moves that are the only one, so that what a turn is worth is added up, too
)

// Perfect tests that a solution agrees with itself all through a match: that each position is worth what its best
// move is, to every seat, that each move is worth the average of where its dice may lead, and the end what is settled.
// So nothing is won by playing otherwise at any single point, which is to say: at any.
func Perfect(t *testing.T, g games.Solver, rules games.Rules, seats int) {
	t.Helper()
	m, err := g.New(rules, seats)
	if err != nil {
		t.Fatal(err)
	}
	PerfectFrom(t, g, rules, m)
}

// PerfectFrom is Perfect for a match that goes on from some position.
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
		if expected := mustExpect(t, solution, m); !near(expected, best.Values) {
			t.Fatalf("%v, %d seats, seat %d: %v expected, and %q brings %v", rules, seats, s, expected, best.Move,
				best.Values)
		}
		for _, w := range worths {
			every := manyEvery
			if len(worths) == 1 {
				every = onlyEvery
			}
			average, ways := follow(t, solution, m, s, w.Move, random.IntN(every) == 0)
			if ways > 0 && !near(average, w.Values) {
				t.Fatalf("%v, %d seats, seat %d: %q is worth %v, it leads to %v", rules, seats, s, w.Move, w.Values,
					average)
			}
		}
		move := best.Move
		if random.IntN(3) == 0 {
			move = worths[random.IntN(len(worths))].Move
		}
		if m, _, err = games.Play(m, s, move, luck); err != nil {
			t.Fatal(err)
		}
	}
	result, over := m.Result()
	if has := mustExpect(t, solution, m); over && !games.AimsAtTotal(g, rules) {
		if want := settled(t, solution.Measure(), result); want != nil && !near(has, want) {
			t.Fatalf("%v, %d seats: %+v is worth %v, and settled as %v", rules, seats, result, has, want)
		}
	}
}

// settled returns what a result brings to each seat in a measure, nil where that does not follow from it.
func settled(t *testing.T, measure games.Measure, result games.Result) (values []float64) {
	t.Helper()
	seats := len(result.Rows)
	switch {
	case seats == 1:
	case measure == games.Share:
		const stake = 27720 // whose parts are whole, among up to twelve winners
		booked, err := money.Open(stake, seats, 0).Settle(result.Winners, result.Doubles)
		if err != nil {
			t.Fatal(err)
		}
		for _, amount := range booked.Amounts {
			values = append(values, float64(amount)/stake)
		}
	case measure == games.Difference:
		differences, err := money.Differences(result)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			values = append(values, float64(d.N)/float64(d.D))
		}
	}
	return values
}

// mustExpect returns what a solution expects of a match for each seat; an error fails the test.
func mustExpect(t *testing.T, solution games.Perfect, m games.Match) []float64 {
	t.Helper()
	expected, err := solution.Expect(m)
	if err != nil {
		t.Fatal(err)
	}
	return expected
}

func near(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for s := range a {
		if math.Abs(a[s]-b[s]) > solvedApart*max(1, math.Abs(a[s])) {
			return false
		}
	}
	return true
}

// follow plays a move with all dice that may fall and returns what the seats expect then, on average, and in how many
// ways; none, where they are many and not wanted.
func follow(t *testing.T, solution games.Perfect, m games.Match, s games.Seat, move games.Move,
	many bool) (average []float64, ways int) {
	t.Helper()
	average = make([]float64, 0, 10)
	for d := (&everyThrow{}); ways == 0 || d.next(); ways++ {
		d.chance = 1
		after, _ := m.Apply(s, move, d)
		if !many && d.chance < 1./fewWays {
			return nil, 0
		}
		for seat, value := range mustExpect(t, solution, after) {
			if ways == 0 {
				average = append(average, 0)
			}
			average[seat] += value * d.chance
		}
	}
	return average, ways
}

// everyThrow throws one way after the other that dice may fall.
type everyThrow struct {
	faces, sides []int
	thrown       int     // of this way so far
	chance       float64 // of this way
}

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

// next goes on to the next way, and is false after the last.
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
