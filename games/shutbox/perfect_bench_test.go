package shutbox

import (
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
)

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{
		{"score, 9 tiles", "", 1},
		{"score, 12 tiles", "tiles=12", 1},
		{"pool of 2, 9 tiles", "", 2},
		{"pool of 6, 9 tiles", "", 6},
		{"pool of 10, 9 tiles", "", 10},
		{"pool of 6, 12 tiles", "tiles=12", 6},
		{"pool of 6, 9 tiles, digits", "score=digits", 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Game{}).Solve(gametest.RulesOf(c.rules), c.seats); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWorths asks what the moves of one position are worth.
func BenchmarkWorths(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules string
		seats int
	}{{"score, 9 tiles", "", 1}, {"pool of 6, 9 tiles", "", 6}, {"pool of 10, 12 tiles", "tiles=12", 10}} {
		p, m := solve(b, gametest.RulesOf(c.rules), c.seats)
		ask := func(b *testing.B, m games.Match) {
			for b.Loop() {
				if _, err := p.Worths(m, 0); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run(c.name+", before a throw", func(b *testing.B) { ask(b, m) })
		m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
		b.Run(c.name+", after 11", func(b *testing.B) { ask(b, m) })
	}
}
