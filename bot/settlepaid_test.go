package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/bot/chat"
	"knobel/store"
)

// stands are the balances of everybody in the chat's books of a unit.
func (h *house) stands(unit string) map[string]int64 {
	h.t.Helper()
	all := map[string]int64{}
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		parties, err := tx.Parties("test:1", unit)
		for _, p := range parties {
			all[p.Account] = p.Balance
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// forgotten has somebody forgotten by the button that asks for it.
func forgotten(t *testing.T, p *person) {
	t.Helper()
	p.sends(pressOn(t, p.writes("/forget"), "Forget me"))
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
			h := newHouse(t)
			anna := h.person("Anna")
			owing(h, "chips", c.stands)
			before := h.stands("chips")
			r := anna.writes("/settle " + c.line)
			if c.want != "" {
				refused(t, r, c.want)
				if now := h.stands("chips"); fmt.Sprint(now) != fmt.Sprint(before) {
					t.Errorf("from %v to %v", before, now)
				}
			} else if got := said(t, r); !strings.Contains(got, "paid and confirmed") {
				t.Error(got)
			}
			h.sound()
		})
	}
}

// TestAPaidButtonBooksOnce presses buttons of payments again, before and after the
// balances have moved.
func TestAPaidButtonBooksOnce(t *testing.T) {
	const moved = "The balances have moved since: ask /settle again."
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	owing(h, "chips", map[string]int64{"Anna": -50, "house": 50})
	toHouse := anna.writes("/settle").Private.Buttons[0][0].Press
	anna.sends(toHouse)
	for range 2 {
		refused(t, anna.sends(toHouse), moved)
	}
	h.balance("player:test:Anna", 0)
	owing(h, "chips", map[string]int64{"Anna": -50, "house": 50}) // the same is open again
	refused(t, anna.sends(toHouse), moved)
	unstamped, _, _ := strings.Cut(toHouse, " @") // as buttons were once
	refused(t, anna.sends(unstamped), moved)

	owing(h, "coffees", map[string]int64{"Ben": 120, "Clara": -120})
	toBen := pressOn(t, clara.writes("/settle"), "Paid: Clara → Ben 120")
	clara.sends(toBen)
	ben.sends(toBen)
	for _, p := range []*person{clara, ben} {
		refused(t, p.sends(toBen), moved)
	}
	if now := h.stands("coffees"); now["player:test:Clara"] != 0 || now["player:test:Ben"] != 0 {
		t.Errorf("%v", now)
	}
	for _, p := range []*person{clara, ben} {
		p.writes("/settle back 2")
	}
	if now := h.stands("coffees"); now["player:test:Clara"] != -120 {
		t.Errorf("%v", now)
	}
	for _, p := range []*person{clara, ben} {
		refused(t, p.sends(toBen), moved) // the balances are the same, the books are not
	}
	h.sound()
}

func TestAConfirmedPaymentIsTakenBackByBothSides(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.admin = true // which is no other side
	owing(h, "coffees", map[string]int64{"Anna": -1, "Ben": 1})
	anna.writes("/settle paid 1 Ben")
	ben.writes("/settle confirm 1")
	back := pressOn(t, anna.writes("/settle payments"), "Take back Anna → Ben 1")
	asked := ben.sends(back)
	refused(t, ben.sends(back), "That is noted. Anna is to confirm it.")
	if now := h.stands("coffees"); now["player:test:Anna"] != 0 {
		t.Errorf("taken back by one side: %v", now)
	}
	keep := pressOn(t, asked, "Keep Anna → Ben 1")
	if got := said(t, anna.sends(keep)); !strings.HasPrefix(got, "#1 Anna → Ben 1 coffees: paid and confirmed.\n") {
		t.Error(got)
	}
	refused(t, anna.sends(keep), "That payment has moved on. /settle payments shows it.")
	ben.sends(back)
	refused(t, h.person("Clara").sends(back), "That is between Anna and Ben. Ask one of them.")
	anna.sends(back)
	if now := h.stands("coffees"); now["player:test:Anna"] != -1 {
		t.Errorf("%v", now)
	}
	for _, p := range []*person{anna, ben} {
		refused(t, p.sends(back), "That payment has moved on. /settle payments shows it.")
	}
	h.sound()
}

// booked enters a payment as it was possible once, by one person's word.
func booked(h *house, p store.Payment) {
	h.t.Helper()
	err := h.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) (err error) {
		p.Chat, p.Unit, p.State, p.Told = "test:1", "chips", store.Told, h.time().UnixMilli()
		if p.ID, err = tx.TellPayment(p); err != nil {
			return err
		}
		return tx.Confirm(p, p.Told)
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestAdminsTakeBackWhatOneSideCannotAnswer(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	owing(h, "chips", map[string]int64{"Anna": -15, "Ben": 25, "house": -10})
	booked(h, store.Payment{Payer: "player:test:Anna", Payee: store.House, Amount: 1_000_000, Teller: "test:Anna"})
	for _, p := range []*person{anna, ben} {
		refused(t, p.writes("/settle back 1"), "One side cannot answer: only an admin takes that back.")
	}
	anna.hosted = true
	refused(t, anna.writes("/settle back 1"), "One side cannot answer: only the host takes that back.")
	clara.admin = true
	if got := said(t, clara.writes("/settle back 1")); !strings.HasPrefix(got,
		"#1 Anna → the house 1,000,000 chips: paid, then taken back.\n") {
		t.Error(got)
	}
	h.balance("player:test:Anna", -15)
	refused(t, clara.writes("/settle back 1"), "That payment has moved on. /settle payments shows it.")
	booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 15, Teller: "test:Anna"})
	clara.writes("/settle back 2")
	h.balance("player:test:Anna", 0) // two people agreed
	forgotten(t, ben)
	clara.writes("/settle back 2")
	h.balance("player:test:Anna", -15)
	h.sound()
}

// Where everybody is an admin nobody is, and two people together do it.
func TestWhereAllAreAlikeTwoPeopleTakeBackWhatOneSideCannotAnswer(t *testing.T) {
	h := newHouse(t)
	owing(h, "chips", map[string]int64{"Anna": -15, "house": 15})
	alike := func(name, line string) chat.Reply {
		ev := h.person(name).event()
		ev.Equals, ev.Admin = true, func(context.Context) bool { return true }
		ev.Command, ev.Text, _ = strings.Cut(line, " ")
		return h.bot.Handle(context.Background(), ev)
	}
	alike("Anna", "settle paid 15 House")
	if got := said(t, alike("Anna", "settle back 1")); !strings.HasPrefix(got,
		"#1 Anna → the house 15 chips: paid. Anna takes it back if somebody else agrees.\n") {
		t.Error(got)
	}
	refused(t, alike("Anna", "settle back 1"), "Noted. Somebody else has to agree, too.")
	h.balance("player:test:Anna", 0)
	alike("Ben", "settle back 1")
	h.balance("player:test:Anna", -15)
	h.sound()
}

// What somebody was to confirm who was then forgotten, the other side settles by
// their word alone, in the unit of the payment and up to what is open.
func TestAPaymentThatWaitsForSomebodyForgottenIsSettled(t *testing.T) {
	h := newHouse(t)
	anna, ben, clara := h.person("Anna"), h.person("Ben"), h.person("Clara")
	anna.admin = true
	owing(h, "dishes", map[string]int64{"Anna": 3, "Ben": -3})
	owing(h, "chips", map[string]int64{"Anna": 1, "Ben": -2, "Clara": 1})
	anna.writes("/unit dishes")
	anna.writes("/settle got 3 Ben")
	anna.writes("/settle got 5 Ben")
	anna.writes("/unit chips")
	clara.writes("/settle got 1 Ben")
	forgotten(t, ben)
	settle := anna.writes("/settle")
	if got := said(t, settle); !strings.Contains(got,
		"#1 gone 1 → Anna 3 dishes: told of. Anna alone can confirm it.\n") {
		t.Error(got)
	}
	refused(t, anna.writes("/settle confirm 2"), "At most 3 is open with gone 1 that way: /settle.")
	if got := said(t, anna.writes("/settle got 3 gone 1")); !strings.HasPrefix(got,
		"#1 gone 1 → Anna 3 dishes: paid and confirmed.\n") {
		t.Error(got)
	}
	refused(t, anna.sends(pressOn(t, settle, "✓ gone 1 → Anna 3")),
		"That payment has moved on. /settle payments shows it.")
	if now := h.stands("dishes"); now["player:gone:1"] != 0 || now["player:test:Anna"] != 0 {
		t.Errorf("%v", now)
	}
	if got := said(t, clara.sends(pressOn(t, clara.writes("/settle"), "✓ gone 1 → Clara 1"))); !strings.HasPrefix(got,
		"#3 gone 1 → Clara 1 chip: paid and confirmed.\n") {
		t.Error(got)
	}
	h.sound()
}

// What somebody said before they were forgotten, the other side can agree to.
func TestWhatSomebodySaidBeforeTheyWereForgottenCounts(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	owing(h, "chips", map[string]int64{"Anna": 3, "Ben": -3})
	ben.writes("/settle paid 4 Anna")
	forgotten(t, ben)
	anna.writes("/settle confirm 1")
	h.balance("player:test:Anna", -1)
	h.sound()
}

func TestAPaymentInTheWrongDirectionIsAskedAboutOnce(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	owing(h, "chips", map[string]int64{"Anna": -40, "Ben": 40})
	asked := ben.writes("/settle paid 7 Anna")
	if got, want := said(t, asked), `
With that, Anna owes 7 chips more than now. Who paid whom?
Then: Ben +47 · Anna −47
[Paid: Anna → Ben 7][Paid: Ben → Anna 7]
`; got != want[1:] {
		t.Errorf("got\n%s", got)
	}
	if asked.Public {
		t.Error("others read what is only asked")
	}
	if got := said(t, ben.writes("/settle payments")); !strings.HasPrefix(got, "Nothing has been paid here yet.") {
		t.Error(got)
	}
	all := ben.sends(pressOn(t, asked, "Paid: Ben → Anna 7"))
	if got := said(t, all); !strings.HasPrefix(got,
		"#1 Ben → Anna 7 chips: Anna is to confirm it.\nThen: Ben +47 · Anna −47\n") {
		t.Error(got)
	}
	if got := said(t, ben.sends(pressOn(t, asked, "Paid: Anna → Ben 7"))); !strings.HasPrefix(got,
		"#2 Anna → Ben 7 chips: Anna is to confirm it.\n[") {
		t.Error(got)
	}
	if got := said(t, anna.writes("/settle got 7 Ben")); !strings.HasPrefix(got,
		"#1 Ben → Anna 7 chips: paid and confirmed.\n") {
		t.Errorf("what the other side has told of is asked about again:\n%s", got)
	}
	h.sound()
}

// TestOneWordAloneNeverMakesADebt pays and takes at random from those who cannot
// answer: no balance grows, none turns its sign, and what is refused changes
// nothing.
func TestOneWordAloneNeverMakesADebt(t *testing.T) {
	n := 0
	h := newHouse(t)
	rapid.Check(t, func(r *rapid.T) {
		n++
		unit := fmt.Sprint("u", n)
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.admin = true
		amounts := map[string]int64{}
		for _, name := range []string{"Anna", "Clara", "house"} {
			amounts[name] = rapid.Int64Range(-20, 20).Draw(r, name)
		}
		amounts["Ben"] = -amounts["Anna"] - amounts["Clara"] - amounts["house"]
		owing(h, unit, amounts)
		anna.writes("/unit " + unit)
		forgotten(t, ben)
		gone := "gone " + fmt.Sprint(n)
		before := h.stands(unit)
		var buttons []string
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			who := h.person(rapid.SampledFrom([]string{"Anna", "Clara"}).Draw(r, "who"))
			var reply chat.Reply
			if len(buttons) > 0 && rapid.Bool().Draw(r, "press") {
				reply = who.sends(rapid.SampledFrom(buttons).Draw(r, "button"))
			} else {
				verb := rapid.SampledFrom([]string{"paid", "got"}).Draw(r, "verb")
				other := rapid.SampledFrom([]string{"house", gone}).Draw(r, "other")
				reply = who.writes(fmt.Sprintf("/settle %s %d %s", verb, rapid.IntRange(1, 25).Draw(r, "amount"),
					other))
				for _, b := range who.writes("/settle").Private.Buttons[0] {
					buttons = append(buttons, b.Press)
				}
			}
			after := h.stands(unit)
			for account, now := range after {
				was := before[account]
				if now*was < 0 || max(now, -now) > max(was, -was) || reply.Refused && now != was {
					r.Fatalf("%s: from %d to %d, %+v", account, was, now, reply)
				}
			}
			before = after
		}
		if doubts := h.doubts(); len(doubts) > 0 {
			r.Fatalf("%+v", doubts)
		}
	})
	h.sound()
}

// doubts are the payments that the operator is told of.
func (h *house) doubts() (found []store.Doubt) {
	h.t.Helper()
	err := h.store.View(context.Background(), func(tx *store.Tx) (err error) {
		found, err = tx.Doubtful()
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return found
}

// A payment that one side wants to take back stands in the settle-up of the other until that has answered.
func TestAPaymentToBeTakenBackStandsInTheSettleUp(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	owing(h, "chips", map[string]int64{"Anna": -9, "Ben": 9})
	booked(h, store.Payment{Payer: "player:test:Anna", Payee: "player:test:Ben", Amount: 5, Teller: "test:Anna"})
	if got := said(t, anna.writes("/settle")); strings.Contains(got, "#1 ") {
		t.Errorf("nobody has asked for it back, but\n%s", got)
	}
	ben.writes("/settle back 1")
	for _, p := range []*person{anna, ben} {
		r := p.writes("/settle")
		if got := said(t, r); !strings.Contains(got, "\n#1 Anna → Ben 5 chips") {
			t.Errorf("%s reads\n%s", p.name, got)
		}
	}
	anna.writes("/settle back 1")
	if got := said(t, anna.writes("/settle")); strings.Contains(got, "#1 ") {
		t.Errorf("it is taken back, but\n%s", got)
	}
	h.sound()
}
