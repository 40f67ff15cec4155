package store_test

import (
	"errors"
	"fmt"
	"testing"

	"knobel/store"
)

// TestDoubtfulPaymentsAreThoseThatOneWordMadeGrow looks at payments with the house
// and with somebody forgotten, beside those of two people.
func TestDoubtfulPaymentsAreThoseThatOneWordMadeGrow(t *testing.T) {
	s := fresh(t)
	finished(t, s, "test:one") // Anna +20, Ben −10, the house −10
	started(t, s, "test:two")  // its stakes do not count
	pay := func(payer, payee string, amount, confirmed int64) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error {
			p := store.Payment{Chat: "test:chat", Unit: "chips", Payer: payer, Payee: payee, Amount: amount,
				Teller: "test:anna", Told: 5}
			var err error
			if p.ID, err = tx.Books.TellPayment(p); err != nil {
				return err
			}
			return tx.Books.Confirm(p, confirmed)
		})
	}
	const anna, ben = "player:test:anna", "player:test:ben"
	pay(store.House, anna, 5, 5)       // 1: what was open: Anna +15, the house −5
	pay(store.House, anna, 6, 5)       // 2: beyond: Anna +9, the house +1
	pay(ben, store.House, 2, 9)        // 3: beyond what the house is owed: Ben −8, the house −1
	pay(ben, anna, 50, 9)              // 4: two people have said so: Ben +42, Anna −41
	pay(anna, store.House, 7, 5)       // 5: the house owes: Anna −34, the house −8
	pay(anna, "player:b", 1, 5)        // 6: as if told of today, by one word once the other is forgotten
	pay("player:b", anna, 1, 9)        // 7: it waited, and then one word did, or two people had agreed
	pay(store.House, "player:b", 1, 5) // 8: taken back
	update(t, s, func(tx *store.Tx) error {
		p, err := tx.Books.Payment("test:chat", 8)
		if err != nil {
			return err
		}
		return errors.Join(tx.Books.TakeBack(p, 10), tx.Chats.SavePlayer(store.Player{ID: "b", Name: "B"}),
			tx.Chats.SavePlayer(store.Player{ID: "c", Name: "C"}))
	})
	pay("player:c", anna, 1, 9) // 9: c tells of another payment later: two people had agreed
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Books.TellPayment(store.Payment{Chat: "test:chat", Unit: "chips", Payer: "player:c", Payee: anna,
			Amount: 1, Teller: "c", Told: 10})
		return err
	})
	// 11: booked by a program that keeps the evening, and one word to its bounds
	update(t, s, func(tx *store.Tx) error {
		p := store.Payment{Chat: "test:chat", Unit: "chips", Payer: "player:b", Payee: anna, Amount: 1,
			Teller: "test:anna", Told: 5, Evening: 1}
		var err error
		if p.ID, err = tx.Books.TellPayment(p); err != nil {
			return err
		}
		return tx.Books.Confirm(p, 9)
	})
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
