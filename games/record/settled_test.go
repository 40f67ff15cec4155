package record_test

import (
	"strconv"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest/either"
	"knobel/games/money"
	"knobel/games/record"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// poker returns the terms of a match of Würfelpoker for three.
func poker(rules games.Rules) record.Terms {
	return record.Terms{
		Table: "7", Game: wuerfelpoker.New(), Rules: rules, Unit: "chips", Seed: dice.SeriesSeed(3, 3),
		Seats: []record.Seat{
			{Name: "Anna", Entropy: "seven swans"},
			{Name: "house greedy", House: "greedy", Entropy: "house"},
			{Name: "house random", House: "random", Entropy: "house"},
		},
	}
}

// TestEveryOptionIsVerified plays and verifies a match, or several with KNOBEL_TEST_LONG=1, under every value of every
// option.
func TestEveryOptionIsVerified(t *testing.T) {
	plays := 1
	if isLong() {
		plays = 5
	}
	for _, o := range wuerfelpoker.New().Options() {
		for _, value := range o.Values {
			for i := range plays {
				terms := poker(games.Rules{o.Name: value})
				terms.Seed = dice.SeriesSeed(1, i)
				r := play(t, terms)
				if faults := record.Verify(r, all, &record.Solutions{}); len(faults) > 0 {
					t.Errorf("%s=%s: %q", o.Name, value, faults)
				}
				sum := int64(0)
				for _, row := range r.Result {
					sum += row.Difference.N
				}
				if sum != 0 {
					t.Errorf("%s=%s: the differences add up to %d", o.Name, value, sum)
				}
			}
		}
	}
}

func TestNobodySitsWithAStakeWithoutAPool(t *testing.T) {
	terms := poker(nil)
	terms.Stake = 10
	if _, err := record.Sit(terms); err == nil {
		t.Error("a stake is taken by a game without a pool")
	}
	s, err := record.Sit(poker(games.Rules{"point": "1"}))
	check(t, err)
	if _, err := s.Record(); err == nil {
		t.Error("a match is settled before its end")
	}
}

// oweTerms returns the terms of the game g, which has no pool, for three. Anna throws 1, Ben 6, the computer player 4.
func oweTerms(g games.Game) record.Terms {
	terms := coins()
	terms.Game, terms.Box, terms.Seed = g, 0, dice.SeriesSeed(3, 43)
	terms.Seats[2].House = "left"
	return terms
}

// TestWhoWasOutPaysInARecord checks the payments if Ben, who threw most, has left the game for good.
func TestWhoWasOutPaysInARecord(t *testing.T) {
	for g, want := range map[games.Game][]int64{either.Loser(): {10, -20, 10}, either.Lids(): {90, -120, 30}} {
		r := play(t, oweTerms(g))
		after := 1
		r.Moves[1].Auto, r.Seats[1].Out = true, &after
		if faults := record.Verify(r, all, &record.Solutions{}); len(faults) == 0 {
			t.Errorf("%s: whoever is out is paid", g.Name())
		}
		settled, err := money.Owe(r.Shape, r.Stake, resultOf(r), r.OutOf())
		check(t, err)
		for i, row := range resultOf(r).Without(r.OutOf()).Rows {
			r.Result[i].Place, r.Result[i].Settlement = row.Place, &settled.Amounts[i]
		}
		for seat, amount := range want {
			if got := r.Result[seat].Amount(); got != amount {
				t.Errorf("%s: seat %d has %d, want %d", g.Name(), seat, got, amount)
			}
		}
		if faults := record.Verify(r, all, &record.Solutions{}); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
	}
}

// resultOf returns the result that the rows of r hold.
func resultOf(r record.Record) games.Result {
	var result games.Result
	for _, row := range r.Result {
		result.Rows = append(result.Rows, games.Row{Score: *row.Score, Threw: true, Place: row.Place})
	}
	return result
}

// settledBy returns the terms of a match of the test game "either" with three seats: Anna throws 1, Ben 6 and the
// computer player 4.
func settledBy(rules games.Rules, stake int64) record.Terms {
	terms := coins()
	terms.Game, terms.Rules, terms.Stake, terms.Seed = either.Game{}, rules, stake, dice.SeriesSeed(3, 43)
	if stake == 0 {
		terms.Box = 0
	}
	return terms
}

func TestNobodySitsWithAStakeWhereTheRulesHaveNone(t *testing.T) {
	if _, err := record.Sit(settledBy(games.Rules{"settle": "difference"}, 10)); err == nil {
		t.Error("a stake is taken where differences are settled")
	}
	if _, err := record.Sit(settledBy(games.Rules{"settle": "pool"}, 10)); err != nil {
		t.Error(err)
	}
}

// TestNoSeatGainsByRounding plays 4,000 tables of each size and checks that no seat gains or loses units by rounding,
// while the rounding of older records favours the lower seats. Records of both kinds must have no faults.
func TestNoSeatGainsByRounding(t *testing.T) {
	const tables = 4000
	for seats := 2; seats <= 4; seats++ {
		gained, before := make([]float64, seats), make([]float64, seats)
		for number := range tables {
			terms := record.Terms{Table: strconv.Itoa(number + 1), Game: either.Game{}, Unit: "chips",
				Rules: games.Rules{"point": "1", "dice": "2"}, Seed: dice.SeriesSeed(1, number)}
			for range seats {
				terms.Seats = append(terms.Seats, record.Seat{House: "random", Entropy: dice.HouseEntropy})
			}
			r := play(t, terms)
			differences := make([]money.Difference, seats)
			for i, row := range r.Result {
				differences[i] = *row.Difference
			}
			old, err := money.Round(differences, 1, 0)
			check(t, err)
			same := true
			for i, d := range differences {
				exact := float64(d.N) / float64(d.D)
				gained[i] += float64(*r.Result[i].Settlement) - exact
				before[i] += float64(old.Amounts[i]) - exact
				same = same && old.Amounts[i] == *r.Result[i].Settlement
			}
			if number >= 100 {
				continue
			}
			checkFaults(t, record.Verify(r, all, &record.Solutions{}), nil)
			r.Rounding = ""
			if faults := record.Verify(r, all, &record.Solutions{}); (len(faults) == 0) != same {
				t.Errorf("%d seats, table %s without its rounding: %q", seats, r.Table, faults)
			}
			for i := range differences {
				r.Result[i].Settlement = &old.Amounts[i]
			}
			checkFaults(t, record.Verify(r, all, &record.Solutions{}), nil)
		}
		for i := range seats {
			if gained[i] /= tables; gained[i] > 0.03 || gained[i] < -0.03 {
				t.Errorf("seat %d of %d gains %+.3f a table", i, seats, gained[i])
			}
		}
		if before[0] /= tables; before[0] < 0.15 {
			t.Errorf("of %d seats the lowest gained %+.3f a table before", seats, before[0])
		}
	}
}

// TestPointsBesideTheTotal checks that a record of Balut has points besides the total, and that they decide places and
// differences.
func TestPointsBesideTheTotal(t *testing.T) {
	balut := sets.Balut()
	for _, rules := range []games.Rules{nil, {"settle": "pool"}} {
		r := play(t, record.Terms{Table: "7", Game: balut, Rules: rules, Unit: "chips", Seed: dice.SeriesSeed(3, 3),
			Seats: []record.Seat{{Name: "Anna", Entropy: "a"}, {Name: "Ben", Entropy: "b"}}})
		line := encode(t, r)
		for seat, row := range r.Result {
			if row.Total == nil || row.Counts == nil || row.Score != nil {
				t.Fatalf("seat %d has %+v: %s", seat, row, line)
			}
			if points, scored := row.Points(); !scored || points != *row.Counts {
				t.Errorf("seat %d counts %d, %t", seat, points, scored)
			}
		}
		decoded, err := record.Decode([]byte(line))
		check(t, err)
		if faults := record.Verify(decoded, all, &record.Solutions{}); len(faults) > 0 {
			t.Fatalf("%v: %v", rules, faults)
		}
		if !strings.Contains(line, `,"points":`) {
			t.Errorf("got %s", line)
		}
		*decoded.Result[0].Counts++
		faults := record.Verify(decoded, all, &record.Solutions{})
		if len(faults) == 0 || !strings.Contains(faults[0].String(), "points") {
			t.Errorf("other points: %v", faults)
		}
	}
}
