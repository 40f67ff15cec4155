package sheet

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestVectorsGiveTheSameBits compares the arithmetic of this processor with plain Go, bit by bit.
func TestVectorsGiveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	newLanes := func(n int) []lane {
		list := make([]lane, n)
		for i := range list {
			for l := range list[i] {
				list[i][l] = (r.Float64() - 0.3) * 300
			}
		}
		return list
	}
	for _, dice := range []int{3, 5, 6} {
		l := lattices[dice]()
		n := len(l.chance)
		for range 20 {
			a, b := newLanes(len(l.counts)), make([]lane, l.fewer)
			checkSame(t, "average", func(v []lane) { average(v, l.up) }, func(v []lane) { averagePlain(v, l.up) }, a)
			checkSame(t, "choose", func(v []lane) { choose(v, a, v, l.down) },
				func(v []lane) { choosePlain(v, a, v, l.down) }, b)
			rest, gives := newLanes(1), []scored{{0, 3}, {uint32(n - 1), -2.5}, {uint32(n / 2), 50}}
			checkSame(t, "raise", func(v []lane) { raise(v, gives, &rest[0]) },
				func(v []lane) { raisePlain(v, gives, &rest[0]) }, newLanes(n))
			rows, h := [3]*[8]lane{(*[8]lane)(newLanes(8)), (*[8]lane)(newLanes(8)), (*[8]lane)(newLanes(8))},
				len(l.some)
			checkSame(t, "bestOfThree", func(v []lane) { bestOfThree(v, l.some, &rows, &rest[0]) },
				func(v []lane) { bestOfThreePlain(v, l.some, &rows, &rest[0]) }, make([]lane, h))
			first, last := newLanes(h), newLanes(h)
			checkSame(t, "bestOfBoth", func(v []lane) { bestOfBoth(v, l.halves, first, last) },
				func(v []lane) { bestOfBothPlain(v, l.halves, first, last) }, make([]lane, n))
			x := newLanes(n)
			checkSame(t, "expect", func(v []lane) { expect(&v[0], l.chance, x) },
				func(v []lane) { expectPlain(&v[0], l.chance, x) }, newLanes(1))
		}
	}
}

// checkSame fails unless fast and plain change v to the same bits.
func checkSame(t *testing.T, name string, fast, plain func([]lane), v []lane) {
	t.Helper()
	a, b := append([]lane{}, v...), append([]lane{}, v...)
	fast(a)
	plain(b)
	for i := range a {
		for l := range a[i] {
			if math.Float64bits(a[i][l]) != math.Float64bits(b[i][l]) {
				t.Fatalf("%s: lane %d of %d is %v, in plain Go %v", name, l, i, a[i][l], b[i][l])
			}
		}
	}
}

// TestUnsteadyPapersAreNotSolved checks which papers can be solved: for the same dice, a row must give at least as many
// points after any throw as after the last, and a row of a face exactly as many.
func TestUnsteadyPapersAreNotSolved(t *testing.T) {
	five := Equal(5)
	for _, c := range []struct {
		name   string
		row    Row
		solved bool
	}{
		{"more at first", Row{Name: "five", Need: five, Points: Points{Plus: 50, First: 10}}, true},
		{"more when served", Row{Name: "five", Need: five, Points: Points{Plus: 50, Served: 30}}, true},
		{"twice at first", Row{Name: "all", Points: Points{Count: AllDice, Doubled: Twice}}, true},
		{"more the earlier", Row{Name: "five", Need: five, Points: Points{ByThrow: []int{66, 56, 46}}}, true},
		{"more the later", Row{Name: "five", Need: five, Points: Points{ByThrow: []int{46, 56, 66}}}, false},
		{"less when served", Row{Name: "five", Need: five, Points: Points{Plus: 50, Served: -5}}, false},
		{"less at first", Row{Name: "all", Points: Points{Count: AllDice, First: -1}}, false},
		{"a face with more at first", Row{Name: "ones", Points: Points{Count: OfFace, Face: 1, First: 1}}, false},
		{"a face doubled", Row{Name: "ones", Points: Points{Count: OfFace, Face: 1, Doubled: TwiceDice}}, false},
	} {
		g := New(&Set{Name: "one", Paper: func(Chosen) Paper {
			return Paper{Dice: 5, Throws: 3, Sections: []Section{{Rows: []Row{c.row}}}}
		}})
		if _, err := g.Solve(nil, 1); (err == nil) != c.solved {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
