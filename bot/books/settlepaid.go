package books

import (
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// How people tell of payments. A typed payment with a party that cannot answer is booked at once. If it fits several
// units, or was booked just before, the answer asks which payment is meant, by buttons that each book one.

// soon is for how long the same payment, typed again, is taken for the same.
const soon = 10 * time.Minute

// tell records a payment: "120 #9 #5" by a button for either side, "120 Ben" by the payer or, got, the payee.
func (v *visit) tell(w bot.Args, got bool) error {
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	who, _ := w.Person("who")
	to, pressed := w.Person("to")
	var b books
	var p money.Payment
	if pressed {
		b, p, err = v.stamped(all, who, to.Name, w)
	} else {
		b, p, err = v.meant(all, who, w, got)
	}
	if err != nil {
		return err
	}
	mine := b.mine(v.Event.User)
	switch {
	case p.From == p.To:
		return games.Refuse("bot.settle.oneself", nil)
	case mine < 0 || mine != p.From && mine != p.To:
		return games.Refuse("bot.settle.not-yours", games.Args{"Payer": b.names[p.From], "Payee": b.names[p.To]})
	case pressed && strings.TrimPrefix(w.Text("stamp"), "@") != b.stamp(p):
		return games.Refuse("bot.settle.balances-moved", nil)
	}
	waiting, err := v.waitingFor(b, p)
	if err != nil {
		return err
	}
	waits := waiting.ID != 0
	switch silent := b.silent(p); {
	case pressed:
	case !waits && !silent && b.possible(p) == 0:
		v.askWhich(b, p)
		return nil
	case silent:
		asked, err := v.askUnit(all, b, p, waits || strings.HasPrefix(who.Name, "#"))
		if err != nil || asked {
			return err
		}
	}
	return v.record(b, p, waiting)
}

// stamped returns the payment of a button, "120 #9 #5 @1x3k9a", with the books in which it counts.
func (v *visit) stamped(all []books, payer bot.Person, payee string, w bot.Args) (b books, p money.Payment, err error) {
	p.Amount, _ = w.Amount("amount")
	if b, p.From, err = v.party(all, payer, open); err != nil {
		return b, p, err
	}
	if p.To = b.numbered(payee); p.To < 0 {
		err = games.Refuse("bot.settle.nobody", nil)
	}
	return b, p, err
}

// meant returns the payment between the person and a named one; with got the person is the payee.
// It also returns the books in which it counts: the first, those of the unit that the chat plays
// for ahead of others, in which the person has an account and, if the other side cannot answer, the
// amount is open; or else the first with an account of the other side.
func (v *visit) meant(all []books, name bot.Person, w bot.Args, got bool) (books, money.Payment, error) {
	n, _ := w.Amount("amount")
	payment := func(b books, other int) money.Payment {
		p := money.Payment{From: b.mine(v.Event.User), To: other, Amount: n}
		if got {
			p.From, p.To = p.To, p.From
		}
		return p
	}
	b, other, err := v.party(all, name, func(b books, other int) bool {
		return b.mine(v.Event.User) >= 0 &&
			(!store.Silent(b.parties[other].Account) || b.possible(payment(b, other)) >= n)
	})
	if err == nil && b.mine(v.Event.User) < 0 {
		err = games.Refuse("bot.settle.nothing-yours", nil)
	}
	own := name.User == v.Event.User || name.User == "" && strings.EqualFold(name.Name, v.Player.Name)
	if err != nil && own {
		err = games.Refuse("bot.settle.oneself", nil)
	}
	return b, payment(b, other), err
}

// waitingFor returns the reported payment that waits for confirmation, if there is one, and refuses
// a new one if too many wait.
func (v *visit) waitingFor(b books, p money.Payment) (found store.Payment, err error) {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return found, err
	}
	mine := 0
	for _, t := range told {
		if same, ok := b.between(t); ok && t.Unit == b.unit && same == p {
			return t, nil
		}
		if t.Teller == string(v.Event.User) {
			mine++
		}
	}
	switch {
	case mine >= maxTold:
		err = games.Refuse("bot.settle.too-many-told", games.Args{"N": mine})
	case len(told) >= maxWaiting:
		err = games.Refuse("bot.settle.too-many", nil)
	}
	return found, err
}

// record stores what one side reports, confirms what the other side has reported before, or books
// at once with a party that cannot answer.
func (v *visit) record(b books, p money.Payment, waiting store.Payment) (err error) {
	told := stored{Payment: waiting, books: b}
	if waiting.ID == 0 {
		told.Payment = store.Payment{
			Chat: v.Chat.ID, Unit: b.unit, Payer: b.parties[p.From].Account, Payee: b.parties[p.To].Account,
			Amount: p.Amount, Teller: string(v.Event.User), State: store.Told, Told: v.At,
		}
		if told.ID, err = v.Tx.Books.TellPayment(told.Payment); err != nil {
			return err
		}
		if !store.Silent(otherThan(told.Payment, told.Teller)) {
			return v.show(told, false)
		}
	}
	return v.agreed(told)
}

// askWhich shows the balances after a payment that brings no balance nearer to zero, since its payer owes
// nothing or its payee is owed nothing, and asks who has paid whom.
func (v *visit) askWhich(b books, p money.Payment) {
	grows, name := "bot.settle.grows", b.names[p.To]
	if b.parties[p.To].Balance > 0 {
		grows, name = "bot.settle.grows-owed", b.names[p.From]
	}
	m := v.Private(games.Say(grows, games.Args{"Name": name, "Amount": bot.Amount(b.unit, p.Amount)}),
		games.Say("bot.settle.then", games.Args{"Balances": v.after(b, p, p.Amount)}))
	choices := []money.Payment{p}
	if back := (money.Payment{From: p.To, To: p.From, Amount: p.Amount}); !b.grows(back) {
		choices = []money.Payment{back, p}
	}
	var row []chat.Button
	for _, c := range choices {
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": v.transfer(b, c)}), b.command(c),
			games.Plain)
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Row(row...)
}

// askUnit asks which payment is meant by a typed one with a party that cannot answer, unless it has one meaning only:
// no other unit fits than the chat's (or one named by a number or a waiting payment), and the same was not booked a
// moment ago.
func (v *visit) askUnit(all []books, b books, p money.Payment, named bool) (asked bool, err error) {
	from, to := b.parties[p.From].Account, b.parties[p.To].Account
	var fitting []books // in which one word alone can book it
	for _, in := range all {
		if same, ok := in.between(store.Payment{Payer: from, Payee: to}); ok && in.possible(same) >= p.Amount {
			fitting = append(fitting, in)
		}
	}
	again, err := v.bookedSoon(from, to, p.Amount)
	key := "bot.settle.which-unit"
	switch {
	case err != nil || len(fitting) == 0:
		return false, err
	case again:
		key = "bot.settle.again"
	case len(fitting) == 1 && (named || b.unit == v.Unit()):
		return false, nil
	}
	m := v.Private(games.Say(key, games.Args{"Payer": b.names[p.From], "Payee": b.names[p.To]}))
	var row []chat.Button
	for _, in := range fitting {
		same, _ := in.between(store.Payment{Payer: from, Payee: to, Amount: p.Amount})
		m.Lines = append(m.Lines, v.Say(games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(in.unit), "Balances": v.after(in, same, 0)})))
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": bot.Amount(in.unit, p.Amount)}),
			in.command(same), games.Plain)
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Rows(chat.ChoiceRow, row[:min(len(row), maxTransfers)]...)
	return true, nil
}

// bookedSoon reports whether the person has had the same payment booked, in any unit, a moment ago.
func (v *visit) bookedSoon(payer, payee string, amount int64) (bool, error) {
	booked, err := v.Tx.Books.Payments(v.Chat.ID, store.Confirmed, maxWaiting)
	for _, q := range booked {
		if q.Teller == string(v.Event.User) && q.Amount == amount && v.At-q.Changed < soon.Milliseconds() &&
			q.Payer == payer && q.Payee == payee {
			return true, err
		}
	}
	return false, err
}
