package books

import (
	"errors"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// A stored payment has a message of its own, whose buttons name it. Each change of the payment
// replaces that message, so that no button stays without effect.

// Where the buttons of a payment stand: they carry it in the end.
const (
	onItsOwn   = "here"     // on the message of this payment alone
	onPlan     = "plan"     // in the settle-up
	onPayments = "payments" // in the list of payments
)

// namedPayment is a stored payment as a button or a typed text names it: "12 @1x3k9a here".
type namedPayment struct {
	store.Payment
	stamp string // the balances that the button was made for, "": it tells none
	on    string // where the pressed button stands, "": not on a message that is known
}

// stored finds the payment of a button.
func (v *visit) stored(w bot.Args) (p namedPayment, err error) {
	for _, mark := range strings.Fields(w.Text("marks")) {
		stamp, stamped := strings.CutPrefix(mark, "@")
		switch {
		case stamped:
			p.stamp = stamp
		case mark == onItsOwn || mark == onPlan || mark == onPayments:
			if v.Event.Press != "" {
				p.on = mark
			}
		default:
			return p, games.Refuse("bot.settle-how", nil)
		}
	}
	id, _ := w.Amount("payment")
	p.Payment, err = v.Tx.Books.Payment(v.Chat.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		err = games.Refuse("bot.settle.no-payment", nil)
	}
	return p, err
}

// told reports whether a payment, which must be the person's own, still waits for the other side.
// If not, the answer says so.
func (v *visit) told(p namedPayment) (waits bool, err error) {
	if err := v.own(p.Payment); err != nil {
		return false, err
	}
	if p.State != store.Told {
		return false, v.movedOn(p)
	}
	return true, nil
}

// movedOn refuses a change that the state of a payment does not allow. The message with the button
// then shows that state.
func (v *visit) movedOn(p namedPayment) error {
	if p.on == "" {
		return games.Refuse("bot.settle.moved-on", nil)
	}
	v.Toast("bot.settle.moved-on", nil)
	v.Reply.Refused = true
	if p.on == onItsOwn {
		return v.showPayment(p, false)
	}
	return v.turnList(p, false)
}

// confirm is what the other side says to a payment.
func (v *visit) confirm(p namedPayment) error {
	if waits, err := v.told(p); err != nil || !waits {
		return err
	}
	if p.Teller != string(v.Event.User) || store.Silent(otherThan(p.Payment, p.Payment.Teller)) {
		if asked, err := v.anew(p); err != nil || asked {
			return err
		}
	}
	return v.agreed(p)
}

// agreed enters a payment into the books that the person agrees to, where both
// sides have said so or the other cannot say anything.
func (v *visit) agreed(p namedPayment) error {
	if p.Teller == string(v.Event.User) {
		if !store.Silent(otherThan(p.Payment, p.Payment.Teller)) {
			return v.toldAlready(p.Payment)
		}
		if err := v.alone(p.Payment); err != nil {
			return err
		}
	}
	evening, err := v.Evening()
	if err != nil {
		return err
	}
	p.Evening = evening
	if err := v.Tx.Books.Confirm(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Confirmed
	return v.showPayment(p, false)
}

// withdraw ends a payment that was not confirmed; either side may.
func (v *visit) withdraw(p namedPayment) error {
	if waits, err := v.told(p); err != nil || !waits {
		return err
	}
	if err := v.Tx.Books.Withdraw(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.showPayment(p, false)
}

// anew reports whether a button that books a payment, or takes it back, was made for other
// balances. Then the answer shows the balances that would follow, with a new button. A typed
// payment has no such balances.
func (v *visit) anew(p namedPayment) (asked bool, err error) {
	if v.Event.Press == "" {
		return false, nil
	}
	b, err := v.books(p.Unit)
	if err != nil {
		return false, err
	}
	s, err := v.stamps(b)
	if err != nil || p.stamp == s.ofStored(p.Payment) {
		return false, err
	}
	return true, v.showPayment(p, true)
}

// showPayment shows the state of a payment: to all people, in place of the payment's message if
// its button was pressed, or to the person alone if a button in a list was made for other balances.
// The list whose button was pressed shows the payment as it now stands.
func (v *visit) showPayment(p namedPayment, moved bool) error {
	if p.on == onPlan || p.on == onPayments {
		if err := v.turnList(p, moved); err != nil || moved {
			return err
		}
	}
	write := func() error { return v.writePayment(p.Payment, moved) }
	if moved && p.on == "" {
		return write()
	}
	v.Reply.Instead = p.on == onItsOwn
	return v.Public(write)
}

// turnList has the list whose button was pressed show everything as it stands now, at its top what it
// would not say of the payment itself.
func (v *visit) turnList(p namedPayment, moved bool) error {
	news, err := v.paymentLines(p.Payment, moved)
	if err != nil {
		return err
	}
	show := v.settle
	if p.on == onPayments {
		show = v.payments
	}
	if err := show(nil); err != nil {
		return err
	}
	page := v.Reply.Private
	news = slices.DeleteFunc(news, func(line string) bool { return slices.Contains(page.Lines, line) })
	if len(news) > 0 {
		page.Head, page.Lines = news[0], slices.Concat(news[1:], []string{page.Head}, page.Lines)
		for i := range page.Grids {
			page.Grids[i].From += len(news)
			page.Grids[i].To += len(news)
		}
	}
	v.Reply.Page, v.Reply.Private = page, nil
	return nil
}

// writePayment makes the private answer that shows the state of a payment, with its buttons; moved
// says that the pressed button was made for other balances.
func (v *visit) writePayment(p store.Payment, moved bool) error {
	lines, err := v.paymentLines(p, moved)
	if err != nil {
		return err
	}
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	s, err := v.stamps(b)
	if err != nil {
		return err
	}
	m := v.Private(games.Say("bot.text", games.Args{"Text": lines[0]}))
	m.Lines = lines[1:]
	mark := ""
	if v.Reply.Public {
		mark = onItsOwn
	}
	buttons := v.paymentButtons(s, p, mark)
	m.Row(buttons...)
	if len(buttons) > 0 {
		m.Row(v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain))
	}
	return nil
}

// paymentLines are the state of a payment and, where that matters, the balances that would follow;
// moved says that the pressed button was made for others.
func (v *visit) paymentLines(p store.Payment, moved bool) ([]string, error) {
	b, err := v.books(p.Unit)
	if err != nil {
		return nil, err
	}
	line, err := v.standsAs(b, p)
	if err != nil {
		return nil, err
	}
	lines := []string{v.Say(line)}
	if moved {
		lines = append(lines, v.Say(games.Say("bot.settle.press-again", nil)))
	}
	if found, ok := b.between(p); ok && (moved || p.State == store.Told && b.grows(found)) {
		if p.State == store.Confirmed {
			found = money.Payment{From: found.To, To: found.From, Amount: found.Amount}
		}
		lines = append(lines, v.Say(v.after(b, found)))
	}
	return lines, nil
}
