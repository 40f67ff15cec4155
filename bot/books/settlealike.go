package books

import (
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// A typed payment with a party that cannot answer is booked at once. If it fits several units, or
// was booked just before, the answer asks which payment is meant, by buttons that each book one.

// soon is for how long the same payment, typed again, is taken for the same.
const soon = 10 * time.Minute

// owed is a payment in the books of one unit.
type owed struct {
	books
	money.Payment
}

// silent reports whether one side of a payment cannot answer.
func (b books) silent(p money.Payment) bool {
	return store.Silent(b.parties[p.From].Account) || store.Silent(b.parties[p.To].Account)
}

// alike books a typed payment with a party that cannot answer, if it has one meaning only: no other
// unit fits than the chat's (or one named by a number or a waiting payment), and the same was not
// booked a moment ago.
func (v *visit) alike(b books, p money.Payment, named bool) error {
	all, err := v.fitting(b, p)
	if err != nil {
		return err
	}
	again, err := v.bookedSoon(b, p)
	switch {
	case err != nil:
		return err
	case len(all) > 0 && again:
		return v.askUnit("bot.settle.again", all)
	case len(all) > 1 || len(all) == 1 && !named && b.unit != v.Unit():
		return v.askUnit("bot.settle.which-unit", all)
	}
	return v.record(b, p)
}

// fitting are the payments of the same amount between the same two, in each unit in
// which one word alone can book it.
func (v *visit) fitting(b books, p money.Payment) (all []owed, err error) {
	units, err := v.units()
	if err != nil {
		return nil, err
	}
	for _, unit := range units {
		in, err := v.books(unit)
		if err != nil {
			return nil, err
		}
		same := money.Payment{From: in.of(b.parties[p.From].Account), To: in.of(b.parties[p.To].Account),
			Amount: p.Amount}
		if same.From >= 0 && same.To >= 0 && in.possible(same) >= p.Amount {
			all = append(all, owed{in, same})
		}
	}
	return all, nil
}

// bookedSoon reports whether the person has had the same payment booked, in any
// unit, a moment ago.
func (v *visit) bookedSoon(b books, p money.Payment) (bool, error) {
	booked, err := v.Tx.Books.Payments(v.Chat.ID, store.Confirmed, maxWaiting)
	for _, q := range booked {
		if q.Teller == string(v.Event.User) && q.Amount == p.Amount && v.At-q.Changed < soon.Milliseconds() &&
			q.Payer == b.parties[p.From].Account && q.Payee == b.parties[p.To].Account {
			return true, err
		}
	}
	return false, err
}

// askUnit asks which of some payments is meant.
func (v *visit) askUnit(key string, all []owed) error {
	first := all[0]
	m := v.Private(games.Say(key, games.Args{"Payer": first.names[first.From], "Payee": first.names[first.To]}))
	var row []chat.Button
	for _, o := range all {
		s, err := v.stamps(o.books)
		if err != nil {
			return err
		}
		balances := o.names[o.From] + " " + v.Number(bot.Signed(o.parties[o.From].Balance)) + " · " +
			o.names[o.To] + " " + v.Number(bot.Signed(o.parties[o.To].Balance))
		m.Lines = append(m.Lines, v.Say(games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(o.unit), "Balances": balances})))
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": bot.Amount(o.unit, o.Amount)}),
			s.command(o.Payment), games.Plain)
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Rows(chat.ChoiceRow, row[:min(len(row), maxTransfers)]...)
	return nil
}
