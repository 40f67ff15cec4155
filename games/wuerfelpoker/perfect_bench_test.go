package wuerfelpoker

import (
	"testing"
	"time"

	"knobel/games"
)

// TestSolverIsFast compares with the plain recursion over the same positions.
func TestSolverIsFast(t *testing.T) {
	const rows = 1<<pair | 1<<poker | 1<<fullHouse
	r := read(games.Rules{})
	fast := time.Hour
	fill := func() { // before and after, so that both see the same weather
		for range 25 {
			began := time.Now()
			newTable(r, rows).fill()
			fast = min(fast, time.Since(began))
		}
	}
	fill()
	began := time.Now()
	newPlainly(r, rows).worth(plainState{open: rows, left: 3})
	slow := time.Since(began)
	fill()
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
		if _, err := p.Worths(m, 0); err != nil {
			b.Fatal(err)
		}
	}
}
