package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestLuckIsToldByWhatIsAtStake has luck and mistakes told of games, one throw a seat.
func TestLuckIsToldByWhatIsAtStake(t *testing.T) {
	pool, poker := shutbox.Game{}, wuerfelpoker.New()
	share, points := string(games.Share), string(games.Difference)
	for _, c := range []struct {
		name      string
		game      games.Game
		measure   string
		stake     int64
		dice      []float64 // luck by seat
		decisions []float64
		result    []float64
		absent    []int
		want      string
	}{
		{"a stake of one", pool, share, 1, []float64{-0.4, -0.3, 0.6},
			[]float64{0, -0.2, -0.05}, []float64{-1, -1, 2}, nil,
			"0 unlucky no-mistake, 1 unlucky mistakes, 2 lucky small-mistake"},
		{"a stake of a million", pool, share, 1e6, []float64{-0.05, 0.09, 0.8},
			[]float64{0, 0, 0}, []float64{-1, -1, 2}, nil,
			"0 even no-mistake, 1 even no-mistake, 2 lucky no-mistake"},
		{"much for a game with little luck", pool, share, 10, []float64{0.05, -0.05},
			[]float64{0, 0}, []float64{1, -1}, nil,
			"0 lucky no-mistake, 1 unlucky no-mistake"},
		{"points", poker, points, 0, []float64{2.9, -3.1, 40},
			[]float64{-2.9, -3.1, 0}, []float64{30, 15, -45}, nil,
			"0 even small-mistake, 1 unlucky mistakes, 2 lucky no-mistake"},
		{"who was played for, and who did not throw", pool, share, 5, []float64{0.5, 0, -0.5}, []float64{0, 0, 0},
			[]float64{2, -1, -1}, []int{2}, "0 lucky no-mistake"},
		{"all were unlucky", pool, share, 5, []float64{-0.5, -0.9, -0.7},
			[]float64{0, 0, 0}, []float64{2, -1, -1}, nil,
			"0 least-unlucky no-mistake, 1 unlucky no-mistake, 2 unlucky no-mistake"},
		{"all but the house were", pool, share, 5, []float64{-0.5, -0.9, 0.7},
			[]float64{0, 0, 0}, []float64{-1, -1, 2}, nil,
			"0 unlucky no-mistake, 1 unlucky no-mistake"},
		{"a draw", pool, share, 5, []float64{0, 0}, []float64{0, 0}, []float64{0, 0}, nil, ""},
	} {
		table := store.Table{Stake: c.stake, Seats: make([]store.Seat, len(c.dice))}
		if strings.Contains(c.name, "house") {
			table.Seats[2].House = "house:perfect"
		}
		kept, steps := store.Review{Measure: c.measure}, reviewSteps{}
		var moves []store.Move
		for seat, luck := range c.dice {
			kept.Seats = append(kept.Seats, store.ReviewSeat{Dice: luck, Decisions: c.decisions[seat],
				Result: c.result[seat]})
			if luck != 0 {
				after := make([]float64, len(c.dice))
				after[seat] = luck
				steps.Moves = append(steps.Moves, reviewStep{Expect: after})
				moves = append(moves, store.Move{Seat: seat, Dice: []int{6}})
			}
		}
		steps.Moves = slices.Concat(steps.Moves, []reviewStep{{Expect: make([]float64, len(c.dice))}})
		moves = append(moves, store.Move{})
		var said []string
		for _, line := range (reviewed{table, c.game, kept, steps}).luckLines(moves, c.absent) {
			short := func(arg string) string {
				return strings.TrimPrefix(line.Args[arg].(games.Line).Key, "bot.review.")
			}
			said = append(said, fmt.Sprintf("%d %s %s", line.Args["Seat"], short("Luck"), short("Mistakes")))
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
