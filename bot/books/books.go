// Package books implements the command /settle: balances, their reasons, and payments that settle them.
package books

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// All computer players and the jackpot (box), which keeps remainders, are one party, "the house". So the balances of a
// chat in one unit of stakes add up to zero. Unfinished games do not count. A button names a party by the number of an
// account ("#17"); each account has one unit. A typed command names a person, in the unit that the chat plays for. The
// command means another unit if the person has no account there or, for explanations, a balance of zero.

// visit is one event that concerns balances and payments, caused by the acting person.
type visit struct {
	*bot.Visit
	bot *bot.Bot
}

// books holds the balances of a chat in one unit of stakes, such as chips. Its parties are people and the house.
type books struct {
	unit    string
	parties []store.Party
	names   []string // as shown, all different
	me      int      // index of the acting person in parties, -1 without an account
}

// books returns the balances of all parties of the chat in a unit, with their names.
func (v *visit) books(unit string) (books, error) {
	parties, err := v.Tx.Books.Parties(v.Chat.ID, unit)
	b := books{unit: unit, parties: parties}
	b.me = b.indexOf("player:" + string(v.Event.User))
	return v.withNames(b), err
}

// withNames returns b with the names of its parties filled in: in the language of the answer, and all different.
func (v *visit) withNames(b books) books {
	var taken chat.TakenNames
	b.names = make([]string, len(b.parties))
	for i, p := range b.parties {
		shown := v.Say(games.Say("bot.house", nil))
		if p.Account != store.House {
			shown = v.bot.ShownName(p.Name, v.Lang)
		}
		b.names[i] = taken.Unlike(shown)
	}
	return b
}

// allBooks returns the books of each unit of stakes. The unit that the chat plays for comes first.
func (v *visit) allBooks() ([]books, error) {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil {
		return nil, err
	}
	now := v.Unit()
	units = slices.DeleteFunc(units, func(unit string) bool { return unit == now })
	var all []books
	for _, unit := range slices.Insert(units, 0, now) {
		b, err := v.books(unit)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// indexOf returns the index in b of the party with an account, -1 if b has no such party.
func (b books) indexOf(account string) int {
	return slices.IndexFunc(b.parties, func(p store.Party) bool { return p.Account == account })
}

// nameOf returns the shown name of the party with an account, "?" if b has no such party.
func (b books) nameOf(account string) string {
	if i := b.indexOf(account); i >= 0 {
		return b.names[i]
	}
	return "?"
}

// indexOfNumber returns the index in b of the party that has the account number ("#17"), -1 if b has none.
func (b books) indexOfNumber(number string) int {
	n, _ := strconv.ParseInt(strings.TrimPrefix(number, "#"), 10, 64)
	return slices.IndexFunc(b.parties, func(p store.Party) bool { return p.Has(n) })
}

// isOpen reports whether the balance of the party with that index in b is not zero.
func isOpen(b books, index int) bool { return b.parties[index].Balance != 0 }

// party finds the party that named means in all, the books of each unit. found is the first books for which fits,
// called with the party's index in them, is true or, for a number ("#17"), the party's balance is open; failing that,
// the first books with the party. index is the party's index in found: -1, with a refusal, if no books have the party.
func (v *visit) party(all []books, named bot.Person, fits func(books, int) bool) (found books, index int, err error) {
	who := func(b books) int { return v.partyIn(b, named) }
	number, numbered := strings.CutPrefix(named.Name, "#")
	if numbered {
		if _, err := strconv.ParseInt(number, 10, 64); err != nil {
			return books{}, -1, games.Refuse("bot.settle-how", nil)
		}
		who, fits = func(b books) int { return b.indexOfNumber(number) }, isOpen
	}
	found, index = all[0], -1
	for _, b := range all {
		i := who(b)
		if i >= 0 && fits(b, i) {
			return b, i, nil
		}
		if index < 0 && i >= 0 {
			found, index = b, i
		}
	}
	switch {
	case index < 0 && numbered:
		err = games.Refuse("bot.settle.nobody", nil)
	case index < 0:
		err = games.Refuse("bot.settle.no-such-person", games.Args{"Name": chat.Isolate(named.Name)})
	}
	return found, index, err
}

// partyIn returns the index in b of the party that named means, -1 if there is none. named is a mentioned person, a
// shown name, a player's own name, or a word for the house (computer players). A unit may come before it ("chips Ben").
func (v *visit) partyIn(b books, named bot.Person) int {
	i := named.Among(v.Visit, len(b.parties), func(i int) string { return b.parties[i].Player() },
		func(i int) string { return bot.Unisolated(b.names[i]) }, func(i int) string { return b.parties[i].Name })
	name, behind := strings.CutPrefix(named.Name, b.unit+" ")
	switch {
	case i >= 0:
		return i
	case named.User == "" && v.bot.Means("bot.house", named.Name):
		return b.indexOf(store.House)
	case behind:
		return v.partyIn(b, bot.Person{Name: name})
	}
	return -1
}

// payment is a planned, reported or stored payment, with the books of its unit.
type payment struct {
	store.Payment
	books
	from, to     int    // indexes of payer and payee in the books, -1: not there
	pressedStamp string // stamp in the pressed button, "" for none
	buttonAt     string // where that button is, such as onPlan; "": unknown
}

// equals reports whether the stored payment t is the same payment as p.
func (p payment) equals(t store.Payment) bool {
	return t.Unit == p.Unit && t.Payer == p.Payer && t.Payee == p.Payee && t.Amount == p.Amount
}

// payment returns the payment of amount in b: from is the index of the payer, and to the index of the payee.
func (b books) payment(from, to int, amount int64) payment {
	return payment{Payment: store.Payment{Unit: b.unit, Payer: b.parties[from].Account, Payee: b.parties[to].Account,
		Amount: amount}, books: b, from: from, to: to}
}

// withBooks returns p with the books b, and the indexes of its payer and payee in b.
func (p payment) withBooks(b books) payment {
	p.books, p.from, p.to = b, b.indexOf(p.Payer), b.indexOf(p.Payee)
	return p
}

// Payments with a party that cannot answer: the house (computer players), or a person whose data was deleted. The other
// side alone can book one up to the open amount. A button books only while the balances are as when it was made.

// oneSided reports whether only one side of p can answer: the other is the house, or a person with deleted data.
func (p payment) oneSided() bool { return store.Silent(p.Payer) || store.Silent(p.Payee) }

// otherSide returns the account of the side of p, payer or payee, that is not the player with that id.
func (p payment) otherSide(player string) string {
	if p.Payer == "player:"+player {
		return p.Payee
	}
	return p.Payer
}

// bookable returns the largest amount that one side alone can book in the direction of p: paying it brings both
// balances nearer to zero, and neither beyond. 0: nothing can be booked.
func (p payment) bookable() int64 {
	if p.from < 0 || p.to < 0 {
		return 0
	}
	return max(0, min(-p.parties[p.from].Balance, p.parties[p.to].Balance))
}

// grows reports whether paying p takes both balances further from zero.
func (p payment) grows() bool { return p.parties[p.from].Balance >= 0 && p.parties[p.to].Balance <= 0 }

// stampLength is the most characters of a stamp.
const stampLength = 6

// stamp returns a short hash that the buttons of p carry: a button with another stamp is outdated. It changes with the
// balance of either side, and when a payment of either is booked or taken back. "0": a side lacks an account.
func (p payment) stamp() string {
	if p.from < 0 || p.to < 0 {
		return "0"
	}
	h := fnv.New64a()
	for _, side := range []int{p.from, p.to} {
		party := p.parties[side]
		fmt.Fprintln(h, p.unit, party.Number, party.Balance, party.Paid)
	}
	fmt.Fprintln(h, p.Amount)
	spelled := strconv.FormatUint(h.Sum64(), 36)
	return spelled[:min(len(spelled), stampLength)]
}

// paidButton returns a button that records p as paid. Its text is "Paid" with label, which describes p.
func (v *visit) paidButton(p payment, label any) chat.Button {
	command := fmt.Sprintf("/settle paid %d #%d #%d @%s", p.Amount, p.parties[p.from].Number, p.parties[p.to].Number,
		p.stamp())
	return v.Button(games.Say("bot.button.paid", games.Args{"Payment": label}), command, games.Plain)
}

// paymentText returns p in words: "Clara → Ben 120".
func (v *visit) paymentText(p payment) string {
	return p.nameOf(p.Payer) + " → " + p.nameOf(p.Payee) + " " + v.Number(bot.PlainNumber(p.Amount))
}

// balancesAfter returns a line with the balances of p's payer and payee as they would be after a payment of amount.
func (v *visit) balancesAfter(p payment, amount int64) string {
	return p.names[p.from] + " " + v.Number(bot.Signed(p.parties[p.from].Balance+amount)) + " · " +
		p.names[p.to] + " " + v.Number(bot.Signed(p.parties[p.to].Balance-amount))
}

// Feature returns the command /settle. Its subcommands without a Word (a verb to type) are for buttons.
func Feature(b *bot.Bot) bot.Feature {
	at := func(do func(*visit, bot.Args) error) func(*bot.Visit, bot.Args) error {
		return func(v *bot.Visit, w bot.Args) error { return do(&visit{v, b}, w) }
	}
	read := func(do func(*visit, bot.Args) error) func(*bot.Visit, bot.Args) error { return bot.Reads(at(do)) }
	who := bot.Option{Name: "who", Type: chat.TypePerson, About: games.Say("bot.option.who", nil)}
	whose := bot.Option{Name: "who", Type: chat.TypePerson, About: games.Say("bot.option.whose", nil)}
	telling := []bot.Option{
		{Name: "amount", Type: chat.TypeAmount, Min: 1, Max: maxAmount, Refuse: func(string) error {
			return games.Refuse("bot.settle.amount", games.Args{"Most": int(maxAmount)})
		}, About: games.Say("bot.option.amount", nil)}, who,
		{Name: "to", Type: chat.TypePerson}, {Name: "stamp", Type: chat.TypeText},
	}
	named := []bot.Option{{Name: "payment", Type: chat.TypeNumber}, {Name: "marks", Type: chat.TypeText}}
	change := func(state string, may, do func(*visit, payment) error) func(*bot.Visit, bot.Args) error {
		return at(func(v *visit, w bot.Args) error {
			p, err := v.storedPayment(w)
			if err == nil {
				err = may(v, p)
			}
			switch {
			case err != nil:
				return err
			case p.State != state:
				return v.refuseState(p)
			}
			return do(v, p)
		})
	}
	settle := bot.Command{
		Name: "settle", Subject: bot.ToCount, How: "bot.settle-how",
		Run: read((*visit).settle), Bare: "balances",
		Options: []bot.Option{{Name: "what", Type: chat.TypeChoice, About: games.Say("bot.option.what", nil)}},
		Subs: []bot.Command{
			{Name: "balances", Word: "bot.settle.verb.balances", About: games.Say("bot.row.settle.balances", nil),
				Run: read((*visit).settle)},
			{Name: "why", Word: "bot.settle.verb.why", About: games.Say("bot.row.settle.why", nil),
				Options: []bot.Option{whose, {Name: "page", Type: chat.TypeNumber}},
				Run:     read((*visit).why)},
			{Name: "with", Word: "bot.settle.verb.with", About: games.Say("bot.row.settle.with", nil), Needs: 1,
				OnPerson: "bot.menu.settle",
				Options:  []bot.Option{who}, Run: read((*visit).settleWith)},
			{Name: "paid", Word: "bot.settle.verb.paid", About: games.Say("bot.row.settle.paid", nil), Needs: 2,
				Options: telling, Run: at(func(v *visit, w bot.Args) error { return v.report(w, false) })},
			{Name: "got", Word: "bot.settle.verb.got", About: games.Say("bot.row.settle.got", nil), Needs: 2,
				Options: telling, Run: at(func(v *visit, w bot.Args) error { return v.report(w, true) })},
			{Name: "plan", Run: read((*visit).backToPlan)},
			{Name: "payments", Word: "bot.settle.verb.payments", About: games.Say("bot.row.settle.payments", nil),
				Run: read((*visit).payments)},
			{Name: "confirm", Needs: 1, Options: named, Run: change(store.Told, (*visit).checkSide, (*visit).confirm)},
			{Name: "withdraw", Needs: 1, Options: named,
				Run: change(store.Told, (*visit).checkSide, (*visit).withdraw)},
			{Name: "back", Needs: 1, Options: named,
				Run: change(store.Confirmed, (*visit).mayTakeBack, (*visit).takeBack)},
			{Name: "keep", Needs: 1, Options: named,
				Run: change(store.Confirmed, (*visit).mayTakeBack, (*visit).declineTakeBack)},
		},
	}
	return bot.Feature{
		Zone:     func(v *bot.Visit, was, _ bot.Settings) error { return (&visit{v, b}).storeEvenings(was) },
		Commands: []bot.Command{settle},
	}
}
