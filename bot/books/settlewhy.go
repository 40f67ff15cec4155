package books

import (
	"fmt"
	"math"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// why answers with the reasons of a balance, game by game, the newest first. Their amounts add up to the balance. If
// the command names no one, it is the balance of the acting person.
func (v *visit) why(w bot.Args) error {
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	said, given := w.Person("who")
	if !given {
		said = bot.Person{User: v.Event.User}
	}
	b, who, err := v.party(all, said, isOpen)
	switch {
	case err != nil && given:
		return err
	case err != nil:
		m := v.Private(games.Say("bot.settle.nothing-yours", nil))
		m.Buttons = v.whyButtons(all, b, -1)
		m.Row(v.planButton())
		return nil
	}
	page, _ := w.Amount("page")
	return v.explainBalance(all, b, who, int(min(page, math.MaxInt32)))
}

// explainBalance answers with one page of the reasons for the balance of the party with index party in b, the sums of
// newer and older reasons, and buttons to balances in all. page counts from 0; out of range it means the nearest one.
func (v *visit) explainBalance(all []books, b books, party, page int) error {
	reasons, err := v.Tx.Books.Reasons(v.Chat.ID, b.unit, b.parties[party].Account)
	if err != nil {
		return err
	}
	last := max(len(reasons)-1, 0) / maxReasons
	page = min(max(page, 0), last)
	from := page * maxReasons
	to := min(from+maxReasons, len(reasons))
	var lines []games.Line
	if page > 0 {
		lines = append(lines, games.Say("bot.settle.newer", games.Args{"Amount": bot.Signed(sumOf(reasons[:from])),
			"N": from}))
	}
	for _, r := range reasons[from:to] {
		line, err := v.reasonLine(b, party, r)
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if to < len(reasons) {
		lines = append(lines, games.Say("bot.settle.older",
			games.Args{"Amount": bot.Signed(sumOf(reasons[to:])), "N": len(reasons) - to}))
	}
	args := games.Args{"Name": b.names[party], "Unit": bot.UnitLabel(b.unit)}
	head, balance := games.Say("bot.settle.at-zero", args), b.parties[party].Balance
	switch {
	case len(reasons) == 0:
		head = games.Say("bot.settle.no-reasons", args)
	case balance < 0:
		args["Amount"] = bot.Amount(b.unit, -balance)
		head = games.Say("bot.settle.owes", args)
	case balance > 0:
		args["Amount"] = bot.Amount(b.unit, balance)
		head = games.Say("bot.settle.is-owed", args)
	}
	v.Shows(fmt.Sprintf("settle why #%d %d", b.parties[party].Number, page))
	m := v.Private(head, lines...)
	var pages []chat.Button
	turn := func(key string, to int) {
		pages = append(pages, v.Button(games.Say(key, nil), fmt.Sprintf("/settle why #%d %d", b.parties[party].Number,
			to), games.Plain))
	}
	if page > 0 {
		turn("bot.button.newer", page-1)
	}
	if page < last {
		turn("bot.button.older", page+1)
	}
	m.Row(pages...)
	m.Buttons = append(m.Buttons, v.whyButtons(all, b, party)...)
	m.Row(v.planButton())
	return nil
}

// sumOf returns the sum of the amounts of reasons.
func sumOf(reasons []store.Reason) (sum int64) {
	for _, r := range reasons {
		sum += r.Amount
	}
	return sum
}

// reasonLine returns a line about r, a game or payment that has changed the balance of the party with index party in b.
func (v *visit) reasonLine(b books, party int, r store.Reason) (games.Line, error) {
	day := r.Evening
	if day == 0 { // a payment from before evenings were stored
		var err error
		if day, err = v.EveningIn(v.Chat.ID, r.At); err != nil {
			return games.Line{}, err
		}
	}
	label, err := v.DayLabel(day)
	if err != nil {
		return games.Line{}, err
	}
	args := games.Args{"Amount": bot.Signed(r.Amount), "Day": label}
	switch {
	case r.Table != 0:
		args["Table"] = r.Table
		args["Game"] = games.Say("bot.text", games.Args{"Text": r.Game})
		if g, err := v.bot.Game(r.Game); err == nil {
			args["Game"] = v.bot.TableLabel(g, r.Rules)
		}
		return games.Say("bot.settle.from-game", args), nil
	case r.Payment != 0:
		p, err := v.Tx.Books.Payment(v.Chat.ID, r.Payment)
		if err != nil {
			return games.Line{}, err
		}
		other, key := p.Payee, "bot.settle.paid-to"
		if other == b.parties[party].Account {
			other, key = p.Payer, "bot.settle.got-from"
		}
		args["Name"] = b.nameOf(other)
		return games.Say(key, args), nil
	}
	return games.Say("bot.settle.otherwise", args), nil
}

// storeEvenings stores the evening (day of play) of each payment that has none. The day is that of the time zone in
// before, the settings before the zone was changed.
func (v *visit) storeEvenings(before bot.Settings) error {
	undated, err := v.Tx.Books.Undated(v.Chat.ID)
	if err != nil {
		return err
	}
	for _, p := range undated {
		evening := bot.EveningOf(time.UnixMilli(p.Changed), before.Zone(v.bot))
		if err := v.Tx.Books.DatePayment(p.ID, evening); err != nil {
			return err
		}
	}
	return nil
}

// whyButtons returns two rows of buttons that explain other balances. The first row is for the open balances in b,
// except that of the party with index except. The second is for one balance in each other unit: of the same party or,
// if except is -1, the first open one.
func (v *visit) whyButtons(all []books, b books, except int) [][]chat.Button {
	var row, units []chat.Button
	why := func(label games.Line, p store.Party) chat.Button {
		return v.Button(games.Say("bot.button.why-of", games.Args{"Name": label}),
			fmt.Sprintf("/settle why #%d", p.Number), games.Plain)
	}
	for i, p := range b.parties {
		if i != except && p.Balance != 0 && len(row) < maxTransfers {
			row = append(row, why(games.Say("bot.text", games.Args{"Text": b.names[i]}), p))
		}
	}
	for _, other := range all {
		i := slices.IndexFunc(other.parties, func(p store.Party) bool {
			return p.Number != 0 && (except < 0 && p.Balance != 0 ||
				except >= 0 && p.Account == b.parties[except].Account)
		})
		if other.unit != b.unit && i >= 0 && len(units) < maxTransfers {
			units = append(units, why(bot.UnitName(other.unit), other.parties[i]))
		}
	}
	return slices.DeleteFunc([][]chat.Button{row, units}, func(row []chat.Button) bool { return len(row) == 0 })
}
