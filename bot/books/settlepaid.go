package books

import (
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// How people tell of payments. A typed payment with a party that cannot answer is booked at once. If it fits several
// units, or was booked just before, the answer asks which payment is meant, by buttons that each book one.

// soon is for how long the same payment, typed again, is taken for the same.
const soon = 10 * time.Minute

// tell records a payment: "120 #9 #5 @1x3k9a" by a button for either side, "120 Ben" by the payer or, got, the payee.
// It stores the first side's report, confirms a report of the other side, or books at once with a party that cannot
// answer.
func (v *visit) tell(w bot.Args, got bool) error {
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	p, err := v.meant(all, w, got)
	if err != nil {
		return err
	}
	who, _ := w.Person("who")
	_, pressed := w.Person("to")
	switch {
	case p.from == p.to:
		return games.Refuse("bot.settle.oneself", nil)
	case p.me < 0 || p.me != p.from && p.me != p.to:
		return games.Refuse("bot.settle.not-yours", games.Args{"Payer": p.names[p.from], "Payee": p.names[p.to]})
	case pressed && strings.TrimPrefix(w.Text("stamp"), "@") != p.stamp():
		return games.Refuse("bot.settle.balances-moved", nil)
	}
	waiting, waits, err := v.waitingFor(p)
	if err != nil {
		return err
	}
	silent := p.oneSided()
	switch {
	case pressed:
	case !waits && !silent && p.possible() == 0:
		v.askWhich(p)
		return nil
	case silent:
		asked, err := v.askUnit(all, p, waits || strings.HasPrefix(who.Name, "#"))
		if err != nil || asked {
			return err
		}
	}
	if waits {
		p.Payment = waiting
		return v.agreed(p)
	}
	p.Chat, p.Teller, p.State, p.Told = v.Chat.ID, string(v.Event.User), store.Told, v.At
	if p.ID, err = v.Tx.Books.TellPayment(p.Payment); err != nil {
		return err
	}
	if silent {
		return v.agreed(p)
	}
	return v.show(p, false)
}

// meant returns the payment of a button, or the one between the person and a named one; with got the person is the
// payee. Its books are the first, those of the unit that the chat plays for ahead of others, in which the person has
// an account and, if the other side cannot answer, the amount is open; or else the first with an account of the other
// side.
func (v *visit) meant(all []books, w bot.Args, got bool) (payment, error) {
	amount, _ := w.Amount("amount")
	who, _ := w.Person("who")
	if payee, pressed := w.Person("to"); pressed {
		b, from, err := v.party(all, who, open)
		if err != nil {
			return payment{}, err
		}
		to := b.numbered(payee.Name)
		if to < 0 {
			return payment{}, games.Refuse("bot.settle.nobody", nil)
		}
		return b.pays(from, to, amount), nil
	}
	pays := func(b books, other int) payment {
		if got {
			return b.pays(other, b.me, amount)
		}
		return b.pays(b.me, other, amount)
	}
	b, other, err := v.party(all, who, func(b books, other int) bool {
		return b.me >= 0 && (!store.Silent(b.parties[other].Account) || pays(b, other).possible() >= amount)
	})
	if err == nil && b.me < 0 {
		err = games.Refuse("bot.settle.nothing-yours", nil)
	}
	own := who.User == v.Event.User || who.User == "" && strings.EqualFold(who.Name, v.Player.Name)
	switch {
	case err != nil && own:
		return payment{}, games.Refuse("bot.settle.oneself", nil)
	case err != nil:
		return payment{}, err
	}
	return pays(b, other), nil
}

// waitingFor returns the same reported payment that waits for confirmation, if there is one, and refuses
// a new one if too many wait.
func (v *visit) waitingFor(p payment) (found store.Payment, waits bool, err error) {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return found, false, err
	}
	mine := 0
	for _, t := range told {
		if t.Unit == p.Unit && t.Payer == p.Payer && t.Payee == p.Payee && t.Amount == p.Amount {
			return t, true, nil
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
	return found, false, err
}

// askWhich shows the balances after a payment that brings no balance nearer to zero, since its payer owes
// nothing or its payee is owed nothing, and asks for the direction of the payment.
func (v *visit) askWhich(p payment) {
	grows, name := "bot.settle.grows", p.names[p.to]
	if p.parties[p.to].Balance > 0 {
		grows, name = "bot.settle.grows-owed", p.names[p.from]
	}
	m := v.Private(games.Say(grows, games.Args{"Name": name, "Amount": bot.Amount(p.Unit, p.Amount)}),
		games.Say("bot.settle.then", games.Args{"Balances": v.after(p, p.Amount)}))
	choices := []payment{p}
	if back := p.pays(p.to, p.from, p.Amount); !back.grows() {
		choices = []payment{back, p}
	}
	var row []chat.Button
	for _, c := range choices {
		paid := v.paidButton(c, v.transfer(c))
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Row(row...)
}

// askUnit asks which payment is meant by a typed one with a party that cannot answer, unless it has one meaning only:
// no other unit fits than the chat's (or one named by a number or a waiting payment), and the same was not booked a
// moment ago.
func (v *visit) askUnit(all []books, p payment, named bool) (asked bool, err error) {
	var fitting []payment // those that one word alone can book
	for _, b := range all {
		same := p.in(b)
		if same.Unit = b.unit; same.possible() >= p.Amount {
			fitting = append(fitting, same)
		}
	}
	again, err := v.bookedSoon(p)
	key := "bot.settle.which-unit"
	switch {
	case err != nil || len(fitting) == 0:
		return false, err
	case again:
		key = "bot.settle.again"
	case len(fitting) == 1 && (named || p.Unit == v.Unit()):
		return false, nil
	}
	m := v.Private(games.Say(key, games.Args{"Payer": p.names[p.from], "Payee": p.names[p.to]}))
	var row []chat.Button
	for _, same := range fitting {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(same.Unit), "Balances": v.after(same, 0)})))
		paid := v.paidButton(same, bot.Amount(same.Unit, same.Amount))
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Rows(chat.ChoiceRow, row[:min(len(row), maxTransfers)]...)
	return true, nil
}

// bookedSoon reports whether the person has had the same payment booked, in any unit, a moment ago.
func (v *visit) bookedSoon(p payment) (bool, error) {
	booked, err := v.Tx.Books.Payments(v.Chat.ID, store.Confirmed, maxWaiting)
	return slices.ContainsFunc(booked, func(q store.Payment) bool {
		return q.Teller == string(v.Event.User) && q.Amount == p.Amount && v.At-q.Changed < soon.Milliseconds() &&
			q.Payer == p.Payer && q.Payee == p.Payee
	}), err
}
