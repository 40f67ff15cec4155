package books_test

// Random payments, among balances that change.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/store"
)

// TestEveryButtonOfPayments makes random payments while balances change, and lets all people press buttons in and out
// of order. A button books one payment at most, not after balances have changed, and only with the consent it needs.
func TestEveryButtonOfPayments(t *testing.T) {
	lines := []string{
		"/settle", "/settle", "/settle payments", "/settle paid 3 Ben", "/settle got 3 Anna", "/settle paid 2 Clara",
		"/settle got 4 Clara",
		"/settle paid 5 house", "/settle got 5 house", "/settle paid 1 gone 1", "/settle got 1 gone 1",
	}
	seeds := uint64(1)
	if needs.IsLong() {
		seeds = 12
	}
	for seed := range seeds {
		chance := rand.New(rand.NewPCG(seed, 6))
		h := bare.New(t)
		b := &bare.Buttons{Seen: map[string]bool{}}
		a, done := h.Auditor()
		defer done()
		people := []*bare.Person{h.Person("Anna"), h.Person("Ben"), h.Person("Clara")}
		people[0].Admin = true
		counted := 0
		did := func(p *bare.Person, press string, r chat.Reply) {
			t.Helper()
			before := a.Last
			if a.Did(b, p, press, r); press != "" && a.Last > before {
				counted++
			}
		}
		for step := range 250 {
			p := people[chance.IntN(len(people))]
			switch kind := chance.IntN(12); {
			case step%40 == 0:
				x, y, z := chance.Int64N(21)-10, chance.Int64N(21)-10, chance.Int64N(21)-10
				bare.Owing(h, []string{"chips", "coffees"}[chance.IntN(2)],
					map[string]int64{"Anna": x, "Ben": y, "Clara": z, "house": -x - y - z})
				a.Postings()
				a.Units, a.Tables, a.Payments = a.State()
				a.Stands = a.Standing(a.Units)
			case step == 150:
				did(people[1], "", forget(t, people[1]))
			case kind < 3 || len(b.All) == 0:
				did(p, "", p.Writes(lines[chance.IntN(len(lines))]))
			default:
				press := b.All[len(b.All)-1-chance.IntN(len(b.All))]
				if kind < 9 {
					press = b.All[len(b.All)-1-chance.IntN(min(len(b.All), 6))]
				}
				for _, p := range people {
					did(p, press, p.Sends(press))
				}
			}
		}
		if counted < 5 {
			t.Errorf("seed %d: only %d presses have moved anything", seed, counted)
		}
		t.Logf("%d buttons, %d of whose presses counted, %v", len(b.All), counted, a)
		h.Sound()
	}
}

// forget presses the button that deletes a person's data, and returns the answer.
func forget(t *testing.T, p *bare.Person) chat.Reply {
	t.Helper()
	return p.Sends(bare.PressOn(t, p.Writes("/forget"), "Forget me"))
}

// TestOneWordAloneNeverMakesADebt makes random payments to and from parties that cannot answer: no balance grows or
// changes its sign, and a refused payment changes nothing.
func TestOneWordAloneNeverMakesADebt(t *testing.T) {
	n := 0
	h := bare.New(t)
	rapid.Check(t, func(r *rapid.T) {
		n++
		unit := fmt.Sprint("u", n)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Admin = true
		amounts := map[string]int64{}
		for _, name := range []string{"Anna", "Clara", "house"} {
			amounts[name] = rapid.Int64Range(-20, 20).Draw(r, name)
		}
		amounts["Ben"] = -amounts["Anna"] - amounts["Clara"] - amounts["house"]
		bare.Owing(h, unit, amounts)
		anna.Writes("/unit " + unit)
		forget(t, ben)
		gone := "gone " + fmt.Sprint(n)
		before := h.Stands(unit)
		var buttons []string
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			who := h.Person(rapid.SampledFrom([]string{"Anna", "Clara"}).Draw(r, "who"))
			var reply chat.Reply
			if len(buttons) > 0 && rapid.Bool().Draw(r, "press") {
				reply = who.Sends(rapid.SampledFrom(buttons).Draw(r, "button"))
			} else {
				verb := rapid.SampledFrom([]string{"paid", "got"}).Draw(r, "verb")
				other := rapid.SampledFrom([]string{"house", gone}).Draw(r, "other")
				reply = who.Writes(fmt.Sprintf("/settle %s %d %s", verb, rapid.IntRange(1, 25).Draw(r, "amount"),
					other))
				for _, b := range who.Writes("/settle").Private.Buttons[0] {
					buttons = append(buttons, b.Press)
				}
			}
			after := h.Stands(unit)
			for account, now := range after {
				was := before[account]
				if now*was < 0 || max(now, -now) > max(was, -was) || reply.Refused && now != was {
					r.Fatalf("%s: from %d to %d, %+v", account, was, now, reply)
				}
			}
			before = after
		}
		doubts := bare.Stored(h, func(tx *store.Tx) ([]store.Doubt, error) { return tx.Books.Doubtful() })
		if len(doubts) > 0 { // doubts are reported to the operator
			r.Fatalf("%+v", doubts)
		}
	})
	h.Sound()
}
