package sheet_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// TestWhatIsTooLargeIsNotSolved checks that the solution is a nil interface if solving is refused, as callers assume.
func TestWhatIsTooLargeIsNotSolved(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
	}{
		{sets.MaxiYatzy(), nil},
		{sets.MaxiYatzy(), games.Rules{"saved": "yes"}},
		{sets.Yamb(), nil},
		{sets.Escalero(), games.Rules{"columns": "3"}},
	} {
		_, _, err := c.game.Alike(c.rules, 1)
		if _, refused := games.Refused(err); !refused {
			t.Errorf("%s %v is solved: %v", c.game.Name(), c.rules, err)
		}
		if solved, err := c.game.Solve(c.rules, 1); err == nil || solved != nil {
			t.Errorf("%s %v: %T is the perfect play of what is not solved: %v", c.game.Name(), c.rules, solved, err)
		}
	}
}

// BenchmarkHint evaluates all moves after a first throw, as a hint does.
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

// BenchmarkSolve computes perfect play of whole sheets: MiB is the peak memory of the process so far.
func BenchmarkSolve(b *testing.B) {
	for _, of := range []struct {
		name  string
		game  games.Solver
		rules games.Rules
	}{
		{"wuerfelpoker", wuerfelpoker.New(), nil},
		{"wuerfelpoker-free", wuerfelpoker.New(), games.Rules{"order": "free"}},
		{"wuerfelpoker-free-deferred", wuerfelpoker.New(), games.Rules{"order": "free", "miss": "deferred"}},
		{"kniffel", sets.Kniffel(), nil},
		{"yahtzee", sets.Kniffel(), games.Rules{"further": "100", "joker": "forced"}},
		{"yatzy", sets.Yatzy(), nil},
		{"kismet", sets.Kismet(), nil},
	} {
		b.Run(of.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := of.game.Solve(of.rules, 1); err != nil {
					b.Fatal(err)
				}
			}
			status, _ := os.ReadFile("/proc/self/status") // exists on Linux only
			if _, held, there := bytes.Cut(status, []byte("VmHWM:")); there {
				var kib float64
				_, _ = fmt.Sscan(string(held), &kib)
				b.ReportMetric(kib/1024, "MiB")
			}
		})
	}
}
