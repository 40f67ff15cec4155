package store_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"knobel/store"
	"knobel/store/storetest"
)

// poolAccount returns the name of the account of a table's pool.
func poolAccount(table int64) string { return fmt.Sprintf("pool:%d", table) }

func TestPostRefuses(t *testing.T) {
	anna := func(n int64) store.Entry { return store.Entry{Account: "player:test:anna", Amount: n} }
	box := func(n int64) store.Entry { return store.Entry{Account: "box", Amount: n} }
	tests := map[string][]store.Entry{
		"a sum above zero":         {anna(10), box(-9)},
		"a sum below zero":         {anna(-10), box(9)},
		"one entry":                {anna(1)},
		"no account":               {{Amount: 3}, anna(-3)},
		"a sum that wraps to zero": {anna(1 << 62), anna(1 << 62), anna(1 << 62), anna(1 << 62)},
		"an overdrawn box":         {anna(1), box(-1)},
	}
	s := openNew(t)
	for name, entries := range tests {
		t.Run(name, func(t *testing.T) {
			err := s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.Books.Post(store.Posting{Chat: "test:chat", Unit: "chips", Kind: store.Payout,
					Entries: entries})
			})
			if !errors.Is(err, store.ErrUnbalanced) {
				t.Errorf("got %v", err)
			}
			if sum := balance(t, s, "test:chat", "player:test:anna"); sum != 0 {
				t.Errorf("it left %d", sum)
			}
		})
	}
}

// TestPostingsOfNothing checks that Post accepts a posting without entries, or with amounts of 0 only.
func TestPostingsOfNothing(t *testing.T) {
	s := openNew(t)
	table := addLobby(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(
			tx.Books.Post(posting(table, store.Stakes)),
			tx.Books.Post(posting(table, store.Stakes, store.Entry{Account: "box"},
				store.Entry{Account: poolAccount(table.ID)})),
		)
	})
	wantNoFaults(t, s)
}

func TestNothingIsPaidTwice(t *testing.T) {
	s := openNew(t)
	playing, over := addPlaying(t, s, "test:one"), addFinished(t, s, "test:two")
	for range 2 { // a seat may change hands several times
		update(t, s, func(tx *store.Tx) error {
			return tx.Books.Post(posting(playing, store.HandedOver,
				store.Entry{Account: "player:test:anna", Amount: 10},
				store.Entry{Account: "player:test:clara", Amount: -10}))
		})
	}
	for name, p := range map[string]store.Posting{
		"stakes again": stakes(playing),
		"payout again": payout(over),
		"refund after a payout": posting(over, store.Refund, store.Entry{Account: poolAccount(over.ID), Amount: -30},
			store.Entry{Account: "box", Amount: 30}),
	} {
		if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Books.Post(p) }); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Tables.Finish(over.ID, 5, 3, result())
	}); err == nil {
		t.Error("a table finishes twice")
	}
	wantNoFaults(t, s)
}

func TestATableEndsWithItsResultAndItsBooks(t *testing.T) {
	s := openNew(t)
	table := addPlaying(t, s, "test:place")
	over := table
	over.State, over.Turn = store.Over, 0
	abandoned := table
	abandoned.State = store.Abandoned
	inBox := over
	inBox.BoxOut = 1
	short := result()[:2]
	wrong := result()
	wrong[0].Pool, wrong[1].Pool = 19, -9
	for name, change := range map[string]func(*store.Tx) error{
		"over without a result": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(over), tx.Books.Post(payout(table)))
		},
		"a result while it is played": func(tx *store.Tx) error {
			return tx.Tables.Finish(table.ID, 5, 3, result())
		},
		"a result that lacks a seat": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(over), tx.Books.Post(payout(table)), tx.Tables.Finish(table.ID, 5,
				3, short))
		},
		"over with a full pool": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(over), tx.Tables.Finish(table.ID, 5, 3, result()))
		},
		"a result that the books do not show": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(over), tx.Books.Post(payout(table)), tx.Tables.Finish(table.ID, 5,
				3, wrong))
		},
		"a box that the books do not show": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(inBox), tx.Books.Post(payout(table)), tx.Tables.Finish(table.ID, 5,
				3, result()))
		},
		"abandoned without a refund": func(tx *store.Tx) error { return tx.Tables.SaveTable(abandoned) },
		"abandoned with another payment": func(tx *store.Tx) error {
			return errors.Join(tx.Tables.SaveTable(abandoned), tx.Books.Post(payout(table)))
		},
	} {
		if err := s.Update(t.Context(), change); !errors.Is(err, store.ErrUnbalanced) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if failed := s.Commits().Failed; failed > 0 {
		t.Errorf("%d count as commits that the database did not take", failed)
	}
	wantNoFaults(t, s)
}

func TestBoxesAreHeldAndFilled(t *testing.T) {
	s := openNew(t)
	want := store.Box{Chat: "test:chat", Unit: "chips", Holder: "test:ben", Since: 77, Times: 2, Inside: 3}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Books.GiveBox(want.Chat, want.Unit, []string{"test:anna"}, 1),
			tx.Books.GiveBox(want.Chat, want.Unit, []string{"test:anna", "house:random"}, 2),
			tx.Books.GiveBox(want.Chat, want.Unit, []string{"test:ben", "test:carl"}, want.Since),
			tx.Books.GiveBox(want.Chat, want.Unit, []string{"test:carl", "test:ben"}, 99),
			tx.Books.Post(store.Posting{Chat: want.Chat, Unit: want.Unit, Kind: store.Payout, Entries: []store.Entry{
				{Account: "box", Amount: 3}, {Account: "house:random", Amount: -3}}}))
	})
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Books.Box(want.Chat, want.Unit)
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if other, err := tx.Books.Box(want.Chat, "coffees"); err != nil || other.Inside != 0 || other.Holder != "" {
			t.Errorf("the box of another unit: %+v, %v", other, err)
		}
		return err
	})
}

// TestBooksAddToZeroWhateverIsPosted checks sums and balances after random postings, some of which are refused.
func TestBooksAddToZeroWhateverIsPosted(t *testing.T) {
	s := reopen(t, storetest.Empty(t))
	balances := map[[3]string]int64{}
	rapid.Check(t, func(r *rapid.T) {
		p := store.Posting{
			Chat: rapid.SampledFrom([]string{"test:1", "test:2"}).Draw(r, "chat"),
			Unit: rapid.SampledFrom([]string{"chips", "coffees"}).Draw(r, "unit"),
			Kind: store.Payout,
		}
		accounts := rapid.SampledFrom([]string{"player:a", "player:b", "house:random", "pool:1"})
		var sum int64
		for _, amount := range rapid.SliceOfN(rapid.Int64Range(-1000, 1000), 0, 5).Draw(r, "amounts") {
			p.Entries = append(p.Entries, store.Entry{Account: accounts.Draw(r, "account"), Amount: amount})
			sum += amount
		}
		if rapid.Bool().Draw(r, "balanced") {
			p.Entries = append(p.Entries, store.Entry{Account: accounts.Draw(r, "last"), Amount: -sum})
			sum = 0
		}
		err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Books.Post(p) })
		if (err == nil) != (sum == 0) {
			r.Fatalf("%+v: %v", p, err)
		}
		if err == nil {
			for _, e := range p.Entries {
				balances[[3]string{p.Chat, p.Unit, e.Account}] += e.Amount
			}
		}
	})
	view(t, s, func(tx *store.Tx) error {
		for where, want := range balances {
			got, err := tx.Books.Balance(where[0], where[1], where[2])
			if err != nil || got != want {
				t.Errorf("%v stands at %d, want %d (%v)", where, got, want, err)
			}
		}
		return nil
	})
	wantNoFaults(t, s)
}

// settlementResult returns the result of a game of 10, 10 and 11 points, worth 2 units each, with rounded settlements.
func settlementResult() []store.Result {
	amount := func(n int64) *int64 { return &n }
	return []store.Result{
		{Seat: 0, Score: 10, Threw: true, Place: 2, Difference: store.Difference{N: -1, D: 3}, Settlement: amount(-1)},
		{Seat: 1, Score: 10, Threw: true, Place: 2, Difference: store.Difference{N: -1, D: 3}, Settlement: amount(0)},
		{Seat: 2, Score: 11, Threw: true, Place: 1, Difference: store.Difference{N: 2, D: 3}, Settlement: amount(1)},
	}
}

// finishSettled ends a table without a pool with the result rows and a posting of entries.
func finishSettled(tx *store.Tx, table store.Table, rows []store.Result, entries ...store.Entry) error {
	table.State = store.Over
	return errors.Join(tx.Tables.SaveTable(table), tx.Books.Post(posting(table, store.Payout, entries...)),
		tx.Tables.Finish(table.ID, 5, 3, rows))
}

// addFriendly adds a table in play without stakes.
func addFriendly(t *testing.T, s *store.Store, place string) store.Table {
	t.Helper()
	table := addLobby(t, s, place)
	table.Stake, table.State, table.Match = 0, store.Playing, []byte("match")
	update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
	return table
}

var paid = []store.Entry{{Account: "player:test:anna", Amount: -1}, {Account: "house:fewest", Amount: 1}}

func TestDifferencesThatAreNotThoseOfTheScores(t *testing.T) {
	s := openNew(t)
	table := addFriendly(t, s, "test:one")
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
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			return finishSettled(tx, table, change(settlementResult()),
				paid...)
		})
		if !errors.Is(err, store.ErrUnbalanced) {
			t.Errorf("%s: %v", name, err)
		}
	}
	update(t, s, func(tx *store.Tx) error { return finishSettled(tx, table, settlementResult(), paid...) })
	wantNoFaults(t, s)
}
