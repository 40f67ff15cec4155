package books

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Reports of payments. A typed payment with a party that cannot answer (house, deleted person) is booked at once. If it
// is unclear in which unit, or if an equal one was booked a moment ago, the answer asks first, with a button per unit.

// soon is the time after a booking in which an equal typed payment may be a mistake, so that the answer asks first.
const soon = 10 * time.Minute

// report records a payment. A button holds "120 #9 #5 @1x3k9a" (amount, payer, payee, stamp), and either side may press
// it. "120 Ben" is typed by the payer or, if got is true, the payee. The report of the first side is stored. The
// payment is booked once the other side reports it too, or at once if that side cannot answer.
func (v *visit) report(w bot.Args, got bool) error {
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	p, err := v.paymentOf(all, w, got)
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
	waiting, waits, err := v.findReport(p)
	if err != nil {
		return err
	}
	silent := p.oneSided()
	switch {
	case pressed:
	case !waits && !silent && p.bookable() == 0:
		v.askDirection(p)
		return nil
	case silent:
		asked, err := v.askUnit(all, p, waits || strings.HasPrefix(who.Name, "#"))
		if err != nil || asked {
			return err
		}
	}
	if waits {
		p.Payment = waiting
		return v.book(p)
	}
	p.Chat, p.Teller, p.State, p.Told = v.Chat.ID, string(v.Event.User), store.Told, v.At
	if p.ID, err = v.Tx.Books.TellPayment(p.Payment); err != nil {
		return err
	}
	if silent {
		return v.book(p)
	}
	return v.show(p, false)
}

// paymentOf returns the payment of a button, or the typed payment between the acting and the named person; if got is
// true, the acting person is the payee. A typed payment goes into the first of all (the books of each unit, the chat's
// own first) in which the acting person has an account and, if the other side cannot confirm, at least the amount is
// due. If there are none, it goes into the first in which the other side has an account.
func (v *visit) paymentOf(all []books, w bot.Args, got bool) (payment, error) {
	amount, _ := w.Amount("amount")
	who, _ := w.Person("who")
	if payee, pressed := w.Person("to"); pressed {
		b, from, err := v.party(all, who, isOpen)
		if err != nil {
			return payment{}, err
		}
		to := b.indexOfNumber(payee.Name)
		if to < 0 {
			return payment{}, games.Refuse("bot.settle.nobody", nil)
		}
		return b.payment(from, to, amount), nil
	}
	pays := func(b books, other int) payment {
		if got {
			return b.payment(other, b.me, amount)
		}
		return b.payment(b.me, other, amount)
	}
	b, other, err := v.party(all, who, func(b books, other int) bool {
		return b.me >= 0 && (!store.Silent(b.parties[other].Account) || pays(b, other).bookable() >= amount)
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

// findReport returns the stored report of the same payment as p, which waits for confirmation. If there is none, found
// is false; then err is a refusal if too many reports wait already.
func (v *visit) findReport(p payment) (report store.Payment, found bool, err error) {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return report, false, err
	}
	mine := 0
	for _, t := range told {
		if p.equals(t) {
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
	return report, false, err
}

// askDirection asks the person who has typed p whether it was paid in this direction, because the payer owes nothing or
// the payee is owed nothing. It shows the balances that would follow.
func (v *visit) askDirection(p payment) {
	grows, name := "bot.settle.grows", p.names[p.to]
	if p.parties[p.to].Balance > 0 {
		grows, name = "bot.settle.grows-owed", p.names[p.from]
	}
	m := v.Private(games.Say(grows, games.Args{"Name": name, "Amount": bot.Amount(p.Unit, p.Amount)}),
		games.Say("bot.settle.then", games.Args{"Balances": v.balancesAfter(p, p.Amount)}))
	choices := []payment{p}
	if back := p.payment(p.to, p.from, p.Amount); !back.grows() {
		choices = []payment{back, p}
	}
	var row []chat.Button
	for _, c := range choices {
		paid := v.paidButton(c, v.paymentText(c))
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Row(row...)
}

// askUnit asks in which unit p was paid, with a button for each unit that fits. p is typed, and its other party cannot
// answer. It asks nothing and returns false if no unit fits, or if no equal payment was booked within soon and exactly
// one unit fits: the chat's own or, if named is true (an account number or a report names the unit), any.
func (v *visit) askUnit(all []books, p payment, named bool) (asked bool, err error) {
	var fitting []payment // payments that the acting person can book alone
	for _, b := range all {
		same := p.withBooks(b)
		if same.Unit = b.unit; same.bookable() >= p.Amount {
			fitting = append(fitting, same)
		}
	}
	booked, err := v.Tx.Books.Payments(v.Chat.ID, store.Confirmed, maxWaiting)
	key := "bot.settle.which-unit"
	switch {
	case err != nil || len(fitting) == 0:
		return false, err
	case slices.ContainsFunc(booked, func(q store.Payment) bool {
		return q.Teller == string(v.Event.User) && q.Amount == p.Amount && v.At-q.Changed < soon.Milliseconds() &&
			q.Payer == p.Payer && q.Payee == p.Payee
	}):
		key = "bot.settle.again"
	case len(fitting) == 1 && (named || p.Unit == v.Unit()):
		return false, nil
	}
	m := v.Private(games.Say(key, games.Args{"Payer": p.names[p.from], "Payee": p.names[p.to]}))
	var row []chat.Button
	for _, same := range fitting {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(same.Unit), "Balances": v.balancesAfter(same, 0)})))
		paid := v.paidButton(same, bot.Amount(same.Unit, same.Amount))
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Rows(chat.ChoiceRow, row[:min(len(row), maxTransfers)]...)
	return true, nil
}

// States of payments, their buttons, and lists of them.

// stateLine returns a line with the state of p, such as reported or booked.
func (v *visit) stateLine(p payment) (games.Line, error) {
	args := games.Args{"Number": p.ID, "Payer": p.nameOf(p.Payer), "Payee": p.nameOf(p.Payee),
		"Amount": bot.Amount(p.Unit, p.Amount)}
	switch {
	case p.State == store.Told && store.Silent(p.otherSide(p.Teller)):
		args["Name"] = p.nameOf("player:" + p.Teller)
		return games.Say("bot.settle.told-alone", args), nil
	case p.State == store.Told:
		args["Other"] = p.nameOf(p.otherSide(p.Teller))
		return games.Say("bot.settle.told", args), nil
	case p.State == store.Withdrawn:
		return games.Say("bot.settle.withdrawn", args), nil
	case p.State == store.Back:
		return games.Say("bot.settle.taken-back", args), nil
	case p.Asker != "":
		asker, err := v.Tx.Chats.Player(p.Asker)
		if err != nil {
			return games.Line{}, err
		}
		args["Asker"], args["Other"] = v.bot.ShownName(asker.Name, v.Lang), p.nameOf(p.otherSide(p.Asker))
		if p.oneSided() {
			args["Other"] = games.Say("bot.settle.another", nil)
		}
		return games.Say("bot.settle.asked-back", args), nil
	}
	return games.Say("bot.settle.confirmed", args), nil
}

// usersOf returns the people among accounts, without those whose data was deleted, and without the house.
func usersOf(accounts ...string) (users []chat.User) {
	for _, account := range accounts {
		if id, ok := strings.CutPrefix(account, "player:"); ok && !store.Silent(account) {
			users = append(users, chat.User(id))
		}
	}
	return users
}

// paymentButtons returns the buttons that can change p. Each carries the stamp of p now, and mark, which says where the
// button is (such as onPlan). In the payment's own message, a booked payment has buttons only while a side asks to take
// it back; /settle payments always has them.
func (v *visit) paymentButtons(p payment, mark string) []chat.Button {
	button := func(key, verb string, style games.Style, account string) chat.Button {
		made := v.Button(games.Say(key, games.Args{"Payment": v.paymentText(p)}),
			strings.TrimSpace(fmt.Sprintf("/settle %s %d @%s %s", verb, p.ID, p.stamp(), mark)), style)
		if one := usersOf(account); len(one) > 0 {
			made.For, made.By = one[0], one
		} else if p.State == store.Told || !p.oneSided() {
			made.By = usersOf(p.Payer, p.Payee)
		}
		return made
	}
	switch {
	case p.State == store.Told:
		other := p.otherSide(p.Teller)
		if store.Silent(other) {
			other = "player:" + p.Teller
		}
		return []chat.Button{button("bot.button.confirm", "confirm", games.Primary, other),
			button("bot.button.withdraw", "withdraw", games.Plain, "")}
	case p.State == store.Confirmed && p.Asker != "":
		other := ""
		if !p.oneSided() {
			other = p.otherSide(p.Asker)
		}
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, other),
			button("bot.button.keep-paid", "keep", games.Plain, "")}
	case p.State == store.Confirmed && mark != onItsOwn:
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, "")}
	}
	return nil
}

// waiting returns the payments that wait for a side to confirm a report, or to agree to taking a payment back. Those of
// the acting person come first.
func (v *visit) waiting() ([]store.Payment, error) {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return nil, err
	}
	asked, err := v.Tx.Books.AskedBack(v.Chat.ID, maxWaiting)
	if err != nil {
		return nil, err
	}
	told = append(asked, told...)
	slices.SortStableFunc(told, func(p, q store.Payment) int {
		return bot.TrueFirst(v.isSide(p), v.isSide(q))
	})
	return told[:min(len(told), maxPaid/2)], nil
}

// payments answers with the newest payments in all states.
func (v *visit) payments(bot.Args) error {
	var all []store.Payment
	for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
		some, err := v.Tx.Books.Payments(v.Chat.ID, state, maxPaid)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(p, q store.Payment) int { return cmp.Compare(q.ID, p.ID) })
	all = all[:min(len(all), maxPaid)]
	head := games.Say("bot.settle.payments", games.Args{"N": len(all)})
	if len(all) == 0 {
		head = games.Say("bot.settle.no-payments", nil)
	}
	m := v.Private(head)
	if err := v.addPayments(m, all, onPayments); err != nil {
		return err
	}
	m.Row(v.planButton())
	return nil
}

// addPayments adds a line and a row of buttons to m for each payment of all; mark says where these are, such as onPlan.
func (v *visit) addPayments(m *chat.Message, all []store.Payment, mark string) error {
	return v.eachPayment(all, func(p payment, line games.Line) {
		m.Lines = append(m.Lines, v.Say(line))
		m.Row(v.paymentButtons(p, mark)...)
	})
}

// eachPayment calls do with each payment of all, and the line with its state.
func (v *visit) eachPayment(all []store.Payment, do func(payment, games.Line)) (err error) {
	known := map[string]books{}
	for _, one := range all {
		b, met := known[one.Unit]
		if !met {
			if b, err = v.books(one.Unit); err != nil {
				return err
			}
			known[one.Unit] = b
		}
		p := payment{Payment: one}.withBooks(b)
		line, err := v.stateLine(p)
		if err != nil {
			return err
		}
		do(p, line)
	}
	return nil
}
