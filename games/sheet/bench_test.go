package sheet_test

import (
	"fmt"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// BenchmarkHint asks for all moves after a first throw: what a hint takes.
func BenchmarkHint(b *testing.B) {
	for _, g := range []games.Solver{wuerfelpoker.New(), sets.Kniffel()} {
		b.Run(g.Name(), func(b *testing.B) {
			solved, err := g.Solve(nil, 2)
			if err != nil {
				b.Fatal(err)
			}
			m, _ := g.New(nil, 2)
			m, _, _ = games.Play(m, 0, "throw", &dice.Fair{Table: "test"})
			for b.Loop() {
				if _, err := solved.Worths(m, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSolve computes perfect play of whole sheets.
func BenchmarkSolve(b *testing.B) {
	for _, of := range []struct {
		game  games.Solver
		rules games.Rules
	}{
		{wuerfelpoker.New(), nil},
		{wuerfelpoker.New(), games.Rules{"order": "free"}},
		{wuerfelpoker.New(), games.Rules{"order": "free", "miss": "deferred"}},
		{sets.Kniffel(), nil},
		{sets.Kniffel(), games.Rules{"further": "100", "joker": "forced"}},
		{sets.Yatzy(), nil},
		{sets.Kismet(), nil},
	} {
		b.Run(fmt.Sprint(of.game.Name(), of.rules), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := of.game.Solve(of.rules, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
