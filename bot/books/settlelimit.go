package books

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Limits of one person's word: alone it settles no more than is open with a party that cannot
// answer, and a button counts only for the balances for which it was made.

// possible is how much of a payment one word alone can book: what reduces both
// balances, and takes neither beyond zero.
func (b books) possible(p money.Payment) int64 {
	return max(0, min(-b.parties[p.From].Balance, b.parties[p.To].Balance))
}

// grows reports whether a payment takes both balances further from zero.
func (b books) grows(p money.Payment) bool {
	return b.parties[p.From].Balance >= 0 && b.parties[p.To].Balance <= 0
}

// between is a stored payment as these books see it; ok is false where one of its
// sides is not in them.
func (b books) between(p store.Payment) (found money.Payment, ok bool) {
	found = money.Payment{From: b.of(p.Payer), To: b.of(p.Payee), Amount: p.Amount}
	return found, found.From >= 0 && found.To >= 0
}

// alone refuses a payment with a silent side that goes beyond what is open.
func (v *visit) alone(p store.Payment) error {
	b, err := v.books(p.Unit)
	if err != nil {
		return err
	}
	found, ok := b.between(p)
	if !ok {
		return games.Refuse("bot.settle.nobody", nil)
	}
	most, name := b.possible(found), b.nameOf(otherThan(p, p.Teller))
	switch {
	case most == 0:
		return games.Refuse("bot.settle.none-open", games.Args{"Name": name})
	case p.Amount > most:
		return games.Refuse("bot.settle.at-most", games.Args{"Name": name, "Most": int(most)})
	}
	return nil
}

// stampLength is the size of a stamp at most.
const stampLength = 6

// stamps spells what buttons of payments are made for.
type stamps struct {
	b     books
	times map[string]int64 // how often something was paid, by account
}

func (v *visit) stamps(b books) (stamps, error) {
	times, err := v.Tx.Books.TimesPaid(v.Chat.ID, b.unit)
	return stamps{b, times}, err
}

// of is a short word that is another once one of the two balances has moved, or
// once either side has paid or was paid something, though it be taken back.
func (s stamps) of(p money.Payment) string {
	h := fnv.New64a()
	for _, side := range []int{p.From, p.To} {
		party := s.b.parties[side]
		fmt.Fprintln(h, s.b.unit, party.Number, party.Balance, s.times[party.Account])
	}
	fmt.Fprintln(h, p.Amount)
	spelled := strconv.FormatUint(h.Sum64(), 36)
	return spelled[:min(len(spelled), stampLength)]
}

// ofStored is the same for a stored payment, "0" where one side has no books any
// more.
func (s stamps) ofStored(p store.Payment) string {
	found, ok := s.b.between(p)
	if !ok {
		return "0"
	}
	return s.of(found)
}

// command is what the button of a payment carries.
func (s stamps) command(p money.Payment) string {
	return fmt.Sprintf("/settle paid %d #%d #%d @%s", p.Amount, s.b.parties[p.From].Number, s.b.parties[p.To].Number,
		s.of(p))
}

// stamped records the payment of a button: "120 #9 #5 @1x3k9a". It counts while
// the balances are those that the button was made for.
func (v *visit) stamped(amount int64, payer bot.Person, payee, stamp string) error {
	b, from, err := v.party(payer, nil)
	if err != nil {
		return err
	}
	unit, account, err := v.numbered(payee)
	if err != nil {
		return err
	}
	p := money.Payment{From: from, To: b.of(account), Amount: amount}
	if p.To < 0 || unit != b.unit {
		return games.Refuse("bot.settle.nobody", nil)
	}
	if err := between(b, p, v.Event.User); err != nil {
		return err
	}
	s, err := v.stamps(b)
	if err != nil {
		return err
	}
	if strings.TrimPrefix(stamp, "@") != s.of(p) {
		return games.Refuse("bot.settle.balances-moved", nil)
	}
	return v.record(b, p)
}

// between refuses payments of people to themselves, and those of other people.
func between(b books, p money.Payment, user chat.User) error {
	mine := b.mine(user)
	switch {
	case p.From == p.To:
		return games.Refuse("bot.settle.oneself", nil)
	case mine < 0 || mine != p.From && mine != p.To:
		return games.Refuse("bot.settle.not-yours", games.Args{"Payer": b.names[p.From], "Payee": b.names[p.To]})
	}
	return nil
}

// askWhich shows the balances after a payment that brings nobody nearer to zero, since its payer owes
// nothing or its payee is owed nothing, and asks who has paid whom.
func (v *visit) askWhich(b books, p money.Payment) error {
	s, err := v.stamps(b)
	if err != nil {
		return err
	}
	grows, name := "bot.settle.grows", b.names[p.To]
	if b.parties[p.To].Balance > 0 {
		grows, name = "bot.settle.grows-owed", b.names[p.From]
	}
	m := v.Private(games.Say(grows, games.Args{"Name": name, "Amount": bot.Amount(b.unit, p.Amount)}), v.after(b, p))
	choices := []money.Payment{p}
	if back := (money.Payment{From: p.To, To: p.From, Amount: p.Amount}); !b.grows(back) {
		choices = []money.Payment{back, p}
	}
	var row []chat.Button
	for _, c := range choices {
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": v.transfer(b, c)}), s.command(c),
			games.Plain)
		paid.For = v.Event.User
		row = append(row, paid)
	}
	m.Row(row...)
	return nil
}

// after returns a line with both balances after a payment.
func (v *visit) after(b books, p money.Payment) games.Line {
	from, to := b.parties[p.From].Balance+p.Amount, b.parties[p.To].Balance-p.Amount
	return games.Say("bot.settle.then", games.Args{
		"Balances": b.names[p.From] + " " + v.Number(bot.Signed(from)) + " · " +
			b.names[p.To] + " " + v.Number(bot.Signed(to)),
	})
}
