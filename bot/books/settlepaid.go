package books

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// tell records a payment: "120 #9 #5" by a button for either side, "120 Ben" by the payer or, got, the payee.
func (v *visit) tell(w bot.Args, got bool) error {
	n, _ := w.Amount("amount")
	who, _ := w.Person("who")
	if to, given := w.Person("to"); given {
		return v.stamped(n, who, to.Name, w.Text("stamp"))
	}
	b, p, err := v.meant(who, n, got)
	own := who.User == v.Event.User || who.User == "" && strings.EqualFold(who.Name, v.Player.Name)
	if _, refused := games.Refused(err); refused && own {
		return games.Refuse("bot.settle.oneself", nil)
	}
	if err != nil {
		return err
	}
	if err := between(b, p, v.Event.User); err != nil {
		return err
	}
	waits, _, err := v.waits(b, p)
	if err != nil {
		return err
	}
	switch silent := b.silent(p); {
	case !waits && !silent && b.possible(p) == 0:
		return v.askWhich(b, p)
	case silent:
		return v.alike(b, p, waits || strings.HasPrefix(who.Name, "#"))
	}
	return v.record(b, p)
}

// meant returns the payment of n between the person and a named one; with got the person is the
// payee. It also returns the books in which it counts: the first, those of the unit that the chat
// plays for ahead of others, in which the person has an account and, if the other side cannot
// answer, n is open; or else the first with an account of the other side.
func (v *visit) meant(name bot.Person, n int64, got bool) (books, money.Payment, error) {
	payment := func(b books, other int) money.Payment {
		p := money.Payment{From: b.mine(v.Event.User), To: other, Amount: n}
		if got {
			p.From, p.To = p.To, p.From
		}
		return p
	}
	b, other, err := v.party(name, func(b books, other int) bool {
		return b.mine(v.Event.User) >= 0 &&
			(!store.Silent(b.parties[other].Account) || b.possible(payment(b, other)) >= n)
	})
	if err == nil && b.mine(v.Event.User) < 0 {
		err = games.Refuse("bot.settle.nothing-yours", nil)
	}
	return b, payment(b, other), err
}

// waits returns the reported payment that waits for confirmation, if there is one, and refuses a
// new one if too many wait.
func (v *visit) waits(b books, p money.Payment) (waits bool, found store.Payment, err error) {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return false, found, err
	}
	mine := 0
	for _, t := range told {
		same, ok := b.between(t)
		if ok && t.Unit == b.unit && same == p {
			return true, t, nil
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
	return false, found, err
}

// record stores what one side reports, confirms what the other side has reported before, or books
// at once with a party that cannot answer.
func (v *visit) record(b books, p money.Payment) error {
	waits, payment, err := v.waits(b, p)
	switch {
	case err != nil:
		return err
	case waits:
		return v.agreed(namedPayment{Payment: payment})
	}
	payment = store.Payment{
		Chat: v.Chat.ID, Unit: b.unit, Payer: b.parties[p.From].Account, Payee: b.parties[p.To].Account,
		Amount: p.Amount, Teller: string(v.Event.User), State: store.Told, Told: v.At,
	}
	if payment.ID, err = v.Tx.Books.TellPayment(payment); err != nil {
		return err
	}
	if store.Silent(otherThan(payment, payment.Teller)) {
		return v.agreed(namedPayment{Payment: payment})
	}
	return v.showPayment(namedPayment{Payment: payment}, false)
}

// otherThan returns the account of a payment that is not a player's.
func otherThan(p store.Payment, player string) string {
	if p.Payer == "player:"+player {
		return p.Payee
	}
	return p.Payer
}

// touches reports whether a person is a side of a payment.
func touches(p store.Payment, user chat.User) bool {
	account := "player:" + string(user)
	return p.Payer == account || p.Payee == account
}

// own refuses other people's payments.
func (v *visit) own(p store.Payment) error {
	if touches(p, v.Event.User) {
		return nil
	}
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	return games.Refuse("bot.settle.not-yours", games.Args{"Payer": b.nameOf(p.Payer), "Payee": b.nameOf(p.Payee)})
}

// toldAlready refuses a payment that the person has reported before and the other side is to
// confirm.
func (v *visit) toldAlready(p store.Payment) error {
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	if p.Asker != "" && oneSided(p) {
		return games.Refuse("bot.settle.needs-another", nil)
	}
	return games.Refuse("bot.settle.told-already", games.Args{"Name": v.awaited(b, p)})
}

// standsAs returns a line with the state of a payment.
func (v *visit) standsAs(b books, p store.Payment) (games.Line, error) {
	args := games.Args{"Number": p.ID, "Payer": b.nameOf(p.Payer), "Payee": b.nameOf(p.Payee),
		"Amount": bot.Amount(p.Unit, p.Amount)}
	switch {
	case p.State == store.Told && store.Silent(otherThan(p, p.Teller)):
		args["Name"] = b.nameOf("player:" + p.Teller)
		return games.Say("bot.settle.told-alone", args), nil
	case p.State == store.Told:
		args["Other"] = v.awaited(b, p)
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
		args["Asker"], args["Other"] = v.bot.ShownName(asker.Name, v.Lang), v.awaited(b, p)
		return games.Say("bot.settle.asked-back", args), nil
	}
	return games.Say("bot.settle.confirmed", args), nil
}

// awaited returns the name for whose word a payment waits; if it is to be taken back and one side
// cannot answer, that is any person's.
func (v *visit) awaited(b books, p store.Payment) string {
	switch {
	case p.Asker == "":
		return b.nameOf(otherThan(p, p.Teller))
	case oneSided(p):
		return v.Say(games.Say("bot.settle.another", nil))
	}
	return b.nameOf(otherThan(p, p.Asker))
}

// persons are those among some accounts who can say something.
func persons(accounts ...string) (all []chat.User) {
	for _, account := range accounts {
		if id, ok := strings.CutPrefix(account, "player:"); ok && !store.Silent(account) {
			all = append(all, chat.User(id))
		}
	}
	return all
}

// paymentButtons are what can be done to a payment. Each carries the balances that
// it was made for, and a mark that tells where it stands. On the payment's own message they end once
// it is settled: /settle payments takes it back.
func (v *visit) paymentButtons(s stamps, p store.Payment, mark string) []chat.Button {
	b := s.b
	of := b.nameOf(p.Payer) + " → " + b.nameOf(p.Payee) + " " + v.Number(bot.PlainNumber(p.Amount))
	button := func(key, verb string, style games.Style, account string) chat.Button {
		made := v.Button(games.Say(key, games.Args{"Payment": of}),
			strings.TrimSpace(fmt.Sprintf("/settle %s %d @%s %s", verb, p.ID, s.ofStored(p), mark)), style)
		if one := persons(account); len(one) > 0 {
			made.For, made.By = one[0], one
		} else if p.State == store.Told || !oneSided(p) {
			made.By = persons(p.Payer, p.Payee)
		}
		return made
	}
	switch {
	case p.State == store.Told:
		other := otherThan(p, p.Teller)
		if store.Silent(other) {
			other = "player:" + p.Teller
		}
		return []chat.Button{button("bot.button.confirm", "confirm", games.Primary, other),
			button("bot.button.withdraw", "withdraw", games.Plain, "")}
	case p.State == store.Confirmed && p.Asker != "":
		other := ""
		if !oneSided(p) {
			other = otherThan(p, p.Asker)
		}
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, other),
			button("bot.button.keep-paid", "keep", games.Plain, "")}
	case p.State == store.Confirmed && mark != onItsOwn:
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, "")}
	}
	return nil
}

// waiting adds the payments that wait for the other side, also to be taken back, the person's own
// first.
func (v *visit) waiting(m *chat.Message) error {
	told, err := v.Tx.Books.Payments(v.Chat.ID, store.Told, maxWaiting)
	if err != nil {
		return err
	}
	asked, err := v.Tx.Books.AskedBack(v.Chat.ID, maxWaiting)
	if err != nil {
		return err
	}
	told = append(asked, told...)
	slices.SortStableFunc(told, func(p, q store.Payment) int {
		return bot.TrueFirst(touches(p, v.Event.User), touches(q, v.Event.User))
	})
	return v.list(m, told[:min(len(told), maxPaid/2)], onPlan)
}

// payments lists the newest payments in all states.
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
	if err := v.list(m, all, onPayments); err != nil {
		return err
	}
	m.Row(v.planButton())
	return nil
}

// list adds a line for each payment, and the buttons of each in a row, marked with where they stand.
func (v *visit) list(m *chat.Message, all []store.Payment, mark string) error {
	known := map[string]stamps{}
	for _, p := range all {
		s, met := known[p.Unit]
		if !met {
			b, err := v.books(p.Unit)
			if err != nil {
				return err
			}
			if s, err = v.stamps(b); err != nil {
				return err
			}
			known[p.Unit] = s
		}
		line, err := v.standsAs(s.b, p)
		if err != nil {
			return err
		}
		m.Lines = append(m.Lines, v.Say(line))
		m.Row(v.paymentButtons(s, p, mark)...)
	}
	return nil
}
