package books

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/games"
	"knobel/store"
)

// Presses of a stored payment's buttons. It has a message of its own, which each change of the payment replaces, so
// that no button stays without effect.

// Places of a payment's buttons: the press of each ends with its place.
const (
	onItsOwn   = "here"     // the message of this payment alone
	onPlan     = "plan"     // the answer of settle
	onPayments = "payments" // the list of payments
)

// stored returns the payment named by a button or a typed text: "12 @1x3k9a here" (number, stamp, place).
func (v *visit) stored(w bot.Args) (p payment, err error) {
	for _, mark := range strings.Fields(w.Text("marks")) {
		stamp, stamped := strings.CutPrefix(mark, "@")
		switch {
		case stamped:
			p.stamped = stamp
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
		return p, games.Refuse("bot.settle.no-payment", nil)
	}
	if err != nil {
		return p, err
	}
	b, err := v.books(p.Unit)
	return p.in(b), err
}

// touches reports whether the person is the payer or the payee of p.
func (v *visit) touches(p store.Payment) bool {
	account := "player:" + string(v.Event.User)
	return p.Payer == account || p.Payee == account
}

// own returns a refusal if the person is neither the payer nor the payee of p.
func (v *visit) own(p payment) error {
	if v.touches(p.Payment) {
		return nil
	}
	return games.Refuse("bot.settle.not-yours", games.Args{"Payer": p.nameOf(p.Payer), "Payee": p.nameOf(p.Payee)})
}

// movedOn refuses a change that the state of p does not allow. The message with the button then shows the state.
func (v *visit) movedOn(p payment) error {
	if p.on == "" {
		return games.Refuse("bot.settle.moved-on", nil)
	}
	v.Toast("bot.settle.moved-on", nil)
	v.Reply.Refused = true
	if p.on == onItsOwn {
		return v.show(p, false)
	}
	return v.turnList(p, false)
}

// confirm books p, which was reported, unless the balances have changed since its button was made: then it shows them
// with a new button.
func (v *visit) confirm(p payment) error {
	if (p.Teller != string(v.Event.User) || store.Silent(p.other(p.Teller))) && v.outdated(p) {
		return v.show(p, true)
	}
	return v.agreed(p)
}

// agreed books p, to which the person agrees. If the person reported p, it refuses, because the other side has to
// confirm; but if that side cannot answer, it books up to the open amount and refuses more.
func (v *visit) agreed(p payment) (err error) {
	if p.Teller == string(v.Event.User) {
		if !store.Silent(p.other(p.Teller)) {
			return v.toldAlready(p)
		}
		most, args := p.possible(), games.Args{"Name": p.nameOf(p.other(p.Teller))}
		switch {
		case p.from < 0 || p.to < 0:
			return games.Refuse("bot.settle.nobody", nil)
		case most == 0:
			return games.Refuse("bot.settle.none-open", args)
		case p.Amount > most:
			args["Most"] = int(most)
			return games.Refuse("bot.settle.at-most", args)
		}
	}
	if p.Evening, err = v.Evening(); err != nil {
		return err
	}
	return v.booked(p, store.Confirmed, v.Tx.Books.Confirm(p.Payment, v.At))
}

// booked shows p after it was booked or taken back: state is the new state, and err the error of that change.
func (v *visit) booked(p payment, state string, err error) error {
	if err != nil {
		return err
	}
	p.State = state
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	return v.show(p.in(b), false)
}

// toldAlready returns a refusal for a person who has agreed to p, or to take it back, before: the other side has to
// confirm.
func (v *visit) toldAlready(p payment) error {
	if p.Asker != "" && p.oneSided() {
		return games.Refuse("bot.settle.needs-another", nil)
	}
	return games.Refuse("bot.settle.told-already", games.Args{"Name": p.nameOf(p.other(cmp.Or(p.Asker, p.Teller)))})
}

// withdraw ends p, which was reported but not confirmed; either side may do so.
func (v *visit) withdraw(p payment) error {
	if err := v.Tx.Books.Withdraw(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.show(p, false)
}

// takeBack undoes the booking of p once both sides want that; p stays listed. If one side cannot answer, an admin
// decides, or two people in chats where all are admins. The first side's press only stores the request.
func (v *visit) takeBack(p payment) error {
	byAdmin := p.oneSided() && !v.Event.Equals
	switch user := string(v.Event.User); {
	case !byAdmin && p.Asker == user:
		return v.toldAlready(p)
	case !byAdmin && p.Asker == "":
		return v.askBack(p, user)
	case v.outdated(p):
		return v.show(p, true)
	}
	return v.booked(p, store.Back, v.Tx.Books.TakeBack(p.Payment, v.At))
}

// mayTakeBack returns a refusal if the person has no say in taking p back.
func (v *visit) mayTakeBack(p payment) error {
	switch {
	case !p.oneSided():
		return v.own(p)
	case v.Event.Equals:
		return nil
	}
	return v.AdminsOr("bot.settle.back-admins", "bot.settle.back-hosted")
}

// keep declines a request to take p back.
func (v *visit) keep(p payment) error {
	if p.Asker == "" {
		return v.movedOn(p)
	}
	return v.askBack(p, "")
}

// askBack stores asker as the player who asks to take p back, "" for no one, and shows p.
func (v *visit) askBack(p payment, asker string) error {
	p.Asker = asker
	if err := v.Tx.Books.AskBack(p.Payment, asker); err != nil {
		return err
	}
	return v.show(p, false)
}

// outdated reports whether the pressed button, which books p or takes it back, was made for other balances. Then the
// answer shows the balances that would follow, with a new button. A typed payment is never outdated.
func (v *visit) outdated(p payment) bool {
	return v.Event.Press != "" && p.stamped != p.stamp()
}

// show shows the state of p to all, in place of the payment's own message if the button was there. If the button was in
// a list, that list shows the state as well. outdated says that the button was made for other balances: then a list is
// all that changes, and where the place of the button is unknown, the answer is for the person alone.
func (v *visit) show(p payment, outdated bool) error {
	if p.on == onPlan || p.on == onPayments {
		if err := v.turnList(p, outdated); err != nil || outdated {
			return err
		}
	}
	write := func() error {
		p.books = v.named(p.books)
		lines, err := v.paymentLines(p, outdated)
		if err != nil {
			return err
		}
		m := v.Private(games.Say("bot.text", games.Args{"Text": lines[0]}))
		m.Lines = lines[1:]
		mark := ""
		if v.Reply.Public {
			mark = onItsOwn
		}
		if buttons := v.paymentButtons(p, mark); len(buttons) > 0 {
			m.Row(buttons...)
			m.Row(v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain))
		}
		return nil
	}
	if outdated && p.on == "" {
		return write()
	}
	v.Reply.Instead = p.on == onItsOwn
	return v.Public(write)
}

// turnList shows the list whose button was pressed in its new state. Lines about p that it lacks are put at its top.
func (v *visit) turnList(p payment, outdated bool) error {
	news, err := v.paymentLines(p, outdated)
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

// paymentLines returns the state of p, a request to press again if the pressed button was outdated, and the balances
// that would follow if that matters.
func (v *visit) paymentLines(p payment, outdated bool) ([]string, error) {
	line, err := v.standsAs(p)
	if err != nil {
		return nil, err
	}
	lines := []string{v.Say(line)}
	if outdated {
		lines = append(lines, v.Say(games.Say("bot.settle.press-again", nil)))
	}
	if p.from >= 0 && p.to >= 0 && (outdated || p.State == store.Told && p.grows()) {
		if p.State == store.Confirmed {
			p.from, p.to = p.to, p.from
		}
		then := games.Args{"Balances": v.after(p, p.Amount)}
		lines = append(lines, v.Say(games.Say("bot.settle.then", then)))
	}
	return lines, nil
}
