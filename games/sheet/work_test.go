package sheet_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
)

// work solves a sheet and counts what that took.
func work(tb testing.TB, g games.Solver) sheet.Work {
	tb.Helper()
	solved, err := g.Solve(nil, 1)
	if err != nil {
		tb.Fatal(err)
	}
	return solved.(*sheet.Perfect).Work()
}

// TestWorkIsWrittenDown compares what is left to be computed with docs/performance.md.
func TestWorkIsWrittenDown(t *testing.T) {
	text, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []sheet.Game{sets.Kniffel(), sets.Yatzy()} {
		w := work(t, g)
		row := fmt.Sprintf("| %s | %s | %s | %s |", strings.ToUpper(g.Name()[:1])+g.Name()[1:], grouped(w.Positions),
			grouped(w.Additions), grouped(w.Maxima))
		if !strings.Contains(string(text), row) {
			t.Errorf("docs/performance.md lacks %q", row)
		}
	}
}

// grouped spells a number with a comma before each three digits.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
