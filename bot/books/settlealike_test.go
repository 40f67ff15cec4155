package books_test

import (
	"fmt"
	"testing"

	"knobel/bot/bare"
)

// A person who tells of many payments that wait keeps no other from telling of theirs.
func TestPendingPaymentsBlockOnlyTheirReporter(t *testing.T) {
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
