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

// Presses of the buttons of a stored payment. Each stored payment has its own message, which is replaced whenever
// the payment changes, so that its buttons always fit.

// The places where the buttons of a payment can be: the press (text) of each button ends with one of these words.
const (
	onItsOwn   = "here"     // in the message of this payment alone
	onPlan     = "plan"     // in the answer of settle
	onPayments = "payments" // in the list of payments
)

// storedPayment returns the payment that a press or text names: "12 @1x3k9a here" (number, stamp, place of the button).
func (v *visit) storedPayment(w bot.Args) (p payment, err error) {
	for _, mark := range strings.Fields(w.Text("marks")) {
		stamp, stamped := strings.CutPrefix(mark, "@")
		switch {
		case stamped:
			p.pressedStamp = stamp
		case mark == onItsOwn || mark == onPlan || mark == onPayments:
			if v.Event.Press != "" {
				p.buttonAt = mark
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
	return p.withBooks(b), err
}

// isSide reports whether the acting person is the payer or the payee of p.
func (v *visit) isSide(p store.Payment) bool {
	account := "player:" + string(v.Event.User)
	return p.Payer == account || p.Payee == account
}

// checkSide returns a refusal if the acting person is neither the payer nor the payee of p.
func (v *visit) checkSide(p payment) error {
	if v.isSide(p.Payment) {
		return nil
	}
	return games.Refuse("bot.settle.not-yours", games.Args{"Payer": p.nameOf(p.Payer), "Payee": p.nameOf(p.Payee)})
}

// refuseState refuses a press because the state of p has changed since. The button's message then shows the state.
func (v *visit) refuseState(p payment) error {
	if p.buttonAt == "" {
		return games.Refuse("bot.settle.moved-on", nil)
	}
	v.Toast("bot.settle.moved-on", nil)
	v.Reply.Refused = true
	if p.buttonAt == onItsOwn {
		return v.show(p, false)
	}
	return v.showList(p, false)
}

// confirm books p, which was reported. If the balances have changed since the button was made, it only shows them.
func (v *visit) confirm(p payment) error {
	if (p.Teller != string(v.Event.User) || store.Silent(p.otherSide(p.Teller))) && v.isOutdated(p) {
		return v.show(p, true)
	}
	return v.book(p)
}

// book books p, to which the acting person agrees. If that person also reported p, it refuses: the other side has to
// confirm. But if the other side cannot answer, it books p, unless the amount is more than is open.
func (v *visit) book(p payment) (err error) {
	if p.Teller == string(v.Event.User) {
		if !store.Silent(p.otherSide(p.Teller)) {
			return v.refuseRepeat(p)
		}
		most, args := p.bookable(), games.Args{"Name": p.nameOf(p.otherSide(p.Teller))}
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
	return v.showBooked(p, store.Confirmed, v.Tx.Books.Confirm(p.Payment, v.At))
}

// showBooked shows p in state, its new state after it was booked or taken back. If err, the change's error, is not nil,
// it only returns err.
func (v *visit) showBooked(p payment, state string, err error) error {
	if err != nil {
		return err
	}
	p.State = state
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	return v.show(p.withBooks(b), false)
}

// refuseRepeat returns a refusal for a person who has already agreed to p, or to taking p back: someone else must.
func (v *visit) refuseRepeat(p payment) error {
	if p.Asker != "" && p.oneSided() {
		return games.Refuse("bot.settle.needs-another", nil)
	}
	return games.Refuse("bot.settle.told-already", games.Args{"Name": p.nameOf(p.otherSide(cmp.Or(p.Asker, p.Teller)))})
}

// withdraw cancels p, which was reported but not confirmed. Payer and payee may both do so.
func (v *visit) withdraw(p payment) error {
	if err := v.Tx.Books.Withdraw(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Withdrawn
	return v.show(p, false)
}

// takeBack undoes the booking of p once both sides have asked for it; p stays listed. The first press only stores the
// request. If one side cannot answer, one admin decides or, in chats where all are admins, two people.
func (v *visit) takeBack(p payment) error {
	byAdmin := p.oneSided() && !v.Event.Equals
	switch user := string(v.Event.User); {
	case !byAdmin && p.Asker == user:
		return v.refuseRepeat(p)
	case !byAdmin && p.Asker == "":
		return v.storeAsker(p, user)
	case v.isOutdated(p):
		return v.show(p, true)
	}
	return v.showBooked(p, store.Back, v.Tx.Books.TakeBack(p.Payment, v.At))
}

// mayTakeBack returns a refusal if the acting person may not take p back.
func (v *visit) mayTakeBack(p payment) error {
	switch {
	case !p.oneSided():
		return v.checkSide(p)
	case v.Event.Equals:
		return nil
	}
	return v.AdminsOr("bot.settle.back-admins", "bot.settle.back-hosted")
}

// declineTakeBack declines the request to take p back, so that p stays booked.
func (v *visit) declineTakeBack(p payment) error {
	if p.Asker == "" {
		return v.refuseState(p)
	}
	return v.storeAsker(p, "")
}

// storeAsker stores asker, the player who asks to take p back ("": no one asks now), and shows p.
func (v *visit) storeAsker(p payment, asker string) error {
	p.Asker = asker
	if err := v.Tx.Books.AskBack(p.Payment, asker); err != nil {
		return err
	}
	return v.show(p, false)
}

// isOutdated reports whether the balances have changed since the pressed button, which books p or takes it back, was
// made. A typed payment is never outdated.
func (v *visit) isOutdated(p payment) bool {
	return v.Event.Press != "" && p.pressedStamp != p.stamp()
}

// show shows the state of p to all: in place of the payment's own message if the button was there, else in a new one.
// If the button was in a list, the list is redrawn, too. outdated means that the balances changed after the button was
// made: then no new message is posted; if it is unknown where the button was, only the acting person gets an answer.
func (v *visit) show(p payment, outdated bool) error {
	if p.buttonAt == onPlan || p.buttonAt == onPayments {
		if err := v.showList(p, outdated); err != nil || outdated {
			return err
		}
	}
	write := func() error {
		p.books = v.withNames(p.books)
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
	if outdated && p.buttonAt == "" {
		return write()
	}
	v.Reply.Instead = p.buttonAt == onItsOwn
	return v.Public(write)
}

// showList redraws the list in which the button was pressed. Above the list it adds the lines that paymentLines returns
// for p and outdated, except lines that the list contains.
func (v *visit) showList(p payment, outdated bool) error {
	news, err := v.paymentLines(p, outdated)
	if err != nil {
		return err
	}
	show := v.settle
	if p.buttonAt == onPayments {
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

// paymentLines returns lines with the state of p and, if the pressed button was outdated, a request to press again. If
// it was outdated, or p was reported without a debt, the last line shows the balances after p is booked or taken back.
func (v *visit) paymentLines(p payment, outdated bool) ([]string, error) {
	line, err := v.stateLine(p)
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
		then := games.Args{"Balances": v.balancesAfter(p, p.Amount)}
		lines = append(lines, v.Say(games.Say("bot.settle.then", then)))
	}
	return lines, nil
}
