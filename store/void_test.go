package store_test

import (
	"errors"
	"fmt"
	"testing"

	"knobel/store"
)

// boxed plays tables whose pools take chips from the box (jackpot) or leave chips in it, each in its own place.
type boxed struct {
	testing.TB
	*store.Store
	places int
}

// begins starts a table. Its pool takes from the box (jackpot) the number of chips in the parameter in.
func (b *boxed) begins(unit string, in int64) *store.Table {
	b.places++
	t := lobby(fmt.Sprint("test:place ", b.places))
	t.Unit = unit
	update(b, b.Store, func(tx *store.Tx) (err error) {
		if t.ID, err = tx.Tables.AddTable(t); err != nil {
			return err
		}
		t.State, t.Match, t.BoxIn = store.Playing, []byte("match"), in
		p := stakes(t)
		p.Entries[3].Amount += in
		p.Entries = append(p.Entries, store.Entry{Account: "box", Amount: -in})
		return errors.Join(tx.Books.Post(p), tx.Tables.SaveTable(t))
	})
	return &t
}

// ends finishes t and leaves out chips of its pool in the box. Anna wins the rest; if equal, all get their stakes back.
func (b *boxed) ends(t *store.Table, out int64, equal bool) *store.Table {
	rows, gets := result(), []int64{30 + t.BoxIn - out, 0, 0}
	if equal {
		gets = []int64{10, 10, 10}
	}
	p := posting(*t, store.Payout, store.Entry{Account: poolAccount(t.ID), Amount: -30 - t.BoxIn},
		store.Entry{Account: "box", Amount: out})
	for i, who := range []string{"player:test:anna", "player:test:ben", "house:fewest"} {
		rows[i].Pool = gets[i] - 10
		p.Entries = append(p.Entries, store.Entry{Account: who, Amount: gets[i]})
	}
	t.State, t.Board.Page, t.Draft, t.BoxOut = store.Over, "", "", out
	update(b, b.Store, func(tx *store.Tx) error {
		return errors.Join(tx.Tables.SaveTable(*t), tx.Books.Post(p), tx.Tables.Finish(t.ID, 5, 3, rows))
	})
	return t
}

// abandons ends a table early, without a result.
func (b *boxed) abandons(t *store.Table) {
	p := stakes(*t)
	p.Kind, p.Entries[3].Amount = store.Refund, -30-t.BoxIn
	for i := range p.Entries[:3] {
		p.Entries[i].Amount = 10
	}
	p.Entries = append(p.Entries, store.Entry{Account: "box", Amount: t.BoxIn})
	t.State, t.Board.Page, t.Draft = store.Abandoned, "", ""
	update(b, b.Store, func(tx *store.Tx) error { return errors.Join(tx.Tables.SaveTable(*t), tx.Books.Post(p)) })
}

// took checks that the chips which t left in the box are in the pool of taker; nil: they are still in the box.
func (b *boxed) took(t, taker *store.Table) {
	b.Helper()
	var want int64
	if taker != nil {
		want = taker.ID
	}
	view(b, b.Store, func(tx *store.Tx) error {
		got, _, err := tx.Books.TookRemainder(*t)
		if errors.Is(err, store.ErrNotFound) {
			got, err = 0, nil
		}
		if got != want {
			b.Errorf("the remainder of %d is in %d, want %d", t.ID, got, want)
		}
		return err
	})
}

// voids voids a finished table.
func (b *boxed) voids(t *store.Table) {
	update(b, b.Store, func(tx *store.Tx) error { return tx.Books.Void(*t, 6) })
}

// TestAVoidedPoolPutsRemaindersBack checks that chips that an abandoned or voided pool took from the box are in it
// again, whatever later pools took.
func TestAVoidedPoolPutsRemaindersBack(t *testing.T) {
	b := &boxed{TB: t, Store: openNew(t)}
	one, two := b.begins("chips", 0), b.begins("chips", 0)
	b.ends(one, 1, false)
	b.ends(two, 1, false)
	b.ends(b.begins("coffees", 0), 1, false)
	b.begins("coffees", 1)
	b.took(one, nil) // each unit has its own box
	both := b.begins("chips", 2)
	b.took(one, both)
	b.took(two, both)
	b.abandons(both)
	b.took(one, nil)
	b.took(two, nil)

	took := b.ends(b.begins("chips", 2), 0, false)
	other := b.ends(b.begins("chips", 0), 1, false)
	tookOther := b.ends(b.begins("chips", 1), 0, false)
	b.took(one, took)
	b.voids(took)
	b.took(one, nil)
	b.took(two, nil)
	b.took(other, tookOther)

	again := b.ends(b.begins("chips", 2), 1, false)
	b.took(two, again)
	last := b.ends(b.begins("chips", 1), 0, false)
	b.voids(last)
	b.took(again, nil)
	b.voids(again)
	b.took(one, nil)
	equal := b.ends(b.begins("chips", 2), 2, true) // all get their stakes back, so voiding it posts nothing
	b.took(one, equal)
	last = b.ends(b.begins("chips", 2), 1, false)
	b.took(one, equal)
	b.took(equal, last)
	next := b.ends(b.begins("chips", 1), 0, false)
	b.voids(next)
	b.voids(last)
	b.voids(equal)
	b.took(one, nil)
	late := b.begins("chips", 2)
	b.took(one, late)
	b.took(two, late)
	wantNoFaults(t, b.Store)
}
