package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// With a silent side a typed payment is booked at once: typed again, or where more
// than one unit fits, it is asked which is meant.
func TestAPaymentTypedTwiceBooksNothingElseUnasked(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.admin = true
	owing(h, "chips", map[string]int64{"Anna": -40, "house": 40})
	if got := said(t, anna.writes("/settle paid 40 House")); !strings.HasPrefix(got,
		"#1 Anna → the house 40 chips: paid and confirmed.\n") {
		t.Fatal(got)
	}
	owing(h, "coffees", map[string]int64{"Anna": -100, "house": 100})
	again := anna.writes("/settle paid 40 House")
	if got, want := said(t, again), `
Anna → the house: just that was booked a moment ago. Once more?
Balances in coffees: Anna −100 · the house +100
[Paid: 40 coffees]
`; got != want[1:] || again.Public {
		t.Errorf("got\n%s", got)
	}
	stands := func(chips, coffees int64) {
		t.Helper()
		if c, k := h.stands("chips")["player:test:Anna"], h.stands("coffees")["player:test:Anna"]; c != chips ||
			k != coffees {
			t.Errorf("%d chips and %d coffees, not %d and %d", c, k, chips, coffees)
		}
	}
	stands(0, -100)
	anna.sends(pressOn(t, again, "Paid: 40 coffees"))
	stands(0, -60)
	refused(t, anna.sends(pressOn(t, again, "Paid: 40 coffees")), "The balances have moved since: ask /settle again.")
	h.wait(11 * time.Minute)
	owing(h, "chips", map[string]int64{"Anna": -50, "house": 50})
	both := anna.writes("/settle paid 40 House")
	if got, want := said(t, both), `
Nothing is booked yet. What has Anna given the house?
Balances in chips: Anna −50 · the house +50
Balances in coffees: Anna −60 · the house +60
[Paid: 40 chips][Paid: 40 coffees]
`; got != want[1:] {
		t.Errorf("got\n%s", got)
	}
	stands(-50, -60)
	anna.sends(pressOn(t, both, "Paid: 40 chips"))
	stands(-10, -60)
	h.wait(11 * time.Minute)
	if got := said(t, anna.writes("/settle paid 30 House")); !strings.HasPrefix(got, "Nothing is booked yet. ") {
		t.Errorf("the chat plays for chips, and booked were\n%s", got)
	}
	anna.writes("/unit coffees")
	if got := said(t, anna.writes("/settle paid 30 House")); !strings.HasPrefix(got,
		"#4 Anna → the house 30 coffees: paid and confirmed.\n") {
		t.Error(got)
	}
	if got := said(t, anna.writes("/settle paid 30 House")); !strings.HasSuffix(got,
		"Once more?\nBalances in coffees: Anna −30 · the house +30\n[Paid: 30 coffees]\n") {
		t.Errorf("typed twice, and\n%s", got)
	}
	stands(-10, -30)
	h.sound()
}

// Whoever tells of many payments that wait keeps nobody else from telling of theirs.
func TestManyPaymentsThatWaitKeepNobodyElseFromTelling(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	owing(h, "chips", map[string]int64{"Anna": -5000, "Ben": 4000, "Clara": 1000})
	for n := range 20 {
		if r := anna.writes(fmt.Sprintf("/settle paid %d Ben", n+1)); r.Refused {
			t.Fatalf("payment %d: %s", n+1, r.Toast)
		}
	}
	const full = "20 payments of yours wait. Withdraw some: /settle."
	refused(t, anna.writes("/settle paid 21 Ben"), full)
	refused(t, anna.writes("/settle paid 1 Clara"), full)
	for _, p := range []*person{ben, clara} {
		if r := p.writes("/settle got 21 Anna"); r.Refused {
			t.Errorf("%s cannot tell of a payment: %s", p.name, r.Toast)
		}
	}
	if r := anna.writes("/settle paid 21 Ben"); r.Refused {
		t.Errorf("what Ben has told of cannot be confirmed: %s", r.Toast)
	}
	anna.writes("/settle withdraw 20")
	if r := anna.writes("/settle paid 1 Clara"); r.Refused {
		t.Errorf("with one withdrawn: %s", r.Toast)
	}
	h.sound()
}
