package books

import (
	"errors"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// A stored payment has a message of its own, whose buttons name it. Each change of the payment
// replaces that message, so that no button stays without effect.

// onItsOwn is what the buttons of that message carry in the end.
const onItsOwn = "here"

// namedPayment is a stored payment as a button or a typed text names it: "12 @1x3k9a here".
type namedPayment struct {
	store.Payment
	stamp string // the balances that the button was made for, "": it tells none
	here  bool   // it stands on the message that tells of this payment alone
}

// stored finds the payment of a button.
func (v *visit) stored(w bot.Args) (p namedPayment, err error) {
	for _, mark := range strings.Fields(w.Text("marks")) {
		stamp, stamped := strings.CutPrefix(mark, "@")
		switch {
		case stamped:
			p.stamp = stamp
		case mark == onItsOwn:
			p.here = v.Event.Press != ""
		default:
			return p, games.Refuse("bot.settle-how", nil)
		}
	}
	id, _ := w.Amount("payment")
	p.Payment, err = v.Tx.Payment(v.Chat.ID, id)
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
	if !p.here {
		return games.Refuse("bot.settle.moved-on", nil)
	}
	v.Toast("bot.settle.moved-on", nil)
	v.Reply.Refused = true
	return v.showPayment(p)
}

// confirm is what the other side says to a payment.
func (v *visit) confirm(p namedPayment) error {
	if waits, err := v.told(p); err != nil || !waits {
		return err
	}
	if p.Teller != string(v.Event.User) || store.Silent(otherSide(p.Payment)) {
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
		if !store.Silent(otherSide(p.Payment)) {
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
	if err := v.Tx.Confirm(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Confirmed
	return v.showPayment(p)
}

// withdraw ends a payment that was not confirmed; either side may.
func (v *visit) withdraw(p namedPayment) error {
	if waits, err := v.told(p); err != nil || !waits {
		return err
	}
	if err := v.Tx.Withdraw(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.showPayment(p)
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
	return true, v.showPaymentAs(p, true)
}

// showPayment shows all people the state of a payment.
func (v *visit) showPayment(p namedPayment) error { return v.showPaymentAs(p, false) }

// showPaymentAs shows the state of a payment: to all people, in place of the payment's message if
// its button was pressed, or to the person alone if a button in a list was made for other balances.
func (v *visit) showPaymentAs(p namedPayment, moved bool) error {
	write := func() error { return v.writePayment(p.Payment, moved) }
	if moved && !p.here {
		return write()
	}
	v.Reply.Instead = p.here
	return v.Public(write)
}

// writePayment makes the private answer that shows the state of a payment, with its buttons; moved
// says that the pressed button was made for other balances.
func (v *visit) writePayment(p store.Payment, moved bool) error {
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	s, err := v.stamps(b)
	if err != nil {
		return err
	}
	line, err := v.standsAs(b, p)
	if err != nil {
		return err
	}
	m := v.Private(line)
	if moved {
		m.Lines = append(m.Lines, v.Say(games.Say("bot.settle.press-again", nil)))
	}
	if found, ok := b.between(p); ok && (moved || p.State == store.Told && b.grows(found)) {
		if p.State == store.Confirmed {
			found = money.Payment{From: found.To, To: found.From, Amount: found.Amount}
		}
		m.Lines = append(m.Lines, v.Say(b.after(found)))
	}
	mark := ""
	if v.Reply.Public {
		mark = " " + onItsOwn
	}
	m.Row(v.paymentButtons(s, p, mark)...)
	m.Buttons = append(m.Buttons, []chat.Button{v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain)})
	return nil
}
