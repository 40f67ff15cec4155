package record_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest/coin"
	"knobel/games/gametest/owing"
	"knobel/games/money"
	"knobel/games/record"
)

var owed = []games.Game{coin.Game{}, owing.Loser(), owing.Lids()}

// owe is a game for three without a pool. Anna throws 1, Ben 6 and the house 4.
func owe(g games.Game) record.Terms {
	terms := coins()
	terms.Game, terms.Box, terms.Seed = g, 0, dice.SeriesSeed(3, 43)
	terms.Seats[2].House = "left"
	return terms
}

func TestARecordNamesItsShape(t *testing.T) {
	for g, ends := range map[games.Game]string{
		owing.Loser(): `"result":[{"seat":0,"score":1,"place":3,"settlement":-20},` +
			`{"seat":1,"score":6,"place":1,"settlement":10},` +
			`{"seat":2,"score":4,"place":2,"settlement":10}]}`,
		owing.Lids(): `"result":[{"seat":0,"score":1,"place":1,"settlement":80},` +
			`{"seat":1,"score":6,"place":3,"settlement":-70},` +
			`{"seat":2,"score":4,"place":2,"settlement":-10}]}`,
	} {
		line := encode(t, play(t, owe(g)))
		begins := `{"record":1,"table":"7","game":"` + g.Name() + `","rules":{},"shape":"` +
			string(g.Shape(nil)) + `","stake":10,"unit":"chips",`
		if !strings.HasPrefix(line, begins) || !strings.HasSuffix(line, ends) {
			t.Errorf("got %s", line)
		}
		again, err := record.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, again); got != line {
			t.Errorf("got  %s\nwant %s", got, line)
		}
		if faults := record.Verify(again, owed); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
		terms := owe(g)
		terms.Stake = 0
		if line := encode(t, play(t, terms)); strings.Count(line, `"settlement":0}`) != 3 {
			t.Errorf("for fun it is %s", line)
		}
	}
}

func TestNoLeafOfAnOwedRecordCanBeChanged(t *testing.T) {
	for _, g := range owed[1:] {
		terms := tenCoins()
		terms.Game, terms.Box = g, 0
		terms.Seats[2].House = "left"
		checkLeaves(t, encode(t, play(t, terms)), owed, 150)
	}
}

func TestFaultsOfWhatIsOwed(t *testing.T) {
	for name, c := range map[string]struct {
		game   games.Game
		change func(*record.Record)
		want   []string
	}{
		"nothing changed": {owing.Loser(), func(*record.Record) {}, nil},
		"a settlement": {owing.Loser(), func(r *record.Record) { *r.Result[0].Settlement++ },
			[]string{"seat 0: the settlement is -19, the result gives -20", "the settlements add up to 1, not to 0"}},
		"no settlement": {owing.Lids(), func(r *record.Record) { r.Result[1].Settlement = nil },
			[]string{"seat 1: the settlement is none, the result gives -70", "the settlements add up to 70, not to 0"}},
		"another pays": {owing.Loser(), func(r *record.Record) {
			r.Result[0].Settlement, r.Result[1].Settlement = r.Result[1].Settlement, r.Result[0].Settlement
		}, []string{"seat 0: the settlement is 10, the result gives -20",
			"seat 1: the settlement is -20, the result gives 10"}},
		"a pool": {owing.Loser(), func(r *record.Record) { r.Result[0].Pool = 1 },
			[]string{"seat 0: the amount is 1, the pool gives 0"}},
		"a score": {owing.Lids(), func(r *record.Record) { *r.Result[0].Score = 2 },
			[]string{"seat 0: the score is 2, the moves give 1"}},
		"a place": {owing.Lids(), func(r *record.Record) { r.Result[0].Place = 2 },
			[]string{"seat 0: the place is 2, the moves give 1"}},
		"the stake": {owing.Loser(), func(r *record.Record) { r.Stake = 11 },
			[]string{"seat 0: the settlement is -20, the result gives -22"}},
		"a box": {owing.Loser(), func(r *record.Record) { r.Box = &record.Box{} },
			[]string{"there is no box where there is no pool"}},
		"the other shape": {owing.Loser(), func(r *record.Record) { r.Shape = games.ShapeOwnPoints },
			[]string{`the result does not fit the game: it is settled by "last-pays", not by "own-points"`}},
		"the shape of a pool": {owing.Lids(), func(r *record.Record) { r.Shape = "" },
			[]string{`the result does not fit the game: it is settled by "own-points", not by "pool"`}},
		"a shape for a pool": {coin.Game{}, func(r *record.Record) { r.Shape = games.ShapeLastPays },
			[]string{`the result does not fit the game: it is settled by "pool", not by "last-pays"`}},
	} {
		t.Run(name, func(t *testing.T) {
			terms := owe(c.game)
			if c.game.Shape(nil) == games.ShapePool {
				terms = coins()
			}
			r := play(t, terms)
			c.change(&r)
			checkFaults(t, record.Verify(r, owed), c.want)
		})
	}
}

// TestWhoWasOutPaysInARecord: Ben, who threw most, was out.
func TestWhoWasOutPaysInARecord(t *testing.T) {
	for g, want := range map[games.Game][]int64{owing.Loser(): {10, -20, 10}, owing.Lids(): {90, -120, 30}} {
		r := play(t, owe(g))
		after := 1
		r.Moves[1].Auto, r.Seats[1].Out = true, &after
		if faults := record.Verify(r, owed); len(faults) == 0 {
			t.Errorf("%s: whoever is out is paid", g.Name())
		}
		settled, err := money.Owe(r.Shape, r.Stake, resultOf(r), r.OutOf())
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range resultOf(r).Without(r.OutOf()).Rows {
			r.Result[i].Place, r.Result[i].Settlement = row.Place, &settled.Amounts[i]
		}
		for seat, amount := range want {
			if got := r.Result[seat].Amount(); got != amount {
				t.Errorf("%s: seat %d has %d, want %d", g.Name(), seat, got, amount)
			}
		}
		if faults := record.Verify(r, owed); len(faults) > 0 {
			t.Errorf("%q", faults)
		}
	}
}

// resultOf is the result that the rows of a record tell.
func resultOf(r record.Record) games.Result {
	var result games.Result
	for _, row := range r.Result {
		result.Rows = append(result.Rows, games.Row{Score: *row.Score, Threw: true, Place: row.Place})
	}
	return result
}

func TestDecodeOfAShapeIsStrict(t *testing.T) {
	line := encode(t, play(t, owe(owing.Loser())))
	for name, c := range map[string]struct{ old, new, want string }{
		"no shape":          {`"shape":"last-pays",`, ``, `result[0]: the key "settlement" is unknown`},
		"the shape of none": {`"last-pays"`, `"first-pays"`, `record: the key "shape" is unknown`},
		"that of a pool":    {`"last-pays"`, `"pool"`, `record: the key "shape" is unknown`},
		"a number":          {`"last-pays"`, `1`, `record: the key "shape" is unknown`},
		"a box":             {`"unit"`, `"box":{"in":1,"out":0},"unit"`, `record: the key "box" is unknown`},
		"a total":           {`"score":1`, `"score":1,"total":1`, `result[0]: the key "total" is unknown`},
		"no settlement":     {`,"settlement":-20`, ``, `result[0]: the key "settlement" is missing`},
		"half a chip":       {`"settlement":-20`, `"settlement":-20.5`, "cannot stand here"},
		"no stake":          {`"stake":10,`, ``, `record: the key "stake" is missing`},
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
