package books_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/store"
)

// forgotten has somebody forgotten by the button that asks for it.
func forgotten(t *testing.T, p *bare.Person) {
	t.Helper()
	p.Sends(bare.PressOn(t, p.Writes("/forget"), "Forget me"))
}

func TestAPaymentToTheHouseStopsAtZero(t *testing.T) {
	for name, c := range map[string]struct {
		stands     map[string]int64 // of Anna and the house
		line, want string
	}{
		"no house has played": {map[string]int64{"Anna": -10, "Ben": 10}, "paid 5 House",
			"Nothing is open that way with the house: see /settle."},
		"the house owes, too": {map[string]int64{"Anna": -15, "Ben": 25, "house": -10}, "paid 15 House",
			"Nothing is open that way with the house: see /settle."},
		"beyond one's own": {map[string]int64{"Anna": -15, "house": 15}, "paid 1000000 House",
			"At most 15 is open with the house that way: /settle."},
		"beyond the house's": {map[string]int64{"Anna": -15, "Ben": 10, "house": 5}, "paid 6 House",
			"At most 5 is open with the house that way: /settle."},
		"in the wrong way": {map[string]int64{"Anna": 15, "house": -15}, "paid 1 House",
			"Nothing is open that way with the house: see /settle."},
		"got what is not owed": {map[string]int64{"Anna": -15, "house": 15}, "got 1 House",
			"Nothing is open that way with the house: see /settle."},
		"got more than is owed": {map[string]int64{"Anna": 15, "house": -15}, "got 16 House",
			"At most 15 is open with the house that way: /settle."},
		"all of it":  {map[string]int64{"Anna": -15, "house": 15}, "paid 15 House", ""},
		"some of it": {map[string]int64{"Anna": -15, "Ben": 10, "house": 5}, "paid 5 House", ""},
		"got all":    {map[string]int64{"Anna": 15, "house": -15}, "got 15 House", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := bare.New(t)
			anna := h.Person("Anna")
			bare.Owing(h, "chips", c.stands)
			before := h.Stands("chips")
			r := anna.Writes("/settle " + c.line)
			if c.want != "" {
				bare.Refused(t, r, c.want)
				if now := h.Stands("chips"); fmt.Sprint(now) != fmt.Sprint(before) {
					t.Errorf("from %v to %v", before, now)
				}
			} else if got := bare.Said(t, r); !strings.Contains(got, "paid and confirmed") {
				t.Error(got)
			}
			h.Sound()
		})
	}
}

// TestAPaidButtonBooksOnce presses buttons of payments again, before and after the
// balances have moved.
func TestAPaidButtonBooksOnce(t *testing.T) {
	const moved = "The balances have moved since: ask /settle again."
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "house": 50})
	toHouse := anna.Writes("/settle").Private.Buttons[0][0].Press
	anna.Sends(toHouse)
	for range 2 {
		bare.Refused(t, anna.Sends(toHouse), moved)
	}
	h.Balance("player:test:Anna", 0)
	bare.Owing(h, "chips", map[string]int64{"Anna": -50, "house": 50}) // the same is open again
	bare.Refused(t, anna.Sends(toHouse), moved)
	unstamped, _, _ := strings.Cut(toHouse, " @") // as buttons were once
	bare.Refused(t, anna.Sends(unstamped), moved)

	bare.Owing(h, "coffees", map[string]int64{"Ben": 120, "Clara": -120})
	toBen := bare.PressOn(t, clara.Writes("/settle"), "Paid: Clara → Ben 120")
	clara.Sends(toBen)
	ben.Sends(toBen)
	for _, p := range []*bare.Person{clara, ben} {
		bare.Refused(t, p.Sends(toBen), moved)
	}
	if now := h.Stands("coffees"); now["player:test:Clara"] != 0 || now["player:test:Ben"] != 0 {
		t.Errorf("%v", now)
	}
	for _, p := range []*bare.Person{clara, ben} {
		p.Writes("/settle back 2")
	}
	if now := h.Stands("coffees"); now["player:test:Clara"] != -120 {
		t.Errorf("%v", now)
	}
	for _, p := range []*bare.Person{clara, ben} {
		bare.Refused(t, p.Sends(toBen), moved) // the balances are the same, the books are not
	}
	h.Sound()
}

func TestAConfirmedPaymentIsTakenBackByBothSides(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Admin = true // which is no other side
	bare.Owing(h, "coffees", map[string]int64{"Anna": -1, "Ben": 1})
	anna.Writes("/settle paid 1 Ben")
	ben.Writes("/settle confirm 1")
	back := bare.PressOn(t, anna.Writes("/settle payments"), "Take back Anna → Ben 1")
	asked := ben.Sends(back)
	bare.Refused(t, ben.Sends(back), "That is noted. Anna is to confirm it.")
	if now := h.Stands("coffees"); now["player:test:Anna"] != 0 {
		t.Errorf("taken back by one side: %v", now)
	}
	keep := bare.PressOn(t, asked, "Keep Anna → Ben 1")
	if got := bare.Said(t, anna.Sends(keep)); !strings.HasPrefix(got,
		"#1 Anna → Ben 1 coffees: paid and confirmed.\n") {
		t.Error(got)
	}
	bare.Refused(t, anna.Sends(keep), "That payment has moved on. /settle payments shows it.")
	ben.Sends(back)
	bare.Refused(t, h.Person("Clara").Sends(back), "That is between Anna and Ben. Ask one of them.")
	anna.Sends(back)
	if now := h.Stands("coffees"); now["player:test:Anna"] != -1 {
		t.Errorf("%v", now)
	}
	for _, p := range []*bare.Person{anna, ben} {
		bare.Refused(t, p.Sends(back), "That payment has moved on. /settle payments shows it.")
	}
	h.Sound()
}

func TestAdminsTakeBackWhatOneSideCannotAnswer(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	bare.Owing(h, "chips", map[string]int64{"Anna": -15, "Ben": 25, "house": -10})
	bare.Booked(h, store.Payment{Payer: "player:test:Anna", Payee: store.House, Amount: 1_000_000, Teller: "test:Anna"})
	for _, p := range []*bare.Person{anna, ben} {
		bare.Refused(t, p.Writes("/settle back 1"), "One side cannot answer: only an admin takes that back.")
	}
	anna.Hosted = true
	bare.Refused(t, anna.Writes("/settle back 1"), "One side cannot answer: only the host takes that back.")
	clara.Admin = true
	if got := bare.Said(t, clara.Writes("/settle back 1")); !strings.HasPrefix(got,
		"#1 Anna → the house 1,000,000 chips: paid, then taken back.\n") {
		t.Error(got)
	}
	h.Balance("player:test:Anna", -15)
	bare.Refused(t, clara.Writes("/settle back 1"), "That payment has moved on. /settle payments shows it.")
	bare.Booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 15, Teller: "test:Anna"})
	clara.Writes("/settle back 2")
	h.Balance("player:test:Anna", 0) // two people agreed
	forgotten(t, ben)
	clara.Writes("/settle back 2")
	h.Balance("player:test:Anna", -15)
	h.Sound()
}

// Where everybody is an admin nobody is, and two people together do it.
func TestWhereAllAreAlikeTwoPeopleTakeBackWhatOneSideCannotAnswer(t *testing.T) {
	h := bare.New(t)
	bare.Owing(h, "chips", map[string]int64{"Anna": -15, "house": 15})
	alike := func(name, line string) chat.Reply {
		ev := h.Person(name).Event()
		ev.Equals, ev.Admin = true, func(context.Context) bool { return true }
		ev.Command, ev.Text, _ = strings.Cut(line, " ")
		return h.Bot.Handle(context.Background(), ev)
	}
	alike("Anna", "settle paid 15 House")
	if got := bare.Said(t, alike("Anna", "settle back 1")); !strings.HasPrefix(got,
		"#1 Anna → the house 15 chips: paid. Anna takes it back if somebody else agrees.\n") {
		t.Error(got)
	}
	bare.Refused(t, alike("Anna", "settle back 1"), "Noted. Somebody else has to agree, too.")
	h.Balance("player:test:Anna", 0)
	alike("Ben", "settle back 1")
	h.Balance("player:test:Anna", -15)
	h.Sound()
}

// What somebody was to confirm who was then forgotten, the other side settles by
// their word alone, in the unit of the payment and up to what is open.
func TestAPaymentThatWaitsForSomebodyForgottenIsSettled(t *testing.T) {
	h := bare.New(t)
	anna, ben, clara := h.Person("Anna"), h.Person("Ben"), h.Person("Clara")
	anna.Admin = true
	bare.Owing(h, "dishes", map[string]int64{"Anna": 3, "Ben": -3})
	bare.Owing(h, "chips", map[string]int64{"Anna": 1, "Ben": -2, "Clara": 1})
	anna.Writes("/unit dishes")
	anna.Writes("/settle got 3 Ben")
	anna.Writes("/settle got 5 Ben")
	anna.Writes("/unit chips")
	clara.Writes("/settle got 1 Ben")
	forgotten(t, ben)
	settle := anna.Writes("/settle")
	if got := bare.Said(t, settle); !strings.Contains(got,
		"#1 gone 1 → Anna 3 dishes: told of. Anna alone can confirm it.\n") {
		t.Error(got)
	}
	bare.Refused(t, anna.Writes("/settle confirm 2"), "At most 3 is open with gone 1 that way: /settle.")
	if got := bare.Said(t, anna.Writes("/settle got 3 gone 1")); !strings.HasPrefix(got,
		"#1 gone 1 → Anna 3 dishes: paid and confirmed.\n") {
		t.Error(got)
	}
	bare.Refused(t, anna.Sends(bare.PressOn(t, settle, "✓ gone 1 → Anna 3")),
		"That payment has moved on. /settle payments shows it.")
	if now := h.Stands("dishes"); now["player:gone:1"] != 0 || now["player:test:Anna"] != 0 {
		t.Errorf("%v", now)
	}
	if got := bare.Said(t, clara.Sends(bare.PressOn(t, clara.Writes("/settle"),
		"✓ gone 1 → Clara 1"))); !strings.HasPrefix(got,
		"#3 gone 1 → Clara 1 chip: paid and confirmed.\n") {
		t.Error(got)
	}
	h.Sound()
}

// What somebody said before they were forgotten, the other side can agree to.
func TestWhatSomebodySaidBeforeTheyWereForgottenCounts(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": 3, "Ben": -3})
	ben.Writes("/settle paid 4 Anna")
	forgotten(t, ben)
	anna.Writes("/settle confirm 1")
	h.Balance("player:test:Anna", -1)
	h.Sound()
}

func TestAPaymentInTheWrongDirectionIsAskedAboutOnce(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -40, "Ben": 40})
	asked := ben.Writes("/settle paid 7 Anna")
	if got, want := bare.Said(t, asked), `
With that, Anna owes 7 chips more than now. Who paid whom?
Then: Ben +47 · Anna −47
[Paid: Anna → Ben 7][Paid: Ben → Anna 7]
`; got != want[1:] {
		t.Errorf("got\n%s", got)
	}
	if asked.Public {
		t.Error("others read what is only asked")
	}
	if got := bare.Said(t, ben.Writes("/settle payments")); !strings.HasPrefix(got, "Nothing has been paid here yet.") {
		t.Error(got)
	}
	all := ben.Sends(bare.PressOn(t, asked, "Paid: Ben → Anna 7"))
	if got := bare.Said(t, all); !strings.HasPrefix(got,
		"#1 Ben → Anna 7 chips: Anna is to confirm it.\nThen: Ben +47 · Anna −47\n") {
		t.Error(got)
	}
	if got := bare.Said(t, ben.Sends(bare.PressOn(t, asked, "Paid: Anna → Ben 7"))); !strings.HasPrefix(got,
		"#2 Anna → Ben 7 chips: Anna is to confirm it.\n[") {
		t.Error(got)
	}
	if got := bare.Said(t, anna.Writes("/settle got 7 Ben")); !strings.HasPrefix(got,
		"#1 Ben → Anna 7 chips: paid and confirmed.\n") {
		t.Errorf("what the other side has told of is asked about again:\n%s", got)
	}
	h.Sound()
}

// TestOneWordAloneNeverMakesADebt pays and takes at random from those who cannot
// answer: no balance grows, none turns its sign, and what is refused changes
// nothing.
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
		forgotten(t, ben)
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
		if doubts := doubts(h); len(doubts) > 0 {
			r.Fatalf("%+v", doubts)
		}
	})
	h.Sound()
}

// doubts are the payments that the operator is told of.
func doubts(h *bare.House) (found []store.Doubt) {
	h.T.Helper()
	err := h.Store.View(context.Background(), func(tx *store.Tx) (err error) {
		found, err = tx.Doubtful()
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return found
}

// A payment that one side wants to take back stands in the settle-up of the other until that has answered.
func TestAPaymentToBeTakenBackStandsInTheSettleUp(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	bare.Owing(h, "chips", map[string]int64{"Anna": -9, "Ben": 9})
	bare.Booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 5, Teller: "test:Anna"})
	if got := bare.Said(t, anna.Writes("/settle")); strings.Contains(got, "#1 ") {
		t.Errorf("nobody has asked for it back, but\n%s", got)
	}
	ben.Writes("/settle back 1")
	for _, p := range []*bare.Person{anna, ben} {
		r := p.Writes("/settle")
		if got := bare.Said(t, r); !strings.Contains(got, "\n#1 Anna → Ben 5 chips") {
			t.Errorf("%s reads\n%s", p.Name, got)
		}
	}
	anna.Writes("/settle back 1")
	if got := bare.Said(t, anna.Writes("/settle")); strings.Contains(got, "#1 ") {
		t.Errorf("it is taken back, but\n%s", got)
	}
	h.Sound()
}
