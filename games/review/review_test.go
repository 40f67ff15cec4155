package review_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/record"
	"knobel/games/review"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
)

// check ends the test on an error.
var check = gametest.Check

// played plays a game between the computer players in terms and returns its record; number selects the dice.
func played(t testing.TB, terms record.Terms, number int) record.Record {
	t.Helper()
	terms.Table, terms.Unit, terms.Seed = fmt.Sprint(number+1), "chips", dice.SeriesSeed(7, number)
	s, err := record.Sit(terms)
	check(t, err)
	for {
		_, moved, err := s.PlayHouse()
		check(t, err)
		if !moved {
			break
		}
	}
	r, err := s.Record()
	check(t, err)
	return r
}

// seated returns a computer player for each of the strategies houses.
func seated(houses ...string) []record.Seat {
	var seats []record.Seat
	for _, h := range houses {
		seats = append(seats, record.Seat{House: h, Entropy: dice.HouseEntropy})
	}
	return seats
}

// near is the largest rounding error that the tests accept.
const near = 1e-9

// checkIdentity checks for every seat that the parts of its review add up to its result, that decisions gain nothing,
// and that moves without dice have no luck.
func checkIdentity(t testing.TB, r review.Review, rec record.Record) {
	t.Helper()
	for i, s := range r.Seats {
		sum := s.Start + s.Dice + s.Decisions + s.PlayedFor + s.OthersDice + s.OthersDecisions + s.Box
		if math.Abs(sum-s.Result) > near {
			t.Fatalf("table %s, seat %d: the parts %+v add up to %v", rec.Table, i, s, sum)
		}
		if s.Decisions > near*float64(len(r.Moves)) || math.Abs(s.Decisions+s.Costs) > near*float64(len(r.Moves)+1) {
			t.Fatalf("table %s, seat %d: decisions brought %v and cost %v", rec.Table, i, s.Decisions, s.Costs)
		}
	}
	for i := range r.Moves {
		for seat := range r.Seats {
			if luck := r.Luck(i, games.Seat(seat)); len(r.Moves[i].Dice) == 0 && math.Abs(luck) > near {
				t.Fatalf("table %s, move %d: without dice seat %d had a luck of %v", rec.Table, i+1, seat, luck)
			}
		}
	}
}

// ofThree returns the perfect play under the rules of transcript: three tiles, one die, two seats.
func ofThree(t *testing.T) games.Perfect {
	t.Helper()
	solved, err := shutbox.Game{}.Solve(games.Rules{"tiles": "1-3", "dice": "1d6"}, 2)
	check(t, err)
	return solved
}

// transcript returns the record of a game of Anna and Ben on the tiles 1 to 3 with one die. Each of moves is a text
// such as "Anna: throw 1 = 3" or "Ben: auto shut 2+1" (played for Ben).
func transcript(moves ...string) record.Record {
	rec := record.Record{Table: "1", Game: "shutbox", Rules: games.Rules{"tiles": "1-3", "dice": "1d6"}, Stake: 10,
		Seats: make([]record.Seat, 2)}
	for _, said := range moves {
		var m record.Move
		seat, rest, _ := strings.Cut(said, ": ")
		move, face, threw := strings.Cut(rest, " = ")
		m.Move, m.Auto = games.Move(strings.TrimPrefix(move, "auto ")), strings.HasPrefix(move, "auto ")
		if seat == "Ben" {
			m.Seat = 1
		}
		if threw {
			m.Dice = []int{int(face[0] - '0')}
		}
		rec.Moves = append(rec.Moves, m)
	}
	rec.Result = []record.Row{{Seat: 0, Pool: -10}, {Seat: 1, Pool: 10}}
	return rec
}

func TestReviewNamesTheBetterMove(t *testing.T) {
	rec := transcript("Anna: throw 1 = 3", "Anna: shut 3", "Anna: throw 1 = 4", "Ben: throw 1 = 3",
		"Ben: auto shut 2+1", "Ben: throw 1 = 3", "Ben: shut 3")
	r, err := review.Of(ofThree(t), shutbox.Game{}, rec)
	check(t, err)
	checkIdentity(t, r, rec)
	anna, ben := r.Seats[0], r.Seats[1]
	if anna.Count != 1 || ben.Count != 0 || ben.Absent != 1 {
		t.Errorf("Anna decided %d times, Ben %d times, and %d times somebody for him", anna.Count, ben.Count,
			ben.Absent)
	}
	if anna.Costliest != -1 || anna.Costs != 0 {
		t.Errorf("closing the highest tile cost Anna %v", anna.Costs)
	}
	// Ben must leave less open than Anna, who left 3. If he leaves 2+1 open, a 1, 2 or 3 helps; if he leaves 3 open,
	// only a 3 does.
	auto := r.Moves[4]
	if !slices.Equal(auto.Best, []games.Move{"shut 3"}) || auto.Cost <= 0 || ben.PlayedFor != -auto.Cost ||
		ben.Decisions != 0 {
		t.Errorf("of the move that was played for Ben the review says %+v, of Ben %+v", auto, ben)
	}
	if r.Seats[0].Costliest+r.Seats[1].Costliest != -2 {
		t.Error("a move that was played for somebody is held against them")
	}
	rec.Moves[4].Auto = false
	if r, err = review.Of(ofThree(t), shutbox.Game{}, rec); err != nil || r.Seats[1].Costliest != 4 ||
		r.Seats[1].Count != 1 {
		t.Errorf("as Ben's own decision it is %+v, %v", r.Seats[1], err)
	}
}

func TestReviewOfARecordThatCannotBeFollowed(t *testing.T) {
	for name, spoil := range map[string]func(*record.Record){
		"a move that is not legal":  func(r *record.Record) { r.Moves[1].Move = "shut 1" },
		"dice too few":              func(r *record.Record) { r.Moves[0].Dice = nil },
		"dice too many":             func(r *record.Record) { r.Moves[0].Dice = []int{3, 3} },
		"dice without a throw":      func(r *record.Record) { r.Moves[1].Dice = []int{3} },
		"a face that no die has":    func(r *record.Record) { r.Moves[0].Dice = []int{7} },
		"a game that is not over":   func(r *record.Record) { r.Moves = r.Moves[:3] },
		"a result of too few seats": func(r *record.Record) { r.Result = r.Result[:1] },
		"rules that do not stand":   func(r *record.Record) { r.Rules = games.Rules{"tiles": "0"} },
		"a move after the end":      func(r *record.Record) { r.Moves = append(r.Moves, r.Moves[0]) },
		"seats that nobody has":     func(r *record.Record) { r.Moves[0].Seat = 5 },
	} {
		rec := transcript("Anna: throw 1 = 3", "Anna: shut 3", "Anna: throw 1 = 4", "Ben: throw 1 = 3", "Ben: shut 3",
			"Ben: throw 1 = 3", "Ben: shut 2+1")
		if _, err := review.Of(ofThree(t), shutbox.Game{}, rec); err != nil {
			t.Fatal(err)
		}
		spoil(&rec)
		if _, err := review.Of(ofThree(t), shutbox.Game{}, rec); err == nil {
			t.Errorf("%s is reviewed", name)
		}
	}
}

// TestNoReviewWhereASeatWasOut checks that a game is refused if a seat has left it for good.
func TestNoReviewWhereASeatWasOut(t *testing.T) {
	g, rules := shutbox.Game{}, games.Rules{"tiles": "4"}
	rec := played(t, record.Terms{Game: g, Rules: rules, Stake: 10, Seats: seated("random", "random")}, 1)
	perfect, err := new(record.Solutions).Of(g, rec.Rules, 2)
	check(t, err)
	after := 0
	rec.Seats[1].Out = &after
	_, err = review.Of(perfect, g, rec)
	if refused, ok := games.Refused(err); !ok || refused.Key != "games.review-out" {
		t.Errorf("%v", err)
	}
}

// sheetRules returns random rules of g, once with each settlement, as far as Check accepts them.
func sheetRules(g games.Game, chance *rand.Rand) []games.Rules {
	drawn := games.Rules{}
	for _, o := range g.Options() {
		if o.Name != games.Settle && o.Name != games.Hints && o.Name != "point" {
			drawn[o.Name] = o.Values[chance.IntN(len(o.Values))]
		}
	}
	var all []games.Rules
	for _, settle := range []games.Shape{games.ShapeDifference, games.ShapePool} {
		rules := games.Rules{games.Settle: string(settle)}
		for name, value := range drawn {
			rules[name] = value
		}
		if canonical, err := g.Check(rules); err == nil {
			all = append(all, canonical)
		}
	}
	return all
}

// TestReviewsOfSheetsAddUp checks reviews of all games with a score sheet, under random options and both settlements.
func TestReviewsOfSheetsAddUp(t *testing.T) {
	draws, matches := 2, 2
	if _, long, _ := testExtent(); long {
		draws, matches = 12, 25
	}
	chance, solved := rand.New(rand.NewPCG(16, 9)), solutions{}
	for _, g := range sets.All() {
		unsolved := g.Name() == "yamb" || g.Name() == "maxi-yatzy"
		reviewed := 0
		for drawn := 0; drawn < draws || reviewed == 0 && !unsolved && drawn < 20; drawn++ {
			for _, rules := range sheetRules(g, chance) {
				for _, seats := range []int{1, 3} {
					a, can := solved.solve(t, g, rules, seats)
					if !can {
						continue
					}
					if pool := rules[games.Settle] == string(games.ShapePool); pool != games.AimsAtTotal(g, rules) &&
						g.Name() != "balut" {
						t.Errorf("%v: perfect play aims at the total: %t", a, !pool)
					}
					for n := range matches {
						a.checkReview(t, n, 0)
						reviewed++
					}
				}
			}
		}
		if reviewed == 0 && !unsolved {
			t.Errorf("no game of %s was reviewed", g.Name())
		}
	}
}

// TestReviewOfAMatchWonAtOnce checks reviews of matches won by a throw: results are still totals less their average.
func TestReviewOfAMatchWonAtOnce(t *testing.T) {
	a, can := solutions{}.solve(t, sets.Generala(), games.Rules{"served": "wins"}, 3)
	if !can {
		t.Fatal("there is no perfect play")
	}
	won := 0
	for n := 0; won < 3 && n < 2000; n++ {
		rec := a.playMixed(t, n, 0)
		last := rec.Moves[len(rec.Moves)-1]
		if !strings.HasPrefix(string(last.Move), "throw") {
			continue
		}
		won++
		r, err := review.Of(a.solved, a.game, rec)
		check(t, err)
		checkIdentity(t, r, rec)
		checkBooks(t, a, r, rec)
		checkExpected(t, a, r, rec)
	}
	if won < 3 {
		t.Errorf("%d matches were won at once", won)
	}
}
