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
	} {
		figures, err := Game{}.Figures(c.rules, nil)
		if err != nil {
			t.Fatal(err)
		}
		points, nothing := fmt.Sprintf("%.10f", figures[0].Values[0]), fmt.Sprintf("%.10f", figures[1].Values[0])
		if points != c.points || nothing != c.nothing {
			t.Errorf("%v: a turn brings %s, and nothing with %s; want %s, %s", c.rules, points, nothing, c.points, c.nothing)
		}
	}
}

// BenchmarkSolve solves a turn, as each table with the house bold does once for
// each time that it is read.
func BenchmarkSolve(b *testing.B) {
	for b.Loop() {
		read(games.Rules{"entry": "500"}).turn(false)
	}
}
