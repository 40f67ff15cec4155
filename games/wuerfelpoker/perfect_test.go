package wuerfelpoker

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"knobel/games"
	"knobel/games/dice"
)

// long is for tests that take more than a second or two.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") == "1" }

// plainly is perfect play without any cleverness: a recursion over open rows,
// sum of the school, rounds left, throws and dice that remembers what it has
// been asked.
type plainly struct {
	rules  rules
	misses bool
	within rowSet
	known  map[plainState]float64
}

type plainState struct {
	open      rowSet
	sum, left int
	throws    int
	dice      counts
}

func newPlainly(r rules, within rowSet) *plainly {
	return &plainly{rules: r, misses: r.deferred && within&wholeRest != 0, within: within, known: map[plainState]float64{}}
}

func (p *plainly) worth(s plainState) float64 {
	if s.left == 0 {
		if s.open&wholeSchool == 0 && p.within&wholeSchool != 0 {
			return float64(p.rules.bonusFor(s.sum))
		}
		return 0
	}
	if v, known := p.known[s]; known {
		return v
	}
	v := 0.0
	if s.throws == 0 {
		v = p.average(s, counts{}, 5)
	} else {
		v = p.best(s)
	}
	p.known[s] = v
	return v
}

// average throws so many dice beside those that are kept.
func (p *plainly) average(s plainState, kept counts, thrown int) float64 {
	if thrown == 0 {
		s.throws, s.dice = s.throws+1, kept
		return p.worth(s)
	}
	sum := 0.0
	for face := 1; face <= 6; face++ {
		more := kept
		more[face]++
		sum += p.average(s, more, thrown-1)
	}
	return sum / 6
}

func (p *plainly) best(s plainState) float64 {
	best := math.Inf(-1)
	if p.misses {
		best = p.worth(plainState{open: s.open, sum: s.sum, left: s.left - 1})
	}
	for w := ones; w <= chance; w++ {
		if s.open&(1<<w) == 0 {
			continue
		}
		next := plainState{open: s.open &^ (1 << w), sum: s.sum, left: s.left - 1}
		points, there := p.rules.pointsOf(w, s.dice, s.throws == 1)
		if !there && p.misses {
			continue
		}
		if w <= sixes {
			next.sum += points
		}
		if !there {
			points = 0
		}
		best = max(best, float64(points)+p.worth(next))
	}
	if s.throws < 3 {
		best = max(best, p.bestKeep(s, counts{}, 1))
	}
	return best
}

// bestKeep tries all keeps that have these dice, and any of this face or
// higher.
func (p *plainly) bestKeep(s plainState, kept counts, face int) float64 {
	if face > 6 {
		if n := kept[1] + kept[2] + kept[3] + kept[4] + kept[5] + kept[6]; n < 5 {
			s.dice = kept
			v, known := p.known[s]
			if !known {
				v = p.average(s, kept, 5-int(n))
				p.known[s] = v
			}
			return v
		}
		return math.Inf(-1)
	}
	best := math.Inf(-1)
	for n := uint8(0); n <= s.dice[face]; n++ {
		kept[face] = n
		best = max(best, p.bestKeep(s, kept, face+1))
	}
	return best
}

// TestPerfectAgainstPlainRecursion compares positions with few open rows.
func TestPerfectAgainstPlainRecursion(t *testing.T) {
	of := func(list ...row) rowSet {
		s := rowSet(0)
		for _, w := range list {
			s |= 1 << w
		}
		return s
	}
	for _, c := range []struct {
		rules games.Rules
		open  rowSet
		sum   int
		left  int
	}{
		{games.Rules{}, of(fives, sixes), -3, 2},
		{games.Rules{"bonus": "both"}, of(ones, sixes), 5, 2},
		{games.Rules{"bonus": "none"}, of(ones, threes), 1, 2},
		{games.Rules{}, of(pair, poker), 0, 2},
		{games.Rules{"poker": "doubled", "chance": "double"}, of(chance, poker), 0, 2},
		{games.Rules{"first-throw": "plain", "four-as-two-pairs": "yes"}, of(twoPairs, four), 0, 2},
		{games.Rules{"five-as-full-house": "yes", "poker": "never"}, of(fullHouse, bigStraight), 0, 2},
		{games.Rules{"miss": "deferred"}, of(smallStraight, three), 0, 2},
		{games.Rules{"miss": "deferred"}, of(fullHouse, pair), 0, 1},
		{games.Rules{"order": "free"}, of(sixes, pair), -6, 2},
		{games.Rules{"order": "free", "bonus": "minus"}, of(twos, bigStraight), 3, 2},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "both"}, of(sixes, poker), -1, 2},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "minus"}, of(sixes, chance), -1, 1},
		{games.Rules{"bonus": "both"}, of(ones, twos, sixes), 6, 3},
		{games.Rules{"chance": "double"}, of(twoPairs, smallStraight, chance), 0, 3},
		{games.Rules{"miss": "deferred"}, of(twoPairs, fullHouse, poker), 0, 3},
		{games.Rules{"order": "free"}, of(threes, fullHouse, chance), 1, 3},
	} {
		canonical, err := check(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		r := read(canonical)
		table := newTable(r, c.open)
		table.fill()
		plain := newPlainly(r, c.open)
		got, want := *table.slot(c.open, c.sum, c.left), plain.worth(plainState{open: c.open, sum: c.sum, left: c.left})
		if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
			t.Errorf("%v: rows %015b, school %d, %d rounds: %.15f, plainly %.15f", c.rules, c.open, c.sum, c.left, got, want)
		}
	}
}

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
	if math.Abs(e.School-14.496131127402482) > 1e-9 || math.Abs(e.Combinations-150.41484020222458) > 1e-9 || e.Total != e.School+e.Combinations {
		t.Errorf("%+v", e)
	}
}

// TestSimulatedPerfectPlay plays matches by the solved policy; their mean must
// lie near the solved value, and every step must be worth what it leads to.
func TestSimulatedPerfectPlay(t *testing.T) {
	matches := 150
	if long() {
		matches = 5000
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
				move, err := p.Choose(m)
				if err != nil {
					t.Fatal(err)
				}
				if m, _, err = games.Play(m, 0, move, d); err != nil {
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

// TestWorthsLeadOn checks that each position is worth what its best move is,
// and that a move that ends a round loses nothing on the way.
func TestWorthsLeadOn(t *testing.T) {
	p, err := Solve(games.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Game{}.New(games.Rules{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := &dice.Fair{Table: "test"}
	promised := p.Expected().Total
	for len(m.Turn()) > 0 {
		worths, err := p.Worths(m)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, w := range worths {
			best = max(best, w.Total)
		}
		if worths[0].Move == "throw" && math.Abs(best-promised) > 1e-9 {
			t.Fatalf("a round begins at %v, promised were %v", best, promised)
		}
		move, err := p.Choose(m)
		if err != nil {
			t.Fatal(err)
		}
		promised = best
		if m, _, err = games.Play(m, 0, move, d); err != nil {
			t.Fatal(err)
		}
	}
	if result, _ := m.Result(); math.Abs(float64(result.Rows[0].Score)-promised) > 1e-9 {
		t.Errorf("the end is %+v, promised were %v", result.Rows, promised)
	}
}

func TestPerfectRefusesOtherMatches(t *testing.T) {
	p, err := Solve(games.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	other, _ := Game{}.New(games.Rules{"miss": deferred}, 1)
	if _, err := p.Worths(other); err == nil {
		t.Error("perfect play gives worths under other rules")
	}
	if _, err := p.Worths(nil); err == nil {
		t.Error("perfect play gives worths for no match")
	}
	priced, _ := Game{}.New(games.Rules{"point": "5"}, 1)
	if _, err := p.Worths(priced); err != nil {
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

// TestSolverIsFast compares with the plain recursion over the same positions.
func TestSolverIsFast(t *testing.T) {
	const rows = 1<<pair | 1<<poker | 1<<fullHouse
	r := read(games.Rules{})
	began := time.Now()
	newPlainly(r, rows).worth(plainState{open: rows, left: 3})
	slow, fast := time.Since(began), time.Hour
	for range 50 {
		began = time.Now()
		newTable(r, rows).fill()
		fast = min(fast, time.Since(began))
	}
	if slow < 50*fast {
		t.Errorf("the solver takes %v, plain recursion %v", fast, slow)
	}
}

func BenchmarkSolveParts(b *testing.B) {
	for b.Loop() {
		if _, err := Solve(games.Rules{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSolveFree(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Solve(games.Rules{"order": free}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSolvePlainly is the yardstick: two rows, four sheets, without any
// cleverness.
func BenchmarkSolvePlainly(b *testing.B) {
	r := read(games.Rules{})
	for b.Loop() {
		newPlainly(r, 1<<pair|1<<poker).worth(plainState{open: 1<<pair | 1<<poker, left: 2})
	}
}

// BenchmarkWorths asks for all moves after a first throw.
func BenchmarkWorths(b *testing.B) {
	p, err := Solve(games.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	m := match{rules: read(games.Rules{}), sheets: make([]sheet, 1), throws: 1, hand: hand{1, 2, 3, 4, 6}}
	for b.Loop() {
		if _, err := p.Worths(m); err != nil {
			b.Fatal(err)
		}
	}
}
