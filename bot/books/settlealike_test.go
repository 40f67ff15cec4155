package books_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
)

// With a silent side a typed payment is booked at once: typed again, or where more
// than one unit fits, it is asked which is meant.
func TestAPaymentTypedTwiceBooksNothingElseUnasked(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	bare.Owing(h, "chips", map[string]int64{"Anna": -40, "house": 40})
	if got := bare.Said(t, anna.Writes("/settle paid 40 House")); !strings.HasPrefix(got,
		"#1 Anna → the house 40 chips: paid and confirmed.\n") {
		t.Fatal(got)
	}
	bare.Owing(h, "coffees", map[string]int64{"Anna": -100, "house": 100})
	again := anna.Writes("/settle paid 40 House")
	if got, want := bare.Said(t, again), `
Anna → the house: just that was booked a moment ago. Once more?
Balances in coffees: Anna −100 · the house +100
[Paid: 40 coffees]
`; got != want[1:] || again.Public {
		t.Errorf("got\n%s", got)
	}
	stands := func(chips, coffees int64) {
		t.Helper()
		if c, k := h.Stands("chips")["player:test:Anna"], h.Stands("coffees")["player:test:Anna"]; c != chips ||
			k != coffees {
			t.Errorf("%d chips and %d coffees, not %d and %d", c, k, chips, coffees)
		}
	}
	stands(0, -100)
	anna.Sends(bare.PressOn(t, again, "Paid: 40 coffees"))
	stands(0, -60)
	bare.Refused(t, anna.Sends(bare.PressOn(t, again, "Paid: 40 coffees")),
		"The balances have moved since: ask /settle again.")
	h.Wait(11 * time.Minute)
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "house": 50})
	both := anna.Writes("/settle paid 40 House")
	if got, want := bare.Said(t, both), `
Nothing is booked yet. What has Anna given the house?
Balances in chips: Anna −50 · the house +50
Balances in coffees: Anna −60 · the house +60
[Paid: 40 chips][Paid: 40 coffees]
`; got != want[1:] {
		t.Errorf("got\n%s", got)
	}
	stands(-50, -60)
	anna.Sends(bare.PressOn(t, both, "Paid: 40 chips"))
	stands(-10, -60)
	h.Wait(11 * time.Minute)
	if got := bare.Said(t, anna.Writes("/settle paid 30 House")); !strings.HasPrefix(got, "Nothing is booked yet. ") {
		t.Errorf("the chat plays for chips, and booked were\n%s", got)
	}
	anna.Writes("/unit coffees")
	if got := bare.Said(t, anna.Writes("/settle paid 30 House")); !strings.HasPrefix(got,
		"#4 Anna → the house 30 coffees: paid and confirmed.\n") {
		t.Error(got)
	}
	if got := bare.Said(t, anna.Writes("/settle paid 30 House")); !strings.HasSuffix(got,
		"Once more?\nBalances in coffees: Anna −30 · the house +30\n[Paid: 30 coffees]\n") {
		t.Errorf("typed twice, and\n%s", got)
	}
	stands(-10, -30)
	h.Sound()
}

// Whoever tells of many payments that wait keeps nobody else from telling of theirs.
func TestManyPaymentsThatWaitKeepNobodyElseFromTelling(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -5000, "Ben": 4000, "Clara": 1000})
	for n := range 20 {
		if r := anna.Writes(fmt.Sprintf("/settle paid %d Ben", n+1)); r.Refused {
			t.Fatalf("payment %d: %s", n+1, r.Toast)
		}
	}
	const full = "20 payments of yours wait. Withdraw some: /settle."
	bare.Refused(t, anna.Writes("/settle paid 21 Ben"), full)
	bare.Refused(t, anna.Writes("/settle paid 1 Clara"), full)
	for _, p := range []*bare.Person{ben, clara} {
		if r := p.Writes("/settle got 21 Anna"); r.Refused {
			t.Errorf("%s cannot tell of a payment: %s", p.Name, r.Toast)
		}
	}
	if r := anna.Writes("/settle paid 21 Ben"); r.Refused {
		t.Errorf("what Ben has told of cannot be confirmed: %s", r.Toast)
	}
	anna.Writes("/settle withdraw 20")
	if r := anna.Writes("/settle paid 1 Clara"); r.Refused {
		t.Errorf("with one withdrawn: %s", r.Toast)
	}
	h.Sound()
}
