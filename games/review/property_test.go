package review_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/record"
	"knobel/games/review"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// testExtent returns how much the tests play: the number of games, whether also under every value of every option
// (long), and the numbers of seats. With KNOBEL_TEST_LONG set it is much more.
func testExtent() (games int, long bool, seats []int) {
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		return 10_000, true, []int{1, 2, 3, 4, 5, 6}
	}
	return 100, false, []int{1, 2, 5}
}

// solvedGame is a game with rules, a number of seats, and their perfect play.
type solvedGame struct {
	game   games.Game
	rules  games.Rules
	seats  int
	solved games.Perfect
}

// String returns the game, its rules and its number of seats.
func (a solvedGame) String() string { return fmt.Sprint(a.game.Name(), a.rules, " ", a.seats) }

// solutions caches perfect play, by game, rules and number of seats as returned by Alike.
type solutions map[string]games.Perfect

// solve returns g with its perfect play, cached in all, and true; false if there is none for rules and seats.
func (all solutions) solve(t testing.TB, g games.Game, rules games.Rules, seats int) (solvedGame, bool) {
	t.Helper()
	solver, solves := g.(games.Solver)
	if !solves {
		return solvedGame{}, false
	}
	canonical, err := g.Check(rules)
	if err != nil {
		t.Fatalf("%s %v: %v", g.Name(), rules, err)
	}
	if least, most := g.Seats(canonical); seats < least || seats > most {
		return solvedGame{}, false
	}
	alike, n, err := solver.Alike(canonical, seats)
	if _, refused := games.Refused(err); refused {
		return solvedGame{}, false
	}
	check(t, err)
	key := fmt.Sprint(g.Name(), alike, n)
	if all[key] == nil {
		if all[key], err = solver.Solve(alike, n); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	return solvedGame{g, canonical, seats, all[key]}, true
}

// playMixed returns the record of a game between random strategies, perfect play among them, with some moves marked as
// played for absent players. number selects the strategies and the dice; box is the amount in the jackpot before.
func (a solvedGame) playMixed(t testing.TB, number int, box int64) record.Record {
	t.Helper()
	chance := rand.New(rand.NewPCG(uint64(number), 4))
	terms := record.Terms{
		Table: fmt.Sprint(number + 1), Game: a.game, Rules: a.rules, Seats: seated(make([]string, a.seats)...),
		Unit: "chips", Seed: dice.SeriesSeed(11, number), Box: box,
	}
	if a.game.Shape(a.rules).Staked() && a.seats > 1 {
		terms.Stake = 1 + int64(chance.IntN(30))
	}
	s, err := record.Sit(terms)
	check(t, err)
	houses := a.game.Houses()
	plays := make([]games.House, a.seats)
	for i := range plays {
		plays[i] = houses[chance.IntN(len(houses))]
		if plays[i].Solved || chance.IntN(3) == 0 {
			plays[i].Choose = func(m games.Match, s games.Seat, _ games.Rand) games.Move {
				worths, err := a.solved.Worths(m, s)
				check(t, err)
				best, _ := games.Best(worths, s)
				return best.Move
			}
		}
	}
	for len(s.Match().Turn()) > 0 {
		seat := s.Match().Turn()[0]
		if _, err := s.Play(seat, plays[seat].Choose(s.Match(), seat, chance)); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := s.Record()
	check(t, err)
	for i := range rec.Moves {
		rec.Moves[i].Auto = chance.IntN(20) == 0
	}
	return rec
}

// everyRules returns the rules of all variants and, if options is true, of each value of each option.
func everyRules(g games.Game, options bool) []games.Rules {
	var all []games.Rules
	for _, v := range g.Variants() {
		all = append(all, v.Rules)
	}
	for _, o := range g.Options() {
		for _, value := range o.Values[1:] {
			_, err := g.Check(games.Rules{o.Name: value})
			if err == nil && o.Name != games.Hints && options {
				all = append(all, games.Rules{o.Name: value})
			}
		}
	}
	return all
}

// TestReviewsAddUp checks that the parts of each review add up to its result, which must agree with the amounts
// booked, for Shut the Box and Würfelpoker. Only one game in five is Würfelpoker, because it takes long.
func TestReviewsAddUp(t *testing.T) {
	many, long, seatings := testExtent()
	solved := solutions{}
	for game, share := range map[games.Game]int{shutbox.Game{}: many * 4 / 5, wuerfelpoker.New(): many / 5} {
		var kinds []solvedGame
		for i, rules := range everyRules(game, long) {
			for _, seats := range seatings {
				if i >= len(game.Variants()) && seats%3 != i%3 {
					continue // each value of an option is tested with only a third of the numbers of seats
				}
				if a, can := solved.solve(t, game, rules, seats); can {
					kinds = append(kinds, a)
				}
			}
		}
		if len(kinds) < len(seatings) {
			t.Fatalf("%s: only %d kinds of games can be solved", game.Name(), len(kinds))
		}
		boxes := make([]int64, len(kinds))
		for n := range share {
			boxes[n%len(kinds)] += kinds[n%len(kinds)].checkReview(t, n, boxes[n%len(kinds)])
		}
	}
}

// checkReview plays a game with playMixed and checks its review. It returns by how much the jackpot has grown.
func (a solvedGame) checkReview(t *testing.T, number int, box int64) int64 {
	t.Helper()
	rec := a.playMixed(t, number, box)
	r, err := review.Of(a.solved, a.game, rec)
	if err != nil {
		t.Fatalf("%v: %v", a, err)
	}
	checkIdentity(t, r, rec)
	checkBooks(t, a, r, rec)
	if number%10 == 0 {
		checkExpected(t, a, r, rec)
	}
	if rec.Box == nil {
		return 0
	}
	return rec.Box.Out - rec.Box.In
}

// checkBooks checks that the results of r equal the amounts booked in rec, and that after each move the expected values
// of the seats add up to zero.
func checkBooks(t testing.TB, a solvedGame, r review.Review, rec record.Record) {
	t.Helper()
	for i, row := range rec.Result {
		got := r.Seats[i].Result
		switch {
		case r.ForTotal:
			if a.seats > 1 && math.Abs(got-aboveAverage(t, rec, i)) > near {
				t.Fatalf("%v: the total of seat %d is %v above the average, its review says %v", a, i,
					aboveAverage(t, rec, i), got)
			}
		case r.Measure == games.Share && rec.Stake > 0:
			if math.Abs(got*float64(rec.Stake)-float64(row.Pool)) > near*float64(rec.Stake) {
				t.Fatalf("%v: seat %d was booked %d, its review says %v", a, i, row.Pool, got)
			}
		case r.Measure == games.Difference && a.seats > 1:
			if math.Abs(got*float64(row.Difference.D)-float64(row.Difference.N)) > near {
				t.Fatalf("%v: seat %d has %+v, its review says %v", a, i, row.Difference, got)
			}
		}
	}
	if r.Measure == games.Par || a.seats == 1 {
		return
	}
	for i, m := range r.Moves {
		sum := 0.0
		for _, value := range m.Expect {
			sum += value
		}
		if math.Abs(sum) > 1e-8 {
			t.Fatalf("%v: after move %d the seats expect %v together", a, i+1, sum)
		}
	}
}

// aboveAverage returns the total of seat minus the average of all totals.
func aboveAverage(t testing.TB, rec record.Record, seat int) float64 {
	t.Helper()
	sum := 0
	for _, row := range rec.Result {
		if row.Total == nil {
			t.Fatalf("a row has no total: %+v", row)
		}
		sum += *row.Total
	}
	return float64(*rec.Result[seat].Total) - float64(sum)/float64(len(rec.Result))
}

// checkExpected checks that the expected values before each move equal those of the best move, for every seat.
func checkExpected(t testing.TB, a solvedGame, r review.Review, rec record.Record) {
	t.Helper()
	m, err := a.game.New(rec.Rules, len(rec.Seats))
	check(t, err)
	for i, move := range rec.Moves {
		values, err := a.solved.Expect(m)
		check(t, err)
		for seat, value := range values {
			if math.Abs(value-r.Before(i)[seat]) > near {
				t.Fatalf("%v: before move %d seat %d expects %v, by the best move %v", a, i+1, seat, value,
					r.Before(i)[seat])
			}
		}
		thrown := dice.NewFallen(move.Dice)
		m, _, err = games.Play(m, move.Seat, move.Move, thrown)
		check(t, err)
	}
}

// BenchmarkReview reviews games whose solution is cached, and reports the time per decision.
func BenchmarkReview(b *testing.B) {
	for _, g := range []games.Game{shutbox.Game{}, wuerfelpoker.New(), sets.Kniffel(), sets.Yatzy()} {
		b.Run(g.Name(), func(b *testing.B) {
			a, can := solutions{}.solve(b, g, nil, 4)
			if !can {
				b.Fatal("there is no perfect play")
			}
			rec := a.playMixed(b, 1, 0)
			decisions := 0
			for b.Loop() {
				r, err := review.Of(a.solved, a.game, rec)
				check(b, err)
				for _, s := range r.Seats {
					decisions += s.Count + s.Absent
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(decisions), "ns/decision")
		})
	}
}
