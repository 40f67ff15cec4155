package store_test

import (
	"errors"
	"testing"

	"knobel/store"
)

// settled is the result of a game of 10, 10 and 11 points, worth 2 units each.
func settled() []store.Result {
	amount := func(n int64) *int64 { return &n }
	return []store.Result{
		{Seat: 0, Score: 10, Threw: true, Place: 2, Difference: store.Difference{N: -1, D: 3}, Settlement: amount(-1)},
		{Seat: 1, Score: 10, Threw: true, Place: 2, Difference: store.Difference{N: -1, D: 3}, Settlement: amount(0)},
		{Seat: 2, Score: 11, Threw: true, Place: 1, Difference: store.Difference{N: 2, D: 3}, Settlement: amount(1)},
	}
}

// settle ends a table without a pool by a result and what is paid for it.
func settle(tx *store.Tx, table store.Table, rows []store.Result, entries ...store.Entry) error {
	table.State = store.Over
	return errors.Join(tx.Tables.SaveTable(table), tx.Books.Post(posting(table, store.Payout, entries...)),
		tx.Tables.Finish(table.ID, 5, 3, rows))
}

// friendly adds a table that is being played without stakes.
func friendly(t *testing.T, s *store.Store, place string) store.Table {
	t.Helper()
	table := opened(t, s, place)
	table.Stake, table.State, table.Match = 0, store.Playing, []byte("match")
	update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
	return table
}

var paid = []store.Entry{{Account: "player:test:anna", Amount: -1}, {Account: "house:fewest", Amount: 1}}

func TestDifferencesThatAreNotThoseOfTheScores(t *testing.T) {
	s := fresh(t)
	table := friendly(t, s, "test:one")
	for name, change := range map[string]func([]store.Result) []store.Result{
		"one more":     func(r []store.Result) []store.Result { r[0].Difference.N++; return r },
		"of two seats": func(r []store.Result) []store.Result { r[0].Difference.D = 2; return r },
		"missing": func(r []store.Result) []store.Result {
			r[1].Difference = store.Difference{}
			r[1].Settlement = nil
			return r
		},
		"another score": func(r []store.Result) []store.Result { r[2].Score++; return r },
		"unpaid":        func(r []store.Result) []store.Result { *r[1].Settlement = 1; return r },
		"a row too few": func(r []store.Result) []store.Result { return r[:2] },
		"paid to others": func(r []store.Result) []store.Result {
			r[0].Settlement, r[2].Settlement = r[2].Settlement, r[0].Settlement
			return r
		},
		"owed, and unpaid": func(r []store.Result) []store.Result {
			for i := range r {
				r[i].Difference = store.Difference{}
			}
			*r[1].Settlement = 1
			return r
		},
		"paid, and no unit": func(r []store.Result) []store.Result { r[0].Settlement = nil; return r },
	} {
		err := s.Update(t.Context(), func(tx *store.Tx) error { return settle(tx, table, change(settled()), paid...) })
		if !errors.Is(err, store.ErrUnbalanced) {
			t.Errorf("%s: %v", name, err)
		}
	}
	update(t, s, func(tx *store.Tx) error { return settle(tx, table, settled(), paid...) })
	sound(t, s)
}
