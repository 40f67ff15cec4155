package wuerfelpoker

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// long is for tests that take more than a second or two.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") == "1" }

// TestScandinavianYatzy plays a sheet that others have solved, too. The school
// is theirs less 63, and their poker brings 50 without its dice.
func TestScandinavianYatzy(t *testing.T) {
	const published = 248.4399894
	if !long() {
		t.Log("the whole sheet is computed with KNOBEL_TEST_LONG=1 only")
		return
	}
	table := newTable(read(games.Rules{"order": free, "first-throw": plain}), wholeSheet)
	for i := range table.later[poker] {
		table.later[poker][i].points = 50
	}
	table.fill()
	if got := table.start() + 63; math.Abs(got-published) > 5e-8 {
		t.Errorf("perfect play brings %.7f, published are %.7f", got, published)
	}
}

// TestPerfectFigures keeps the expectations of perfect play as they are.
func TestPerfectFigures(t *testing.T) {
	p, err := Solve(games.Rules{"point": "5"})
	if err != nil {
		t.Fatal(err)
	}
	e := p.Expected()
	if math.Abs(e.School-14.496131127402482) > 1e-9 || math.Abs(e.Combinations-150.41484020222458) > 1e-9 ||
		e.Total != e.School+e.Combinations {
		t.Errorf("%+v", e)
	}
}

// TestSimulatedPerfectPlay plays matches by the solved policy; their mean must
// lie near the solved value, and every step must be worth what it leads to.
func TestSimulatedPerfectPlay(t *testing.T) {
	matches := 150
	if long() {
		matches = 1500
	}
	for _, given := range []games.Rules{{}, {"miss": "deferred", "bonus": "both", "chance": "double"}} {
		p, err := Solve(given)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		sum, squares := 0.0, 0.0
		for i := range matches {
			m, err := Game{}.New(given, 1)
			if err != nil {
				t.Fatal(err)
			}
			d := &dice.Fair{Seed: dice.SeriesSeed(int64(random.Uint32()), i), Table: "test"}
			for len(m.Turn()) > 0 {
				best := bestMove(t, p, m)
				if m, _, err = games.Play(m, 0, best.Move, d); err != nil {
					t.Fatal(err)
				}
			}
			result, _ := m.Result()
			total := float64(result.Rows[0].Score)
			sum, squares = sum+total, squares+total*total
		}
		n := float64(matches)
		mean := sum / n
		deviation := math.Sqrt((squares/n - mean*mean) / n)
		if want := p.Expected().Total; math.Abs(mean-want) > 3*deviation {
			t.Errorf("%v: %d matches bring %.2f ± %.2f, solved are %.4f", given, matches, mean, deviation, want)
		}
	}
}

// bestMove is what perfect play moves.
func bestMove(t *testing.T, p games.Perfect, m games.Match) games.Worth {
	t.Helper()
	s := m.Turn()[0]
	worths, err := p.Worths(m, s)
	if err != nil {
		t.Fatal(err)
	}
	best, ok := games.Best(worths, s)
	if !ok {
		t.Fatal("there is no move to choose")
	}
	return best
}

// TestExpectationsLeadOn plays perfectly and checks that a match is worth what
// its best move is, the best move of the others' as well, until it is over.
func TestExpectationsLeadOn(t *testing.T) {
	for _, rules := range []games.Rules{{}, {"miss": "deferred", "bonus": "both"}} {
		for seats := 1; seats <= 4; seats += 3 {
			p, err := Game{}.Solve(rules, seats)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Game{}.New(rules, seats)
			if err != nil {
				t.Fatal(err)
			}
			d := &dice.Fair{Table: "test"}
			for len(m.Turn()) > 0 {
				expected, err := p.Expect(m)
				if err != nil {
					t.Fatal(err)
				}
				best := bestMove(t, p, m)
				if !near(expected, best.Values, 1e-9) {
					t.Fatalf("%v expected, but %q brings %v", expected, best.Move, best.Values)
				}
				if sum := sumOf(expected); seats > 1 && math.Abs(sum) > 1e-9 {
					t.Fatalf("%v add up to %v", expected, sum)
				}
				if m, _, err = games.Play(m, m.Turn()[0], best.Move, d); err != nil {
					t.Fatal(err)
				}
			}
			result, _ := m.Result()
			totals := make([]float64, seats)
			for seat, row := range result.Rows {
				totals[seat] = float64(row.Score)
			}
			mean := sumOf(totals) / float64(seats)
			if seats == 1 {
				mean = p.(*Perfect).Expected().Total
			}
			for seat := range totals {
				totals[seat] -= mean
			}
			if expected, err := p.Expect(m); err != nil || !near(expected, totals, 1e-12) {
				t.Errorf("over, but %v expected, the differences are %v (%v)", expected, totals, err)
			}
		}
	}
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func near(a, b []float64, apart float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) <= apart })
}

// TestPerfectPlayForNothing checks what the averages of a match are, that is,
// nothing, and that only the seat that is to move has moves.
func TestPerfectPlayForNothing(t *testing.T) {
	p, err := Game{}.Solve(nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := Game{}.New(nil, 3)
	if expected, err := p.Expect(m); err != nil || !near(expected, []float64{0, 0, 0}, 1e-12) {
		t.Errorf("three alike expect %v (%v)", expected, err)
	}
	if worths, err := p.Worths(m, 1); err != nil || len(worths) > 0 {
		t.Errorf("who is not to move has %v (%v)", worths, err)
	}
	if p.Measure() != games.Difference || p.Size() < 1<<10 {
		t.Errorf("%v, %d bytes", p.Measure(), p.Size())
	}
	if _, err := (Game{}).Solve(nil, maxSeats+1); err == nil {
		t.Error("too many seats are solved")
	}
}

func TestPerfectRefusesOtherMatches(t *testing.T) {
	p, err := Solve(games.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	other, _ := Game{}.New(games.Rules{"miss": deferred}, 1)
	if _, err := p.Worths(other, 0); err == nil {
		t.Error("perfect play gives worths under other rules")
	}
	if _, err := p.Worths(nil, 0); err == nil {
		t.Error("perfect play gives worths for no match")
	}
	priced, _ := Game{}.New(games.Rules{"point": "5"}, 1)
	if _, err := p.Worths(priced, 0); err != nil {
		t.Errorf("what a point is worth changes perfect play: %v", err)
	}
	if _, err := Solve(games.Rules{"order": "none"}); err == nil {
		t.Error("rules that do not stand are solved")
	}
}

// TestHardestRowsFirst checks that combinations are struck in the order of
// what a round brings in each alone.
func TestHardestRowsFirst(t *testing.T) {
	last := math.Inf(-1)
	for _, w := range hardest {
		table := newTable(read(games.Rules{}), 1<<w)
		table.fill()
		if v := table.start(); v < last {
			t.Errorf("a round for %v brings %.3f, less than one for the row before: %.3f", w, v, last)
		} else {
			last = v
		}
	}
}
