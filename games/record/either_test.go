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
)

var eithers = []games.Game{either.Game{}}

// settledBy is a game of either for three by rules, for a stake. Anna throws 1, Ben 6 and the house 4.
func settledBy(rules games.Rules, stake int64) record.Terms {
	terms := coins()
	terms.Game, terms.Rules, terms.Stake, terms.Seed = either.Game{}, rules, stake, dice.SeriesSeed(3, 43)
	if stake == 0 {
		terms.Box = 0
	}
	return terms
}

func TestARecordIsShapedByItsRules(t *testing.T) {
	for name, c := range map[string]struct {
		terms        record.Terms
		begins, ends string
	}{
		"a pool": {settledBy(games.Rules{"settle": "pool"}, 10),
			`"rules":{"settle":"pool"},"stake":10,"unit":"chips",`,
			`"result":[{"seat":0,"total":1,"place":3,"pool":-10},{"seat":1,"total":6,"place":1,"pool":24},` +
				`{"seat":2,"total":4,"place":2,"pool":-10}],"box":{"in":4,"out":0}}`},
		"a friendly pool": {settledBy(games.Rules{"settle": "pool"}, 0),
			`"rules":{"settle":"pool"},"stake":0,"unit":"chips",`,
			`"result":[{"seat":0,"total":1,"place":3,"pool":0},{"seat":1,"total":6,"place":1,"pool":0},` +
				`{"seat":2,"total":4,"place":2,"pool":0}]}`},
		"differences": {settledBy(nil, 0),
			`"rules":{},"unit":"chips",`,
			`"result":[{"seat":0,"total":1,"place":3,"difference":{"n":-8,"d":3}},` +
				`{"seat":1,"total":6,"place":1,"difference":{"n":7,"d":3}},` +
				`{"seat":2,"total":4,"place":2,"difference":{"n":1,"d":3}}]}`},
		"with a point": {settledBy(games.Rules{"settle": "difference", "point": "5"}, 0),
			`"rules":{"point":"5"},"unit":"chips","rounding":"turned",`,
			`"result":[{"seat":0,"total":1,"place":3,"difference":{"n":-8,"d":3},"settlement":-14},` +
				`{"seat":1,"total":6,"place":1,"difference":{"n":7,"d":3},"settlement":12},` +
				`{"seat":2,"total":4,"place":2,"difference":{"n":1,"d":3},"settlement":2}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			line := encode(t, play(t, c.terms))
			if !strings.HasPrefix(line, `{"record":1,"table":"7","game":"either",`+c.begins) ||
				!strings.HasSuffix(line, c.ends) {
				t.Errorf("got %s", line)
			}
			again, err := record.Decode([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if got := encode(t, again); got != line {
				t.Errorf("got  %s\nwant %s", got, line)
			}
			if faults := record.Verify(again, eithers); len(faults) > 0 {
				t.Errorf("%q", faults)
			}
			checkLeaves(t, line, eithers, 60)
		})
	}
}

// TestARecordOfTheOtherShapeIsForged: the rows of the one under the rules of the other, and the rules that go with them
// at the wrong rows.
func TestARecordOfTheOtherShapeIsForged(t *testing.T) {
	pool := play(t, settledBy(games.Rules{"settle": "pool"}, 10))
	differences := play(t, settledBy(nil, 0))
	for name, c := range map[string]struct {
		rules games.Rules
		rows  record.Record
		want  string
	}{
		"differences, by the rules of a pool": {pool.Rules, differences,
			"it is played for a pool, not for differences"},
		"a pool, by the rules of differences": {differences.Rules, pool, "it settles differences, not a pool"},
		"a pool, by rules that say it out": {games.Rules{"settle": "difference"}, pool,
			"it settles differences, not a pool"},
		"a pool, by no settlement of the game": {games.Rules{"settle": "own-points"}, pool, "the rules do not stand"},
		"a pool with a point": {games.Rules{"settle": "pool", "point": "5"}, pool,
			"the rules do not stand"},
	} {
		t.Run(name, func(t *testing.T) {
			forged := c.rows
			forged.Rules = c.rules
			again, err := record.Decode([]byte(encode(t, forged)))
			if err != nil {
				t.Fatal(err)
			}
			checkFaults(t, record.Verify(again, eithers), []string{c.want})
		})
	}
}

// TestARowOfTheOtherShapeIsForged: among the others, or with keys of both.
func TestARowOfTheOtherShapeIsForged(t *testing.T) {
	pool := encode(t, play(t, settledBy(games.Rules{"settle": "pool"}, 10)))
	differences := encode(t, play(t, settledBy(nil, 0)))
	for name, c := range map[string]struct{ line, old, new, want string }{
		"a pool among differences": {differences, `"difference":{"n":7,"d":3}`, `"pool":20`,
			`result[1]: the key "pool" is unknown`},
		"a difference in a pool": {pool, `"pool":24`, `"difference":{"n":7,"d":3}`,
			`result[1]: the key "difference" is unknown`},
		"both":           {differences, `"difference":{"n":7,"d":3}`, `"pool":20,"difference":{"n":7,"d":3}`, "is unknown"},
		"a score":        {pool, `"total":6`, `"score":6`, `result[1]: the key "score" is unknown`},
		"a first score":  {pool, `"total":1`, `"score":1`, `result[1]: the key "total" is unknown`},
		"two words":      {pool, `"total":1`, `"score":1,"total":1`, `result[0]: the key "total" is unknown`},
		"no total":       {pool, `"total":1,`, ``, `result[0]: the key "score" is missing`},
		"nothing thrown": {pool, `"total":6`, `"total":null`, "null cannot stand here"},
	} {
		if strings.Count(c.line, c.old) != 1 {
			t.Fatalf("%s: %s is not in %s", name, c.old, c.line)
		}
		_, err := record.Decode([]byte(strings.Replace(c.line, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	scores, err := record.Decode([]byte(strings.ReplaceAll(pool, `"total"`, `"score"`)))
	if err != nil {
		t.Fatal(err)
	}
	checkFaults(t, record.Verify(scores, eithers), []string{"seat 0: the score is 1, the moves give none",
		"seat 0: the total is none, the moves give 1"})
}

func TestNobodySitsWithAStakeWhereTheRulesHaveNone(t *testing.T) {
	if _, err := record.Sit(settledBy(games.Rules{"settle": "difference"}, 10)); err == nil {
		t.Error("a stake is taken where differences are settled")
	}
	if _, err := record.Sit(settledBy(games.Rules{"settle": "pool"}, 10)); err != nil {
		t.Error(err)
	}
}

// TestNoSeatGainsByRounding plays 4,000 tables of each size: booked units less exact ones add up to nearly nothing for
// every seat, where rounding as before favours the lower seats. Either way the record proves what it says.
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
			if err != nil {
				t.Fatal(err)
			}
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
			checkFaults(t, record.Verify(r, eithers), nil)
			r.Rounding = ""
			if faults := record.Verify(r, eithers); (len(faults) == 0) != same {
				t.Errorf("%d seats, table %s without its rounding: %q", seats, r.Table, faults)
			}
			for i := range differences {
				r.Result[i].Settlement = &old.Amounts[i]
			}
			checkFaults(t, record.Verify(r, eithers), nil)
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
