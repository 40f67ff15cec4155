package bot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// paid records a payment: "120 #9 #5" by a button that either side may press,
// "120 Ben" by whoever has paid Ben.
func (v *visit) paid(said []string) error { return v.tell(said, false) }

// got records a payment by whoever was paid: "120 Ben".
func (v *visit) got(said []string) error { return v.tell(said, true) }

func (v *visit) tell(said []string, got bool) error {
	if len(said) < 2 {
		return games.Refuse("bot.settle-how", nil)
	}
	n, err := strconv.ParseInt(said[0], 10, 64)
	if err != nil || n < 1 || n > mostAmount {
		return games.Refuse("bot.settle.amount", games.Args{"Most": mostAmount})
	}
	if len(said) == 3 && strings.HasPrefix(said[1], "#") && strings.HasPrefix(said[2], "#") {
		b, from, err := v.party(said[1], nil)
		if err != nil {
			return err
		}
		unit, payee, err := v.numbered(said[2])
		if err != nil {
			return err
		}
		to := b.of(payee)
		if to < 0 || unit != b.unit {
			return games.Refuse("bot.settle.nobody", nil)
		}
		return v.record(b, money.Payment{From: from, To: to, Amount: n})
	}
	b, other, err := v.party(strings.Join(said[1:], " "), func(b books, _ int) bool { return b.mine(v.ev.User) >= 0 })
	if err != nil {
		return err
	}
	mine := b.mine(v.ev.User)
	if mine < 0 {
		return games.Refuse("bot.settle.nothing-yours", nil)
	}
	p := money.Payment{From: mine, To: other, Amount: n}
	if got {
		p.From, p.To = other, mine
	}
	return v.record(b, p)
}

// record notes what one side says, confirms what the other side has said
// before, and takes the word of whoever settles with somebody who cannot answer.
func (v *visit) record(b books, p money.Payment) error {
	mine := b.mine(v.ev.User)
	switch {
	case p.From == p.To:
		return games.Refuse("bot.settle.oneself", nil)
	case mine < 0 || mine != p.From && mine != p.To:
		return games.Refuse("bot.settle.not-yours", games.Args{"Payer": b.names[p.From], "Payee": b.names[p.To]})
	}
	told, err := v.tx.Payments(v.chat.ID, store.Told, mostWaiting)
	if err != nil {
		return err
	}
	payment := store.Payment{
		Chat: v.chat.ID, Unit: b.unit, Payer: b.parties[p.From].Account, Payee: b.parties[p.To].Account,
		Amount: p.Amount, Teller: string(v.ev.User), State: store.Told, Told: v.at,
	}
	for _, t := range told {
		if t.Unit != b.unit || t.Payer != payment.Payer || t.Payee != payment.Payee || t.Amount != payment.Amount {
			continue
		}
		if t.Teller == payment.Teller && !silent(otherSide(t)) {
			return games.Refuse("bot.settle.told-already", games.Args{"Name": b.nameOf(otherSide(t))})
		}
		return v.confirmed(t)
	}
	if len(told) == mostWaiting {
		return games.Refuse("bot.settle.too-many", nil)
	}
	if payment.ID, err = v.tx.TellPayment(payment); err != nil {
		return err
	}
	if silent(otherSide(payment)) {
		return v.confirmed(payment)
	}
	return v.showPayment(payment)
}

// silent says whether nobody is there to confirm a payment of an account: it is
// the house's, or of somebody who was forgotten.
func silent(account string) bool {
	return account == store.House || store.Forgotten(strings.TrimPrefix(account, "player:")) > 0
}

// otherSide is the account of the side that has not told of a payment.
func otherSide(p store.Payment) string {
	if p.Payer == "player:"+p.Teller {
		return p.Payee
	}
	return p.Payer
}

// touches says whether a payment is somebody's.
func touches(p store.Payment, user User) bool {
	account := "player:" + string(user)
	return p.Payer == account || p.Payee == account
}

// payment finds the payment of a button, which has to be the person's own and
// in a state.
func (v *visit) payment(said []string, state string) (store.Payment, error) {
	if len(said) != 1 {
		return store.Payment{}, games.Refuse("bot.settle-how", nil)
	}
	id, err := strconv.ParseInt(strings.TrimPrefix(said[0], "#"), 10, 64)
	if err != nil {
		return store.Payment{}, games.Refuse("bot.settle-how", nil)
	}
	p, err := v.tx.Payment(v.chat.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return p, games.Refuse("bot.settle.no-payment", nil)
	}
	if err != nil {
		return p, err
	}
	if !touches(p, v.ev.User) {
		b, err := v.books(p.Unit)
		if err != nil {
			return p, err
		}
		return p, games.Refuse("bot.settle.not-yours", games.Args{"Payer": b.nameOf(p.Payer), "Payee": b.nameOf(p.Payee)})
	}
	if p.State != state {
		return p, games.Refuse("bot.settle.moved-on", nil)
	}
	return p, nil
}

// confirm is what the other side says to a payment.
func (v *visit) confirm(said []string) error {
	p, err := v.payment(said, store.Told)
	if err != nil {
		return err
	}
	if p.Teller == string(v.ev.User) {
		b, err := v.books(p.Unit)
		if err != nil {
			return err
		}
		return games.Refuse("bot.settle.told-already", games.Args{"Name": b.nameOf(otherSide(p))})
	}
	return v.confirmed(p)
}

func (v *visit) confirmed(p store.Payment) error {
	if err := v.tx.Confirm(p, v.at); err != nil {
		return err
	}
	p.State = store.Confirmed
	return v.showPayment(p)
}

// withdraw ends a payment that nobody has confirmed; either side may.
func (v *visit) withdraw(said []string) error {
	p, err := v.payment(said, store.Told)
	if err != nil {
		return err
	}
	if err := v.tx.Withdraw(p, v.at); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.showPayment(p)
}

// takeBack undoes a confirmed payment, which either side may; it stays listed.
func (v *visit) takeBack(said []string) error {
	p, err := v.payment(said, store.Confirmed)
	if err != nil {
		return err
	}
	if err := v.tx.TakeBack(p, v.at); err != nil {
		return err
	}
	p.State = store.Back
	return v.showPayment(p)
}

// showPayment tells everybody how a payment now stands.
func (v *visit) showPayment(p store.Payment) error {
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	m := v.private(b.payment(p))
	m.row(v.paymentButtons(b, p)...)
	m.Buttons = append(m.Buttons, []Button{v.button(games.Say("bot.button.settle", nil), "/settle", games.Plain)})
	v.reply.Public = true
	return nil
}

// payment says how a payment stands.
func (b books) payment(p store.Payment) games.Line {
	args := games.Args{"Number": p.ID, "Payer": b.nameOf(p.Payer), "Payee": b.nameOf(p.Payee), "Amount": amount(p.Unit, p.Amount)}
	switch p.State {
	case store.Told:
		args["Other"] = b.nameOf(otherSide(p))
		return games.Say("bot.settle.told", args)
	case store.Withdrawn:
		return games.Say("bot.settle.withdrawn", args)
	case store.Back:
		return games.Say("bot.settle.taken-back", args)
	}
	return games.Say("bot.settle.confirmed", args)
}

// paymentButtons are what can be done to a payment.
func (v *visit) paymentButtons(b books, p store.Payment) []Button {
	of := fmt.Sprintf("%s → %s %d", b.nameOf(p.Payer), b.nameOf(p.Payee), p.Amount)
	button := func(key, verb string, style games.Style) Button {
		return v.button(games.Say(key, games.Args{"Payment": of}), fmt.Sprintf("/settle %s %d", verb, p.ID), style)
	}
	switch p.State {
	case store.Told:
		confirm := button("bot.button.confirm", "confirm", games.Primary)
		if id, ok := strings.CutPrefix(otherSide(p), "player:"); ok {
			confirm.For = User(id)
		}
		return []Button{confirm, button("bot.button.withdraw", "withdraw", games.Plain)}
	case store.Confirmed:
		return []Button{button("bot.button.take-back", "back", games.Plain)}
	}
	return nil
}

// waiting adds the payments that wait for the other side, the person's own
// first.
func (v *visit) waiting(m *Message) error {
	told, err := v.tx.Payments(v.chat.ID, store.Told, mostWaiting)
	if err != nil {
		return err
	}
	slices.SortStableFunc(told, func(p, q store.Payment) int {
		return cmp.Compare(btoi(touches(q, v.ev.User)), btoi(touches(p, v.ev.User)))
	})
	return v.list(m, told[:min(len(told), mostPaid/2)])
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// payments lists the newest payments, whatever has become of them.
func (v *visit) payments([]string) error {
	var all []store.Payment
	for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
		some, err := v.tx.Payments(v.chat.ID, state, mostPaid)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(p, q store.Payment) int { return cmp.Compare(q.ID, p.ID) })
	all = all[:min(len(all), mostPaid)]
	head := games.Say("bot.settle.payments", games.Args{"N": len(all)})
	if len(all) == 0 {
		head = games.Say("bot.settle.no-payments", nil)
	}
	m := v.private(head)
	return v.list(m, all)
}

// list adds a line for each payment, and the buttons of each in a row.
func (v *visit) list(m *Message, all []store.Payment) error {
	known := map[string]books{}
	for _, p := range all {
		b, met := known[p.Unit]
		if !met {
			var err error
			if b, err = v.books(p.Unit); err != nil {
				return err
			}
			known[p.Unit] = b
		}
		m.Lines = append(m.Lines, v.say(b.payment(p)))
		m.row(v.paymentButtons(b, p)...)
	}
	return nil
}
