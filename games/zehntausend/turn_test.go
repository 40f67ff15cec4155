package zehntausend

import (
	"fmt"
	"testing"

	"knobel/games"
)

// TestFigures are those that the rules give, found apart from this program.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		rules           games.Rules
		points, nothing string
	}{
		{nil, "590.6608374505", "0.2062851124"},
		{games.Rules{"dice": "5"}, "307.3992530962", "0.2967624284"},
		{variants()[1].Rules, "510.1953093683", "0.4931673675"},
	} {
		figures, err := Game{}.Figures(c.rules, nil)
		if err != nil {
			t.Fatal(err)
		}
		points, nothing := fmt.Sprintf("%.10f", figures[0].Values[0]), fmt.Sprintf("%.10f", figures[1].Values[0])
		if points != c.points || nothing != c.nothing {
			t.Errorf("%v: a turn brings %s, and nothing with %s; want %s, %s", c.rules, points, nothing, c.points,
				c.nothing)
		}
	}
}

// A match is read for every press: its turns are solved once for all matches of the
// same rules, and for no others.
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
	for least := range maxKnown { // more than are remembered
		solved(games.Rules{"target": fmt.Sprint(1000 + 50*least)})
	}
	if n := len(g.known.of); n > maxKnown {
		t.Errorf("%d solutions are remembered", n)
	}
}

// BenchmarkSolve solves a turn, as is done once for the rules of tables with the house
// bold.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		read(games.Rules{"entry": "500"}).turn(false)
	}
}
