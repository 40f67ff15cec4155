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

// inPlace is what an answer puts into the place of the message that was pressed.
func inPlace(t *testing.T, r chat.Reply) string {
	t.Helper()
	if !r.Instead || !r.Public {
		t.Errorf("the message that was pressed stays: %+v", r)
	}
	return bare.Said(t, r)
}

// What becomes of a payment stands where it was told of, whichever side presses, and
// a button that does nothing any more takes itself away.
func TestWhatBecomesOfAPaymentStandsWhereItWasToldOf(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "Ben": 50})
	first := anna.Writes("/settle paid 7 Ben")
	if first.Instead {
		t.Error("a command has no message to stand in the place of")
	}
	const confirmed = "#1 Anna → Ben 7 chips: paid and confirmed.\n"
	confirm := bare.PressOn(t, first, "✓ Anna → Ben 7")
	if got := inPlace(t, ben.Sends(confirm)); got != confirmed {
		t.Errorf("got\n%s", got)
	}
	for _, p := range []*bare.Person{ben, anna} { // the message is old where it was confirmed otherwise
		late := p.Sends(confirm)
		bare.Refused(t, late, "That payment has moved on. /settle payments shows it.")
		if got := inPlace(t, late); got != confirmed {
			t.Errorf("got\n%s", got)
		}
	}
	bare.Refused(t, clara.Sends(confirm), "That is between Anna and Ben. Ask one of them.")
	back := bare.PressOn(t, anna.Writes("/settle payments"), "Take back Anna → Ben 7")
	asked := anna.Sends(back)
	if got := bare.Said(t, asked); !strings.HasPrefix(got,
		"#1 Anna → Ben 7 chips: paid. Anna takes it back if Ben agrees.\n") {
		t.Errorf("got\n%s", got)
	}
	inPlace(t, ben.Sends(bare.PressOn(t, asked, "Keep Anna → Ben 7")))
	inPlace(t, ben.Sends(bare.PressOn(t, asked, "Keep Anna → Ben 7"))) // refused, and drawn anew

	second := ben.Writes("/settle got 8 Anna")
	if got := inPlace(t, ben.Sends(bare.PressOn(t, second, "✗ Anna → Ben 8"))); !strings.Contains(got,
		"withdrawn, nothing was booked.\n") {
		t.Errorf("got\n%s", got)
	}
	anna.Writes("/settle paid 9 Ben")
	h.Sound()
}

// A list shows at its top what its own press has done, and offers what can still be done; who reads it
// alone has it told to all as well.
func TestAListOfPaymentsTurnsWithItsOwnPresses(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -9, "Ben": 9})
	own := anna.Writes("/settle paid 7 Ben")
	confirm := bare.PressOn(t, ben.Writes("/settle"), "✓ Anna → Ben 7")
	pays := func(r chat.Reply, page, news string) {
		t.Helper()
		if got := bare.Show(*r.Page); got != page[1:] {
			t.Errorf("the list shows\n%s", got)
		}
		if got := bare.Said(t, r); got != news || !r.Public || r.Instead {
			t.Errorf("all read\n%s", got)
		}
	}
	pays(ben.Sends(confirm), `
#1 Anna → Ben 7 chips: paid and confirmed.
1 payment brings everybody to zero.
Balances in chips: Ben +2 · Anna −2
Anna → Ben 2
[Paid: Anna → Ben 2]
[Why?][Payments]
`, "#1 Anna → Ben 7 chips: paid and confirmed.\n")
	late := ben.Sends(confirm)
	bare.Refused(t, late, "That payment has moved on. /settle payments shows it.")
	if got := bare.Turned(t, late); !strings.HasPrefix(got, "#1 Anna → Ben 7 chips: paid and confirmed.\n1 payment") {
		t.Errorf("got\n%s", got)
	}
	late = anna.Sends(bare.PressOn(t, own, "✗ Anna → Ben 7"))
	bare.Refused(t, late, "That payment has moved on. /settle payments shows it.")
	if got := inPlace(t, late); got != "#1 Anna → Ben 7 chips: paid and confirmed.\n" {
		t.Errorf("what was settled elsewhere shows\n%s", got)
	}
	pays(ben.Sends(bare.PressOn(t, ben.Writes("/settle payments"), "Take back Anna → Ben 7")), `
The last payment.
#1 Anna → Ben 7 chips: paid. Ben takes it back if Anna agrees.
[Take back Anna → Ben 7][Keep Anna → Ben 7]
[Back]
`, `#1 Anna → Ben 7 chips: paid. Ben takes it back if Anna agrees.
[Take back Anna → Ben 7][Keep Anna → Ben 7]
[Settle up]
`)
	h.Sound()
}

// A button that books a payment, or takes one back, counts for the balances that it
// was made for; where these have moved it says so and offers itself anew.
func TestAConfirmButtonOfOtherBalancesBooksNothing(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -10, "Ben": 10})
	stands := func(want int64) {
		t.Helper()
		if now := h.Stands("chips")["player:test:Anna"]; now != want {
			t.Errorf("Anna stands at %d, not %d", now, want)
		}
	}
	confirm := bare.PressOn(t, anna.Writes("/settle paid 7 Ben"), "✓ Anna → Ben 7")
	listed := bare.PressOn(t, ben.Writes("/settle"), "✓ Anna → Ben 7")
	bare.Owing(h, "chips", map[string]int64{"Anna": 20, "Ben": -20}) // they play on
	moved := ben.Sends(confirm)
	const then = `
#1 Anna → Ben 7 chips: Ben is to confirm it.
The balances have moved since. Press once more if it holds.
Then: Anna +17 · Ben −17
[✓ Anna → Ben 7][✗ Anna → Ben 7]
[Settle up]
`
	if got := inPlace(t, moved); got != then[1:] {
		t.Errorf("got\n%s", got)
	}
	const offered = `
The balances have moved since. Press once more if it holds.
Then: Anna +17 · Ben −17
1 payment brings everybody to zero.
Balances in chips: Anna +10 · Ben −10
Ben → Anna 10
#1 Anna → Ben 7 chips: Ben is to confirm it.
[Paid: Ben → Anna 10]
[✓ Anna → Ben 7][✗ Anna → Ben 7]
[Why?][Payments]
`
	if got := bare.Turned(t, ben.Sends(listed)); got != offered[1:] {
		t.Errorf("got\n%s", got)
	}
	unstamped, _, _ := strings.Cut(confirm, " @") // as buttons were once
	ben.Sends(unstamped)
	stands(10)
	ben.Sends(bare.PressOn(t, moved, "✓ Anna → Ben 7"))
	stands(17)

	asked := anna.Sends(bare.PressOn(t, anna.Writes("/settle payments"), "Take back Anna → Ben 7"))
	back := bare.PressOn(t, asked, "Take back Anna → Ben 7")
	bare.Owing(h, "chips", map[string]int64{"Anna": 1, "Ben": -1})
	again := ben.Sends(back)
	if got := inPlace(t, again); !strings.Contains(got,
		"\nThe balances have moved since. Press once more if it holds.\nThen: Ben −11 · Anna +11\n") {
		t.Errorf("got\n%s", got)
	}
	stands(18)
	ben.Sends(bare.PressOn(t, again, "Take back Anna → Ben 7"))
	stands(11)
	bare.Owing(h, "chips", map[string]int64{"Anna": 5, "Ben": -5})
	anna.Writes("/settle got 3 Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": 5, "Ben": -5})
	ben.Writes("/settle confirm 2") // what is typed names the payment itself
	stands(18)
	h.Sound()
}

// TestEveryButtonOfPayments pays at random, among balances that move, and presses
// buttons in and out of order, by everybody: each books once, for the balances that
// it was made for, with the word of both sides.
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
func TestAButtonOfTheBooksNamesWhoMayPressIt(t *testing.T) {
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
