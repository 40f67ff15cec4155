package books

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Settling up. All house seats and the box are one party, "the house", so that the balances of a
// chat and unit add up to zero; unfinished games do not count. Presses name a party by the number
// of its account ("#17"), which implies the unit; texts name a person. Texts are about the unit
// that the chat plays for, or about another one if the person has no account in the first or, for
// explanations, a balance of zero there.

// How much one answer holds.
const (
	maxTransfers = 6   // payments that have a button
	maxListed    = 20  // payments or balances of one unit in a line
	maxReasons   = 10  // games on a page
	maxPaid      = 8   // recorded payments
	maxWaiting   = 400 // payments of a chat that wait for the other side
	maxTold      = 20  // those among them that one person has told of
)

// maxAmount is the largest payment that can be recorded.
const maxAmount = 1_000_000_000_000

// books holds the balances of all parties of a chat in one unit.
type books struct {
	unit    string
	parties []store.Party
	names   []string // as they are shown, unlike each other
	called  []string // as they call themselves, "" the house
}

// books reads the balances of all parties of the chat in a unit, and names them so that no two look
// alike.
func (v *visit) books(unit string) (books, error) {
	b := books{unit: unit}
	var err error
	if b.parties, err = v.Tx.Books.Parties(v.Chat.ID, unit); err != nil {
		return b, err
	}
	var taken bot.TakenNames
	for _, p := range b.parties {
		called, shown := "", v.Say(games.Say("bot.settle.house", nil))
		if p.Account != store.House {
			player, err := v.Tx.Chats.Player(p.Player())
			if err != nil {
				return b, err
			}
			called, shown = player.Name, v.bot.ShownName(player.Name, v.Lang)
		}
		b.called = append(b.called, called)
		b.names = append(b.names, taken.Unlike(shown))
	}
	return b, nil
}

// of is the index of an account, -1 where it is none of these books.
func (b books) of(account string) int {
	return slices.IndexFunc(b.parties, func(p store.Party) bool { return p.Account == account })
}

// mine returns the index of a person among the parties, -1 without an account.
func (b books) mine(user chat.User) int { return b.of("player:" + string(user)) }

func (b books) balances() []int64 {
	all := make([]int64, len(b.parties))
	for i, p := range b.parties {
		all[i] = p.Balance
	}
	return all
}

// transfer returns a payment in words: "Clara → Ben 120".
func (v *visit) transfer(b books, p money.Payment) string {
	return b.names[p.From] + " → " + b.names[p.To] + " " + v.Number(bot.PlainNumber(p.Amount))
}

// balanceRows are the balances with whose they are, the largest credit first. If there are more than fit, the
// rest is left out, but not the party me.
func (v *visit) balanceRows(b books, me int) [][]string {
	var open []int
	for i, p := range b.parties {
		if p.Balance != 0 {
			open = append(open, i)
		}
	}
	slices.SortStableFunc(open, func(i, j int) int {
		return int(min(max(b.parties[j].Balance-b.parties[i].Balance, -1), 1))
	})
	var rows [][]string
	for _, i := range open {
		rows = append(rows, []string{b.names[i], v.Number(bot.Signed(b.parties[i].Balance))})
	}
	if i := slices.Index(open, me); i >= maxListed {
		return append(listed(rows), rows[i])
	}
	return listed(rows)
}

// transferRows are payments with who pays whom.
func (v *visit) transferRows(b books, all []money.Payment) [][]string {
	var rows [][]string
	for _, p := range all {
		rows = append(rows, []string{b.names[p.From], "→ " + b.names[p.To], v.Number(bot.PlainNumber(p.Amount))})
	}
	return listed(rows)
}

// listed are rows of what is alike, as many as fit; dots say that there are more.
func listed(rows [][]string) [][]string {
	if len(rows) > maxListed {
		rows = append(rows[:maxListed:maxListed], []string{"…"})
	}
	return rows
}

// inLine says rows in one line.
func inLine(rows [][]string) string {
	var said []string
	for _, row := range rows {
		said = append(said, strings.Join(row, " "))
	}
	return strings.Join(said, " · ")
}

// eachPlan hands on, for each unit that is not even, its books with their stamps, the fewest payments that settle
// it, and those among them of whoever asks. In a person's own conversation there is nobody to settle up with.
func (v *visit) eachPlan(do func(s stamps, plan money.Plan, mine, others []money.Payment)) error {
	units, err := v.Tx.Books.Units(v.Chat.ID)
	if err != nil || v.Chat.Owner != "" {
		return err
	}
	for _, unit := range units {
		b, err := v.books(unit)
		if err != nil {
			return err
		}
		plan, err := money.SettleUp(b.balances())
		if err != nil {
			return fmt.Errorf("%s in %s: %w", v.Chat.ID, unit, err)
		}
		if len(plan.Payments) == 0 {
			continue
		}
		s, err := v.stamps(b)
		if err != nil {
			return err
		}
		mine, others := apart(plan.Payments, b.mine(v.Event.User))
		do(s, plan, mine, others)
	}
	return nil
}

// settle shows the balances of every unit, the fewest payments that bring them to zero, and the
// payments that wait for confirmation.
func (v *visit) settle(bot.Args) error {
	total, house := 0, false
	var lines []games.Line
	var grids []chat.Grid
	var buttons, own, rest []chat.Button
	err := v.eachPlan(func(s stamps, plan money.Plan, mine, others []money.Payment) {
		total += len(plan.Payments)
		house = house || slices.ContainsFunc(plan.Payments, func(p money.Payment) bool {
			return s.b.parties[p.From].Account == store.House || s.b.parties[p.To].Account == store.House
		})
		buttons = append(buttons, v.transferButtons(s, plan.Payments)...)
		own, rest = append(own, v.transferButtons(s, mine)...), append(rest, v.transferButtons(s, others)...)
		if len(plan.Payments) > maxListed {
			plan.Payments = slices.Concat(mine, others)
		}
		me := s.b.mine(v.Event.User)
		grids = append(grids, v.planGrids(s.b, plan, me, len(lines))...)
		lines = append(lines, v.planned(s.b, plan, me)...)
	})
	if err != nil {
		return err
	}
	if total > maxTransfers {
		buttons = slices.Concat(own, rest) // whoever asks finds their own
	}
	head := games.Say("bot.settle.even", nil)
	switch {
	case v.Chat.Owner != "":
		head = games.Say("bot.settle.own", nil)
	case total > 0:
		head = games.Say("bot.settle.needed", games.Args{"N": total})
	}
	if house {
		lines = append(lines, games.Say("bot.settle.for-house", nil))
	}
	v.Shows("settle")
	m := v.Private(head, lines...)
	m.Grids = grids
	m.Row(buttons[:min(len(buttons), maxTransfers)]...)
	if err := v.waiting(m); err != nil {
		return err
	}
	m.Buttons = append(m.Buttons, []chat.Button{
		v.Button(games.Say("bot.button.why", nil), "/settle why", games.Plain),
		v.Button(games.Say("bot.button.payments", nil), "/settle payments", games.Plain),
	})
	return nil
}

// planButton leads back to the settle-up.
func (v *visit) planButton() chat.Button {
	return v.Button(games.Say("bot.button.back", nil), "/settle plan", games.Plain)
}

// backToPlan turns the page whose button was pressed to the settle-up, whoever has opened it: where all
// read the page, it is everybody's.
func (v *visit) backToPlan(w bot.Args) error {
	if err := v.settle(w); err != nil || v.Event.Press == "" {
		return err
	}
	v.Reply.Page, v.Reply.Private = v.Reply.Private, nil
	return nil
}

// apart parts the payments of one of the parties, -1 none, from all others.
func apart(all []money.Payment, me int) (mine, others []money.Payment) {
	for _, p := range all {
		if me >= 0 && (p.From == me || p.To == me) {
			mine = append(mine, p)
		} else {
			others = append(others, p)
		}
	}
	return mine, others
}

// planned returns lines on how to settle one unit, as seen by one of the parties or, with -1, by
// another person.
func (v *visit) planned(b books, plan money.Plan, me int) []games.Line {
	lines := []games.Line{
		games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(b.unit), "Balances": inLine(v.balanceRows(b, me))}),
		games.Say("bot.text", games.Args{"Text": inLine(v.transferRows(b, plan.Payments))}),
	}
	if !plan.Fewest() {
		lines = append(lines, games.Say("bot.settle.least", games.Args{"N": plan.Least}))
	}
	return lines
}

// planGrids are the tables of what planned says, from a line on.
func (v *visit) planGrids(b books, plan money.Plan, me, from int) []chat.Grid {
	head := v.Say(games.Say("bot.settle.balances", games.Args{"Unit": bot.UnitName(b.unit), "Balances": ""}))
	return []chat.Grid{
		{From: from, To: from + 1, Caption: strings.TrimSpace(head), Rows: v.balanceRows(b, me),
			Head: v.Columns("bot.column.player", "bot.column.balance")},
		{From: from + 1, To: from + 2, Head: v.Columns("bot.column.payer", "bot.column.payee", "bot.column.amount"),
			Rows: v.transferRows(b, plan.Payments)},
	}
}

// transferButtons record a planned payment, whichever side presses them.
func (v *visit) transferButtons(s stamps, payments []money.Payment) []chat.Button {
	var all []chat.Button
	for _, p := range payments[:min(len(payments), maxTransfers)] {
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": v.transfer(s.b, p)}), s.command(p),
			games.Plain)
		paid.By = persons(s.b.parties[p.From].Account, s.b.parties[p.To].Account)
		if mine := s.b.mine(v.Event.User); p.From != mine && p.To != mine {
			teller := s.b.parties[p.From]
			if store.Silent(teller.Account) {
				teller = s.b.parties[p.To]
			}
			paid.For = chat.User(teller.Player())
		}
		all = append(all, paid)
	}
	return all
}

// units are those in which the chat keeps books, the one that it plays for first.
func (v *visit) units() ([]string, error) {
	all, err := v.Tx.Books.Units(v.Chat.ID)
	now := v.Unit()
	all = slices.DeleteFunc(all, func(unit string) bool { return unit == now })
	return slices.Insert(all, 0, now), err
}

// open reports whether a party's balance is not zero.
func open(b books, who int) bool { return b.parties[who].Balance != 0 }

// search looks a party up in the books of one unit after another. It returns the first books that
// fit, or else the first with the party, and its index, -1 if it is in none.
func (v *visit) search(fits func(books, int) bool, who func(books) int) (found books, at int, err error) {
	all, err := v.units()
	at = -1
	for _, unit := range all {
		b, err := v.books(unit)
		if err != nil {
			return b, -1, err
		}
		i := who(b)
		if i >= 0 && fits(b, i) {
			return b, i, nil
		}
		if at < 0 && (i >= 0 || unit == all[0]) {
			found, at = b, i
		}
	}
	return found, at, err
}

// party returns the party with a number ("#17"), or with a name in books that fit.
func (v *visit) party(said bot.Person, fits func(books, int) bool) (books, int, error) {
	if strings.HasPrefix(said.Name, "#") {
		unit, account, err := v.numbered(said.Name)
		if err != nil {
			return books{}, 0, err
		}
		b, err := v.books(unit)
		i := b.of(account)
		if err == nil && i < 0 {
			err = games.Refuse("bot.settle.nobody", nil)
		}
		return b, i, err
	}
	b, i, err := v.search(fits, func(b books) int { return v.named(b, said) })
	if err == nil && i < 0 {
		err = games.Refuse("bot.settle.no-such-person", games.Args{"Name": chat.Isolate(said.Name)})
	}
	return b, i, err
}

// numbered returns the unit and the party of a number ("#17").
func (v *visit) numbered(said string) (unit, party string, err error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(said, "#"), 10, 64)
	if err != nil {
		return "", "", games.Refuse("bot.settle-how", nil)
	}
	unit, party, err = v.Tx.Books.Account(v.Chat.ID, n)
	if errors.Is(err, store.ErrNotFound) {
		err = games.Refuse("bot.settle.nobody", nil)
	}
	return unit, party, err
}

// named returns the index of the party that is a mentioned person, or that has a shown or own name, behind the unit
// or not ("chips Ben"); -1 if there is none.
func (v *visit) named(b books, said bot.Person) int {
	player := func(i int) string { return b.parties[i].Player() }
	i := said.Among(len(b.parties), player, func(i int) string { return bot.Unisolated(b.names[i]) },
		func(i int) string { return b.called[i] })
	house := v.bot.Means("bot.house", said.Name) || v.bot.Means("bot.settle.house", said.Name)
	if i < 0 && house && said.User == "" {
		return b.of(store.House)
	}
	if name, behind := strings.CutPrefix(said.Name, b.unit+" "); i < 0 && behind {
		return v.named(b, bot.Person{Name: name})
	}
	return i
}
