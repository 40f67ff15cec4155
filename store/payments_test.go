package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"knobel/store"
)

// paymentOf returns a payment that Anna reports.
func paymentOf(payer, payee string, amount int64) store.Payment {
	return store.Payment{Chat: "test:chat", Unit: "chips", Payer: payer, Payee: payee, Amount: amount,
		Teller: "test:anna", Told: 5}
}

// payAndConfirm reports the payment p and confirms it at a time in Unix milliseconds.
func payAndConfirm(tx *store.Tx, p store.Payment, at int64) (err error) {
	p.ID, err = tx.Books.TellPayment(p)
	return errors.Join(err, tx.Books.Confirm(p, at))
}

// addReported stores Ben's report that he has paid 10 chips to Anna.
func addReported(t *testing.T, s *store.Store) store.Payment {
	t.Helper()
	p := store.Payment{
		Chat: "test:chat", Unit: "chips", Payer: "player:test:ben", Payee: "player:test:anna",
		Amount: 10, Teller: "test:ben", State: store.Told, Told: 5, Changed: 5,
	}
	p.ID = updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Books.TellPayment(p) })
	return p
}

// parties returns the balances in the tests' chat, by account.
func parties(t *testing.T, s *store.Store) map[string]int64 {
	t.Helper()
	all := map[string]int64{}
	view(t, s, func(tx *store.Tx) error {
		found, err := tx.Books.Parties("test:chat", "chips")
		for _, p := range found {
			all[p.Account] = p.Balance
			if !p.Has(p.Number) || p.Has(0) {
				t.Errorf("%+v has no number", p)
			}
		}
		return err
	})
	return all
}

// TestAPaymentFromWordToBooksAndBack checks balances when a payment is confirmed, reversed or withdrawn.
func TestAPaymentFromWordToBooksAndBack(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:one")
	p := addReported(t, s)
	before := map[string]int64{"player:test:anna": 20, "player:test:ben": -10, store.House: -10}
	after := map[string]int64{"player:test:anna": 10, "player:test:ben": 0, store.House: -10}
	step := func(name, state string, change func(store.Books, store.Payment, int64) error, want map[string]int64) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error { return change(tx.Books, p, 9) })
		if got := parties(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Books.Payment("test:chat", p.ID)
			expected := p
			expected.State, expected.Changed = state, 9
			if got != expected {
				t.Errorf("%s: %+v", name, got)
			}
			all, err2 := tx.Books.Payments("test:chat", state, 3)
			if len(all) != 1 || all[0] != got {
				t.Errorf("%s: listed as %+v", name, all)
			}
			return errors.Join(err, err2)
		})
		wantNoFaults(t, s)
	}
	if got := parties(t, s); !reflect.DeepEqual(got, before) {
		t.Errorf("told: %v", got)
	}
	step("confirmed", store.Confirmed, store.Books.Confirm, after)
	for name, change := range map[string]func(store.Books, store.Payment, int64) error{
		"confirmed twice": store.Books.Confirm, "withdrawn when confirmed": store.Books.Withdraw,
	} {
		err := s.Update(t.Context(), func(tx *store.Tx) error { return change(tx.Books, p, 9) })
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	step("taken back", store.Back, store.Books.TakeBack, before)
	p = addReported(t, s)
	step("withdrawn", store.Withdrawn, store.Books.Withdraw, before)
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Books.Payment("test:other", p.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another chat sees the payment: %v", err)
		}
		return nil
	})
}

func TestCheckFindsPaymentsThatTheBooksDoNotShow(t *testing.T) {
	for name, c := range map[string]struct{ plant, want string }{
		"confirmed by itself": {"UPDATE payments SET state = 'confirmed' WHERE id = 2",
			"payment 2: its state, confirmed, differs from its postings"},
		"told again": {"UPDATE payments SET state = 'told' WHERE id = 1",
			"payment 1: its state, told, differs from its postings"},
		"another amount": {"UPDATE payments SET amount = 11 WHERE id = 1",
			"payment 1: its state, confirmed, differs from its postings"},
		"the other way round": {"UPDATE payments SET payer = payee, payee = payer WHERE id = 1",
			"payment 1: its state, confirmed, differs from its postings"},
		"of no payment": {"UPDATE postings SET payment_id = NULL WHERE kind = 'payment'",
			"posting 3: its kind, payment, and its payment contradict each other"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			addFinished(t, s, "test:one")
			p := addReported(t, s)
			update(t, s, func(tx *store.Tx) error { return tx.Books.Confirm(p, 9) })
			addReported(t, s)
			wantNoFaults(t, s)
			tamper(t, s, c.plant)
			wantFault(t, s, c.want)
		})
	}
}

// TestTheHouseKeepsItsNumbers checks that House, a party with several accounts, has the number of one of them, and that
// Has still accepts the number that it had before.
func TestTheHouseKeepsItsNumbers(t *testing.T) {
	s := openNew(t)
	house := func() store.Party { t.Helper(); all := partiesOf(t, s); return all[len(all)-1] }
	if nobody := house(); !reflect.DeepEqual(nobody, store.Party{Account: store.House}) {
		t.Errorf("before anybody has played: %+v", nobody)
	}
	addFinished(t, s, "test:one")
	before := house()
	update(t, s, func(tx *store.Tx) error {
		return payAndConfirm(tx, paymentOf(store.House, "player:test:anna", 10), 9)
	})
	after := house()
	if before.Number == 0 || after.Number == before.Number || before.Balance != -10 || after.Balance != 0 {
		t.Errorf("%+v, and once it has paid %+v", before, after)
	}
	if !after.Has(before.Number) || !after.Has(after.Number) {
		t.Errorf("%+v has no longer the number of before, %d", after, before.Number)
	}
}

// TestDoubtfulPaymentsAreThoseThatOneWordMadeGrow checks that Doubtful returns one-sided payments enlarging a balance.
func TestDoubtfulPaymentsAreThoseThatOneWordMadeGrow(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:one") // Anna +20, Ben −10, the house −10
	addPlaying(t, s, "test:two")  // its stakes do not count
	pay := func(payer, payee string, amount, confirmed int64) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error { return payAndConfirm(tx, paymentOf(payer, payee, amount), confirmed) })
	}
	const anna, ben = "player:test:anna", "player:test:ben"
	pay(store.House, anna, 5, 5)       // 1: settles a balance: Anna +15, the house −5
	pay(store.House, anna, 6, 5)       // 2: more than the balance: Anna +9, the house +1
	pay(ben, store.House, 2, 9)        // 3: more than the house is owed: Ben −8, the house −1
	pay(ben, anna, 50, 9)              // 4: two people have agreed: Ben +42, Anna −41
	pay(anna, store.House, 7, 5)       // 5: the house owes: Anna −34, the house −8
	pay(anna, "player:b", 1, 5)        // 6: confirmed when reported, so by one person; b is forgotten below
	pay("player:b", anna, 1, 9)        // 7: confirmed later, unknown by which side, since b is forgotten
	pay(store.House, "player:b", 1, 5) // 8: will be reversed
	update(t, s, func(tx *store.Tx) error {
		p, err := tx.Books.Payment("test:chat", 8)
		if err != nil {
			return err
		}
		return errors.Join(tx.Books.TakeBack(p, 10), tx.Chats.SavePlayer(store.Player{ID: "b", Name: "B"}),
			tx.Chats.SavePlayer(store.Player{ID: "c", Name: "C"}))
	})
	pay("player:c", anna, 1, 9) // 9: by two people: c was not forgotten yet, as a later report shows
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Books.TellPayment(store.Payment{Chat: "test:chat", Unit: "chips", Payer: "player:c", Payee: anna,
			Amount: 1, Teller: "c", Told: 10})
		return err
	})
	// 11: not doubtful: versions that store an evening let one person alone only reduce a balance towards zero.
	evening := paymentOf("player:b", anna, 1)
	evening.Evening = 1
	update(t, s, func(tx *store.Tx) error { return payAndConfirm(tx, evening, 9) })
	update(t, s, func(tx *store.Tx) error {
		for _, player := range []string{"b", "c"} {
			if _, err := tx.Upkeep.Forget(player); err != nil {
				return err
			}
		}
		return nil
	})
	var found []string
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Books.Doubtful()
		for _, p := range all {
			found = append(found, fmt.Sprint(p.ID, map[bool]string{true: "?"}[p.Perhaps]))
		}
		return err
	})
	if fmt.Sprint(found) != "[2 3 5 6 7?]" {
		t.Errorf("found %v", found)
	}
}
