package books_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
)

// TestEveryButtonOfPayments pays at random, among balances that move, and presses buttons in and out of order, by
// all people: each books once, for the balances that it was made for, with the word of both sides.
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
			if strings.Contains(r.Toast, "our side") {
				t.Fatalf("an error of ours at %q", press)
			}
			before := a.Last
			a.Audit(bare.Act{Who: p, Press: press})
			if press != "" && a.Last > before {
				counted++
			}
			if r.Private != nil {
				b.See(*r.Private)
			}
			if r.Page != nil {
				b.See(*r.Page)
			}
			a.Makes(b.All)
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
				did(people[1], "", people[1].Sends(bare.PressOn(t, people[1].Writes("/forget"), "Forget me")))
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

// A button of the books names who may press it: all others are refused, and they are not.
func TestButtonsOfTheBooksNameTheirPressers(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "Ben": 40, "Clara": -10, "house": 20})
	by := func(r chat.Reply, label, want string) (press string) {
		t.Helper()
		press = bare.PressOn(t, r, label)
		for _, b := range slices.Concat(r.Private.Buttons...) {
			if got := fmt.Sprint(b.By); b.Press == press && got != want {
				t.Errorf("%s may be pressed by %s, not %s", label, got, want)
			}
		}
		for _, p := range []*bare.Person{anna, ben, clara} {
			if !strings.Contains(want, p.Name) {
				if r := p.Sends(press); !r.Refused {
					t.Errorf("%s pressed by %s is answered %+v", label, p.Name, r)
				}
			}
		}
		return press
	}
	plan := clara.Writes("/settle")
	by(plan, "Paid: Clara → the house 10", "[test:Clara]")
	told := anna.Sends(by(plan, "Paid: Anna → Ben 40", "[test:Anna test:Ben]"))
	by(clara.Writes("/settle payments"), "✗ Anna → Ben 40", "[test:Anna test:Ben]")
	ben.Sends(by(told, "✓ Anna → Ben 40", "[test:Ben]"))
	asked := ben.Sends(by(clara.Writes("/settle payments"), "Take back Anna → Ben 40", "[test:Anna test:Ben]"))
	if asked.Private == nil {
		t.Fatalf("asking back is answered %+v", asked)
	}
	by(asked, "Take back Anna → Ben 40", "[test:Anna]")
	anna.Sends(by(asked, "Keep Anna → Ben 40", "[test:Anna test:Ben]"))
	h.Sound()
}
