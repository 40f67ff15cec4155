package record_test

import (
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest/coin"
	"knobel/games/money"
	"knobel/games/record"
)

// outOfCoins is a game of coin for three with 4 units in the box, which two of
// them would share; one of these, Ben, was out.
func outOfCoins(t *testing.T) record.Record {
	r := play(t, coins())
	r.Moves = slices.Clone(r.Moves)
	r.Moves[1].Auto = true
	after := 1
	r.Seats[1].Out = &after
	r.Result[0].Place, r.Result[1].Place, r.Result[2].Place = 2, 3, 1
	r.Result[1].Pool, r.Result[2].Pool = -10, 24
	return r
}

// TestWhoWasOutWinsNothingInARecord, and whoever changes who was out is found out.
func TestWhoWasOutWinsNothingInARecord(t *testing.T) {
	at := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		change func(*record.Record)
		want   []string
	}{
		"nothing changed": {func(*record.Record) {}, nil},
		"nobody was out": {func(r *record.Record) { r.Seats[1].Out = nil },
			[]string{"seat 1: the place is 3, the moves give 1", "seat 1: the amount is -10, the pool gives 7"}},
		"another was out": {func(r *record.Record) { r.Seats[0].Out, r.Seats[1].Out = at(0), nil },
			[]string{"move 1, seat 0: it was out after move 0"}},
		"one more was out": {func(r *record.Record) { r.Moves[0].Auto, r.Seats[0].Out = true, at(0) },
			[]string{"somebody has to be left"}},
		"out after its move": {func(r *record.Record) { r.Seats[1].Out = at(2) },
			[]string{"seat 1: nothing was played for it after move 2"}},
		"out after the end": {func(r *record.Record) { r.Seats[1].Out = at(3) },
			[]string{"seat 1: it cannot have been out after move 3 of 3"}},
		"out before all": {func(r *record.Record) { r.Seats[1].Out = at(-1) },
			[]string{"seat 1: it cannot have been out after move -1 of 3"}},
		"it played itself": {func(r *record.Record) { r.Moves[1].Auto = false },
			[]string{"move 2, seat 1: it was out after move 1, so it cannot have made this move itself"}},
		"the house was out": {func(r *record.Record) { r.Seats[2].Out, r.Moves[2].Auto = at(2), true },
			[]string{"seat 2: a house seat cannot be out"}},
		"it has won": {func(r *record.Record) { r.Result[1].Pool, r.Result[2].Pool = 7, 7 },
			[]string{"seat 1: the amount is 7, the pool gives -10"}},
		"it came first": {func(r *record.Record) { r.Result[1].Place = 1 },
			[]string{"seat 1: the place is 1, the moves give 3"}},
		"for fun": {func(r *record.Record) { r.Stake = 0 },
			[]string{"nobody can be out where there is no stake to lose"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := outOfCoins(t)
			c.change(&r)
			checkFaults(t, record.Verify(r, known), c.want)
		})
	}
}

// TestNoLeafOfARecordWithSomebodyOutCanBeChanged, but for the marks of who was
// absent where all that followed was played for them.
func TestNoLeafOfARecordWithSomebodyOutCanBeChanged(t *testing.T) {
	terms := tenCoins()
	terms.Seed, terms.Box = dice.SeriesSeed(3, 8), 7
	r := play(t, terms)
	best := r.Result[slices.IndexFunc(r.Result, func(row record.Row) bool {
		return row.Place == 1 && r.Seats[row.Seat].House == ""
	})]
	after := int(best.Seat)
	r.Moves[after].Auto, r.Seats[best.Seat].Out = true, &after
	m, err := coin.Game{}.New(nil, len(r.Seats))
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range r.Moves {
		m, _, _ = games.Play(m, move.Seat, move.Move, dice.NewFallen(move.Dice))
	}
	result, _ := m.Result()
	result = result.Without(r.OutOf())
	settled, err := money.Open(terms.Stake, len(r.Seats), terms.Box).Settle(result.Winners, result.Doubles)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range result.Rows {
		r.Result[i].Place, r.Result[i].Pool = row.Place, settled.Amounts[i]
	}
	r.Box = record.BoxOf(settled)
	silent = append(silent, ".seats[].out")
	defer func() { silent = silent[:len(silent)-1] }()
	checkLeaves(t, encode(t, r), known, 150)
	line := encode(t, r)
	again, err := record.Decode([]byte(line))
	if err != nil || encode(t, again) != line {
		t.Errorf("%v: %s", err, line)
	}
}
