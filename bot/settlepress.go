package bot

import (
	"errors"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// A stored payment is told of by a message of its own, whose buttons say so by a
// word: what becomes of the payment takes that message's place, and none of its
// buttons stays that does nothing any more.

// onItsOwn is what the buttons of that message carry in the end.
const onItsOwn = "here"

// namedPayment is a stored payment as a button, or somebody who types, tells it:
// "12 @1x3k9a here".
type namedPayment struct {
	store.Payment
	stamp string // the balances that the button was made for, "": it tells none
	here  bool   // it stands on the message that tells of this payment alone
}

// stored finds the payment of a button.
func (v *bookVisit) stored(said []string) (p namedPayment, err error) {
	if len(said) == 0 {
		return p, games.Refuse("bot.settle-how", nil)
	}
	for _, mark := range said[1:] {
		stamp, stamped := strings.CutPrefix(mark, "@")
		switch {
		case stamped:
			p.stamp = stamp
		case mark == onItsOwn:
			p.here = v.ev.Press != ""
		default:
			return p, games.Refuse("bot.settle-how", nil)
		}
	}
	id, err := strconv.ParseInt(strings.TrimPrefix(said[0], "#"), 10, 64)
	if err != nil {
		return p, games.Refuse("bot.settle-how", nil)
	}
	p.Payment, err = v.tx.Payment(v.chat.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		err = games.Refuse("bot.settle.no-payment", nil)
	}
	return p, err
}

// told finds the payment of a button, which has to be the person's own. It is false
// where the payment does not wait for the other side any more, which is said.
func (v *bookVisit) told(said []string) (p namedPayment, waits bool, err error) {
	if p, err = v.stored(said); err != nil {
		return p, false, err
	}
	if err := v.own(p.Payment); err != nil {
		return p, false, err
	}
	if p.State != store.Told {
		return p, false, v.movedOn(p)
	}
	return p, true, nil
}

// movedOn refuses what cannot be done to a payment any more. The message that
// offered it tells how the payment stands.
func (v *bookVisit) movedOn(p namedPayment) error {
	if !p.here {
		return games.Refuse("bot.settle.moved-on", nil)
	}
	v.toast("bot.settle.moved-on", nil)
	v.reply.Refused = true
	return v.showPayment(p)
}

// confirm is what the other side says to a payment.
func (v *bookVisit) confirm(said []string) error {
	p, waits, err := v.told(said)
	if err != nil || !waits {
		return err
	}
	if p.Teller != string(v.ev.User) || store.Silent(otherSide(p.Payment)) {
		if asked, err := v.anew(p); err != nil || asked {
			return err
		}
	}
	return v.agreed(p)
}

// agreed enters a payment into the books that the person agrees to, where both
// sides have said so or the other cannot say anything.
func (v *bookVisit) agreed(p namedPayment) error {
	if p.Teller == string(v.ev.User) {
		if !store.Silent(otherSide(p.Payment)) {
			return v.toldAlready(p.Payment)
		}
		if err := v.alone(p.Payment); err != nil {
			return err
		}
	}
	evening, err := v.evening()
	if err != nil {
		return err
	}
	p.Evening = evening
	if err := v.tx.Confirm(p.Payment, v.at); err != nil {
		return err
	}
	p.State = store.Confirmed
	return v.showPayment(p)
}

// withdraw ends a payment that nobody has confirmed; either side may.
func (v *bookVisit) withdraw(said []string) error {
	p, waits, err := v.told(said)
	if err != nil || !waits {
		return err
	}
	if err := v.tx.Withdraw(p.Payment, v.at); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.showPayment(p)
}

// anew reports whether a button that would book, or take out of the books, was
// made for other balances: then it says so, tells what both sides would stand at,
// and offers itself anew. Whoever types names the payment itself.
func (v *bookVisit) anew(p namedPayment) (asked bool, err error) {
	if v.ev.Press == "" {
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

// showPayment tells everybody how a payment now stands.
func (v *bookVisit) showPayment(p namedPayment) error { return v.showPaymentAs(p, false) }

// showPaymentAs tells how a payment now stands: everybody, in the place of the
// message that has told of it where that was pressed, or the person alone where a
// button of a list was made for other balances.
func (v *bookVisit) showPaymentAs(p namedPayment, moved bool) error {
	write := func() error { return v.writePayment(p.Payment, moved) }
	if moved && !p.here {
		return write()
	}
	v.reply.Instead = p.here
	return v.public(write)
}

func (v *bookVisit) writePayment(p store.Payment, moved bool) error {
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
	m := v.private(line)
	if moved {
		m.Lines = append(m.Lines, v.say(games.Say("bot.settle.press-again", nil)))
	}
	if found, ok := b.between(p); ok && (moved || p.State == store.Told && b.grows(found)) {
		if p.State == store.Confirmed {
			found = money.Payment{From: found.To, To: found.From, Amount: found.Amount}
		}
		m.Lines = append(m.Lines, v.say(b.after(found)))
	}
	mark := ""
	if v.reply.Public {
		mark = " " + onItsOwn
	}
	m.Row(v.paymentButtons(s, p, mark)...)
	m.Buttons = append(m.Buttons, []chat.Button{v.button(games.Say("bot.button.settle", nil), "/settle", games.Plain)})
	return nil
}
