package record_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest/coin"
	"knobel/games/money"
	"knobel/games/record"
	"knobel/games/wuerfelpoker"
)

var settling = []games.Game{coin.Game{}, wuerfelpoker.New()}

// poker is a match of Würfelpoker for three.
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

func TestARecordOfDifferences(t *testing.T) {
	line := encode(t, play(t, poker(games.Rules{"point": "5"})))
	begins := `{"record":1,"table":"7","game":"wuerfelpoker","rules":{"point":"5"},"unit":"chips",` +
		`"rounding":"turned","seats":[`
	ends := `"result":[{"seat":0,"total":119,"place":1,"difference":{"n":200,"d":3},"settlement":333},` +
		`{"seat":1,"total":55,"place":2,"difference":{"n":8,"d":3},"settlement":14},` +
		`{"seat":2,"total":-17,"place":3,"difference":{"n":-208,"d":3},"settlement":-347}]}`
	if !strings.HasPrefix(line, begins) || !strings.HasSuffix(line, ends) {
		t.Errorf("got %s … %s", line[:len(begins)], line[len(line)-len(ends):])
	}
	again, err := record.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if got := encode(t, again); got != line {
		t.Errorf("got  %s\nwant %s", got, line)
	}
	for i, want := range []struct {
		points int
		amount int64
	}{{119, 333}, {55, 14}, {-17, -347}} {
		row := again.Result[i]
		if points, scored := row.Points(); points != want.points || !scored || row.Amount() != want.amount {
			t.Errorf("seat %d has %d points and %d units", i, points, row.Amount())
		}
	}
	if plain := encode(t, play(t, poker(nil))); strings.Contains(plain, "settlement") ||
		strings.Contains(plain, "stake") {
		t.Errorf("points alone are told as %s", plain)
	}
}

func TestNoLeafOfDifferencesCanBeChanged(t *testing.T) {
	terms := poker(games.Rules{"point": "5"})
	if !long() {
		terms.Seats = terms.Seats[:2]
	}
	checkLeaves(t, encode(t, play(t, terms)), settling, 500)
}

// TestEveryOptionIsVerified plays a match, or more with KNOBEL_TEST_LONG=1, under every value of every option.
func TestEveryOptionIsVerified(t *testing.T) {
	plays := 1
	if long() {
		plays = 5
	}
	for _, o := range wuerfelpoker.New().Options() {
		for _, value := range o.Values {
			for i := range plays {
				terms := poker(games.Rules{o.Name: value})
				terms.Seed = dice.SeriesSeed(1, i)
				r := play(t, terms)
				if faults := record.Verify(r, settling); len(faults) > 0 {
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

func TestFaultsOfDifferences(t *testing.T) {
	five := int64(5)
	for name, c := range map[string]struct {
		change func(*record.Record)
		want   []string
	}{
		"nothing changed": {func(*record.Record) {}, nil},
		"a total": {func(r *record.Record) { *r.Result[0].Total = 120 },
			[]string{"seat 0: the total is 120, the moves give 119"}},
		"no total": {func(r *record.Record) { r.Result[0].Total = nil },
			[]string{"seat 0: the total is none, the moves give 119"}},
		"a place": {func(r *record.Record) { r.Result[0].Place = 2 },
			[]string{"seat 0: the place is 2, the moves give 1"}},
		"a difference": {func(r *record.Record) { r.Result[0].Difference.N++ },
			[]string{"seat 0: the difference is 201/3, the totals give 200/3",
				"the differences add up to 1, not to 0"}},
		"a reduced difference": {func(r *record.Record) { r.Result[0].Difference = &money.Difference{N: 128, D: 6} },
			[]string{"seat 0: the difference is 128/6, the totals give 200/3"}},
		"a settlement": {func(r *record.Record) { *r.Result[0].Settlement++ },
			[]string{"seat 0: the settlement is 334, the differences give 333",
				"the settlements add up to 1, not to 0"}},
		"no settlement": {func(r *record.Record) { r.Result[0].Settlement = nil },
			[]string{"seat 0: the settlement is none, the differences give 333",
				"the settlements add up to -333, not to 0"}},
		"a settlement of points alone": {func(r *record.Record) { r.Rules = nil; r.Result[0].Settlement = &five },
			[]string{"seat 0: the settlement is 5, the differences give none"}},
		"another rounding": {func(r *record.Record) { r.Rounding = "up" }, []string{`it cannot be rounded as "up"`}},
		"a rounding of points alone": {func(r *record.Record) { r.Rules = nil },
			[]string{`it cannot be rounded as "turned"`}},
		"a rounding at a table without a number": {func(r *record.Record) { r.Table = "seven" },
			[]string{"the seed demands"}},
		"what nobody can lose": {func(r *record.Record) { r.Result[0].Difference.N = -1 << 62 },
			[]string{"seat 0: nobody can win or lose so much"}},
		"rows out of order": {func(r *record.Record) { r.Result[1], r.Result[2] = r.Result[2], r.Result[1] },
			[]string{"row 2 of the result names seat 2, not seat 1"}},
		"a row less": {func(r *record.Record) { r.Result = r.Result[:2] },
			[]string{"the result has 2 rows for 3 seats"}},
		"a pool": {func(r *record.Record) { r.Result = []record.Row{{}} },
			[]string{"the result does not fit the game: it settles differences, not a pool"}},
		"a stake": {func(r *record.Record) {
			r.Stake = 10
		}, []string{"there is no stake and no box where there is no pool"}},
		"the points of a rule": {func(r *record.Record) { r.Rules = games.Rules{"point": "6"} },
			[]string{"seat 0: the settlement is 333, the differences give 400"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, poker(games.Rules{"point": "5"}))
			c.change(&r)
			checkFaults(t, record.Verify(r, settling), c.want)
		})
	}
	r := play(t, coins())
	r.Result = play(t, poker(nil)).Result
	checkFaults(t, record.Verify(r, settling),
		[]string{"the result does not fit the game: it is played for a pool, not for differences"})
}

func TestDecodeOfDifferencesIsStrict(t *testing.T) {
	line := encode(t, play(t, poker(games.Rules{"point": "5"})))
	for name, c := range map[string]struct{ old, new, want string }{
		"a stake":             {`"unit"`, `"stake":10,"unit"`, `record: the key "stake" is unknown`},
		"a box":               {`"unit"`, `"box":{"in":1,"out":0},"unit"`, `record: the key "box" is unknown`},
		"a score":             {`"total":119`, `"total":119,"score":119`, `result[0]: the key "score" is unknown`},
		"a pool":              {`"settlement":333`, `"pool":333`, `result[0]: the key "pool" is unknown`},
		"no total":            {`"total":119,`, ``, `result[0]: the key "total" is missing`},
		"a difference of one": {`{"n":200,"d":3}`, `{"n":200}`, `result[0].difference: the key "d" is missing`},
		"a fraction":          {`{"n":200,"d":3}`, `21.3`, `result[0].difference: an object must stand here`},
		"half a point":        {`"n":200`, `"n":200.5`, "cannot stand here"},
		"null": {`"settlement":333`, `"settlement":null`,
			"result[0].settlement: null cannot stand here"},
	} {
		if !strings.Contains(line, c.old) {
			t.Fatalf("%s: %s is not in %s", name, c.old, line)
		}
		_, err := record.Decode([]byte(strings.Replace(line, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
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
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Settlement(); err == nil {
		t.Error("a match is settled before its end")
	}
}
