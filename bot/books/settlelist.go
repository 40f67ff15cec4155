package books

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Payments as they stand, with what can be done to them, and lists of them.

// standsAs returns a line with the state of a payment.
func (v *visit) standsAs(p payment) (games.Line, error) {
	args := games.Args{"Number": p.ID, "Payer": p.nameOf(p.Payer), "Payee": p.nameOf(p.Payee),
		"Amount": bot.Amount(p.Unit, p.Amount)}
	switch {
	case p.State == store.Told && store.Silent(p.other(p.Teller)):
		args["Name"] = p.nameOf("player:" + p.Teller)
		return games.Say("bot.settle.told-alone", args), nil
	case p.State == store.Told:
		args["Other"] = p.nameOf(p.other(p.Teller))
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
		args["Asker"], args["Other"] = v.bot.ShownName(asker.Name, v.Lang), p.nameOf(p.other(p.Asker))
		if p.oneSided() {
			args["Other"] = games.Say("bot.settle.another", nil)
		}
		return games.Say("bot.settle.asked-back", args), nil
	}
	return games.Say("bot.settle.confirmed", args), nil
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

// paymentButtons are what can be done to a payment. Each carries the balances that it was made for, and a mark that
// tells where it stands. On the payment's own message they end once it is settled: /settle payments takes it back.
func (v *visit) paymentButtons(p payment, mark string) []chat.Button {
	button := func(key, verb string, style games.Style, account string) chat.Button {
		made := v.Button(games.Say(key, games.Args{"Payment": v.transfer(p)}),
			strings.TrimSpace(fmt.Sprintf("/settle %s %d @%s %s", verb, p.ID, p.stamp(), mark)), style)
		if one := persons(account); len(one) > 0 {
			made.For, made.By = one[0], one
		} else if p.State == store.Told || !p.oneSided() {
			made.By = persons(p.Payer, p.Payee)
		}
		return made
	}
	switch {
	case p.State == store.Told:
		other := p.other(p.Teller)
		if store.Silent(other) {
			other = "player:" + p.Teller
		}
		return []chat.Button{button("bot.button.confirm", "confirm", games.Primary, other),
			button("bot.button.withdraw", "withdraw", games.Plain, "")}
	case p.State == store.Confirmed && p.Asker != "":
		other := ""
		if !p.oneSided() {
			other = p.other(p.Asker)
		}
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, other),
			button("bot.button.keep-paid", "keep", games.Plain, "")}
	case p.State == store.Confirmed && mark != onItsOwn:
		return []chat.Button{button("bot.button.take-back", "back", games.Plain, "")}
	}
	return nil
}

// waiting adds the payments that wait for the other side, also to be taken back, the person's own first.
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
		return bot.TrueFirst(v.touches(p), v.touches(q))
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
func (v *visit) list(m *chat.Message, all []store.Payment, mark string) (err error) {
	known := map[string]books{}
	for _, one := range all {
		b, met := known[one.Unit]
		if !met {
			if b, err = v.books(one.Unit); err != nil {
				return err
			}
			known[one.Unit] = b
		}
		p := payment{Payment: one}.in(b)
		line, err := v.standsAs(p)
		if err != nil {
			return err
		}
		m.Lines = append(m.Lines, v.Say(line))
		m.Row(v.paymentButtons(p, mark)...)
	}
	return nil
}
