package review

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/fakes"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// player returns the costs of a player with n decisions, each of which has a random cost with the probability often.
func player(name string, often float64, n int, chance *rand.Rand) playerCosts {
	s := playerCosts{name: name, n: float64(n)}
	for range n {
		if chance.Float64() < often {
			cost := chance.ExpFloat64()
			s.costs += cost
			s.square += cost * cost
		}
	}
	return s
}

// TestEqualPlayersAreNotRanked simulates many evenings of equally good players: only rarely may one be called better,
// however many players there are.
func TestEqualPlayersAreNotRanked(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, people := range []int{2, 6} {
		wrong := 0
		const evenings = 400
		for range evenings {
			var list []playerCosts
			for range people {
				list = append(list, player("x", 0.3, 200, chance))
			}
			if said := comparisonLines(list); said[0].Key != "bot.skill.chance" {
				wrong++
			}
		}
		if wrong > evenings/10 {
			t.Errorf("of %d evenings of %d equals %d ended in a verdict", evenings, people, wrong)
		}
	}
}

func TestBetterDecisionsAreNamed(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	list := []playerCosts{player("Anna", 0.05, 500, chance), player("Ben", 0.5, 500, chance),
		player("Clara", 0.5, 500, chance)}
	said := comparisonLines(list)
	if len(said) != 3 || said[0].Args["Better"] != "Anna" || said[1].Args["Worse"] != "Clara" ||
		said[2].Key != "bot.skill.others-chance" {
		t.Errorf("%v", said)
	}
	few := []playerCosts{player("Anna", 0, 500, chance), player("Ben", 1, leastDecisions-1, chance)}
	if said := comparisonLines(few); len(said) != 1 || said[0].Key != "bot.skill.too-few" {
		t.Errorf("of few decisions it is said: %v", said)
	}
	flawless := []playerCosts{player("Anna", 0, 500, chance), player("Ben", 0, 500, chance)}
	if said := comparisonLines(flawless); said[0].Key != "bot.skill.chance" {
		t.Errorf("of two who never err it is said: %v", said)
	}
}

// TestLuckIsToldByWhatIsAtStake checks the lines about luck and mistakes of games with one roll per seat.
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

// The moves of old games are counted and then deleted. If those of one game cannot be counted, they are kept, the error
// is reported once, and the moves of other games are deleted all the same.
func TestAFaultyGameKeepsNoOtherFromLosingItsMoves(t *testing.T) {
	st := storetest.Open(t)
	g := shutbox.Game{}
	said := wordstest.Of(t, g)
	now := fakes.NewClockAt(time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC), false)
	core := bot.New(bot.Config{Store: st, Games: []games.Game{g}, Words: said, Clock: now, KeepMoves: LeastKept})
	b := New(standings.New(table.New(core.Bot)))
	faulty := oldTable(t, st, store.Over, 7) // 7 is not a face of its dice
	other := oldTable(t, st, store.Abandoned, 6)
	_, err := b.dropMoves(t.Context(), core)
	if err == nil || !strings.Contains(err.Error(), "move 1 shows a 7") {
		t.Errorf("of the faulty game: %v", err)
	}
	if _, err := b.dropMoves(t.Context(), core); err != nil {
		t.Errorf("the faulty game once more: %v", err)
	}
	for table, moves := range map[int64]int{faulty: 1, other: 0} {
		err := st.View(t.Context(), func(tx *store.Tx) error {
			left, err := tx.Tables.Moves(table)
			if len(left) != moves {
				t.Errorf("table %d has %d moves, want %d", table, len(left), moves)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// oldTable stores a table in the given state that ended long ago after one roll, which showed face. It returns its id.
func oldTable(t *testing.T, st *store.Store, state string, face int) int64 {
	t.Helper()
	table := store.Table{
		Chat: "test:1", Place: "test:1/" + state, Game: shutbox.Game{}.Name(), Rules: map[string]string{},
		Unit: "chips", Origin: store.Origin{Opener: "test:anna"},
		State: state, Dice: store.Dice{Seed: make([]byte, 32)}, Turn: 1,
		Clock: store.Clock{TurnLimit: store.DefaultLimit}, Version: 1, Changed: 1000,
		Seats: []store.Seat{{Player: "test:anna", Name: "Anna", Confirmed: true}},
	}
	err := st.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) (err error) {
		if table.ID, err = tx.Tables.AddTable(table); err != nil {
			return err
		}
		if err := tx.Tables.AddMove(table.ID, store.Move{Move: "throw 2", Dice: []int{face, 1}}); err != nil ||
			state != store.Over {
			return err
		}
		return tx.Tables.Finish(table.ID, 1000, 0, []store.Result{{Place: 1, Turns: 1}})
	})
	if err != nil {
		t.Fatal(err)
	}
	return table.ID
}
