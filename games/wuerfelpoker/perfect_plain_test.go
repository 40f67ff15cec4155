package wuerfelpoker

import (
	"math"
	"testing"

	"knobel/games"
)

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
	return &plainly{rules: r, misses: r.deferred && within&wholeRest != 0, within: within,
		known: map[plainState]float64{}}
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
			t.Errorf("%v: rows %015b, school %d, %d rounds: %.15f, plainly %.15f", c.rules, c.open, c.sum, c.left,
				got, want)
		}
	}
}
