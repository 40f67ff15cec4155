package shutbox

import (
	"testing"

	"knobel/games"
)

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules games.Rules
		seats int
	}{
		{"score of 9 tiles", games.Rules{}, 1},
		{"score of 12 tiles", games.Rules{"tiles": "12"}, 1},
		{"pool of 2 seats", games.Rules{}, 2},
		{"pool of 6 seats", games.Rules{}, 6},
		{"pool of 10 seats", games.Rules{}, 10},
		{"pool of 6 seats, 12 tiles", games.Rules{"tiles": "12"}, 6},
		{"pool of 6 seats, digits", games.Rules{"score": "digits"}, 6},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (Game{}).Solve(c.rules, c.seats); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
