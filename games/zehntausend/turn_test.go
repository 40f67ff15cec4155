package zehntausend

import (
	"fmt"
	"testing"

	"knobel/games"
)

// A match is read for every press: its turns are solved once for all matches of the same rules, and for no others.
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

// BenchmarkSolve solves a turn, as is done once for the rules of tables with the house bold.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		read(games.Rules{"entry": "500"}).turn(false)
	}
}
