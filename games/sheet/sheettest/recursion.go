package sheettest

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
)

// Perfect play by recursion over pages, throws and dice.

// Game is a game of one paper.
func Game(p sheet.Paper) sheet.Game {
	return sheet.New(&sheet.Set{Name: "cut", Paper: func(sheet.Chosen) sheet.Paper { return p }})
}

// Perfect compares perfect play of a paper with that of the same game told plainly.
func Perfect(t *testing.T, p sheet.Paper, n *Naive) {
	t.Helper()
	got, want := Total(t, Game(p), nil), n.Expect()
	if !(math.Abs(got-want) < 1e-9) {
		t.Errorf("perfect play brings %.12f, by the recursion %.12f", got, want)
	}
}

// Total is what perfect play of a game brings.
func Total(t *testing.T, g sheet.Game, rules games.Rules) float64 {
	t.Helper()
	return Figure(t, g, rules, "total")
}

// Figure is a figure of perfect play of a game.
func Figure(t *testing.T, g sheet.Game, rules games.Rules, name string) float64 {
	t.Helper()
	figures, err := g.Figures(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(figures, func(f games.Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no figure %q in %v", name, figures)
	}
	return figures[i].Values[0]
}

// Expect is what perfect play of an empty page brings on average.
func (n *Naive) Expect() float64 {
	s := newSolving(n)
	return s.value(n.Start())
}

// Tables are what some dice can do.
type Tables struct {
	Throws [][]int
	Keeps  [][]Outcome // of each set of fewer dice to keep, the empty one first
	Of     [][]int     // the sets of dice that may be kept of each throw
}

// Outcome is a throw that may come of some dice kept.
type Outcome struct {
	Throw  int
	Chance float64
}

// NewTables lists the throws, the keeps and their outcomes of so many dice.
func NewTables(dice int) *Tables {
	t := &Tables{Throws: throwsOf(dice)}
	number, keep := map[string]int{}, map[string]int{}
	for i, thrown := range t.Throws {
		number[fmt.Sprint(thrown)] = i
	}
	for n := range dice {
		for _, kept := range throwsOf(n) {
			keep[fmt.Sprint(kept)] = len(t.Keeps)
			var outcomes []Outcome
			for _, more := range throwsOf(dice - n) {
				all := slices.Sorted(slices.Values(slices.Concat(kept, more)))
				outcomes = append(outcomes, Outcome{number[fmt.Sprint(all)], chance(more)})
			}
			t.Keeps = append(t.Keeps, outcomes)
		}
	}
	for _, thrown := range t.Throws {
		var of []int
		for set := range 1<<dice - 1 {
			kept := []int{}
			for i, die := range thrown {
				if set>>i&1 == 1 {
					kept = append(kept, die)
				}
			}
			of = append(of, keep[fmt.Sprint(kept)])
		}
		slices.Sort(of)
		t.Of = append(t.Of, slices.Compact(of))
	}
	return t
}

// solving is a recursion over pages, with what it knows already.
type solving struct {
	*Naive
	*Tables
	known [][][]Filling  // what the needs alone say: in some moments, of each throw, by row
	at    map[moment]int // which of these moments one is as
	worth map[Page]float64
}

// moment is when a row is filled.
type moment struct {
	throw  int
	served bool
}

func newSolving(n *Naive) *solving {
	s := &solving{Naive: n, Tables: NewTables(n.Dice), worth: map[Page]float64{}, at: map[moment]int{}}
	for throw := 1; throw <= n.Throws; throw++ {
		for _, served := range []bool{false, true} {
			var known [][]Filling
			for _, dice := range s.Tables.Throws {
				var fillings []Filling
				for row := range n.Rows {
					fillings = append(fillings, n.filling(row, Hand{dice, throw, served}))
				}
				known = append(known, fillings)
			}
			same := slices.IndexFunc(s.known, func(other [][]Filling) bool { return reflect.DeepEqual(known, other) })
			if same < 0 {
				same, s.known = len(s.known), append(s.known, known)
			}
			s.at[moment{throw, served}] = same
		}
	}
	return s
}

// value is what perfect play brings on average from a page on.
func (s *solving) value(p Page) float64 {
	if p.Turns == 0 {
		return 0
	}
	if worth, known := s.worth[p]; known {
		return worth
	}
	ends := make([][]float64, len(s.known))
	for at, known := range s.known {
		ends[at] = s.end(p, known)
	}
	var thrown []float64 // by set kept, for the next throw
	for throw := s.Naive.Throws; throw >= 1; throw-- {
		apart := s.best(ends[s.at[moment{throw, false}]], thrown)
		served := apart
		if s.ByServed {
			served = s.best(ends[s.at[moment{throw, true}]], thrown)
		}
		thrown = make([]float64, len(s.Keeps))
		for keep, outcomes := range s.Keeps {
			from := apart
			if keep == 0 {
				from = served
			}
			for _, o := range outcomes {
				thrown[keep] += o.Chance * from[o.Throw]
			}
		}
	}
	s.worth[p] = thrown[0]
	return thrown[0]
}

// end is what each throw is worth to whoever ends the turn with it. What changes fillings on some page looks at the
// dice alone, not at the moment.
func (s *solving) end(p Page, known [][]Filling) []float64 {
	best := make([]float64, len(s.Tables.Throws))
	var fills []Fill
	for i, dice := range s.Tables.Throws {
		best[i] = math.Inf(-1)
		fills = s.Fills(fills[:0], p, Hand{Dice: dice}, known[i])
		for _, f := range fills {
			best[i] = max(best[i], float64(f.Points)+s.value(f.Next))
		}
	}
	return best
}

// best is what each throw is worth, when to end the turn with it is worth so much, and what is kept so much.
func (s *solving) best(ends, thrown []float64) []float64 {
	if thrown == nil {
		return ends
	}
	best := slices.Clone(ends)
	for i := range best {
		for _, keep := range s.Of[i] {
			best[i] = max(best[i], thrown[keep])
		}
	}
	return best
}
