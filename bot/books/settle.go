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

func (b books) balances() []int64 {
	all := make([]int64, len(b.parties))
	for i, p := range b.parties {
		all[i] = p.Balance
	}
	return all
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

// eachPlan hands on, by unit, the books that are not even, the fewest payments that settle them, and those among them
// of the person. In a person's own conversation there is no one to settle up with.
func (v *visit) eachPlan(do func(b books, plan money.Plan, mine, others []money.Payment)) error {
	all, err := v.allBooks()
	if err != nil || v.Chat.Owner != "" {
		return err
	}
	slices.SortFunc(all, func(a, b books) int { return cmp.Compare(a.unit, b.unit) })
	for _, b := range all {
		plan, err := money.SettleUp(b.balances())
		if err != nil {
			return fmt.Errorf("%s in %s: %w", v.Chat.ID, b.unit, err)
		}
		if len(plan.Payments) > 0 {
			mine, others := apart(plan.Payments, b.mine(v.Event.User))
			do(b, plan, mine, others)
		}
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
	err := v.eachPlan(func(b books, plan money.Plan, mine, others []money.Payment) {
		total += len(plan.Payments)
		house = house || slices.ContainsFunc(plan.Payments, func(p money.Payment) bool {
			return b.parties[p.From].Account == store.House || b.parties[p.To].Account == store.House
		})
		buttons = append(buttons, v.transferButtons(b, plan.Payments)...)
		own, rest = append(own, v.transferButtons(b, mine)...), append(rest, v.transferButtons(b, others)...)
		if len(plan.Payments) > maxListed {
			plan.Payments = slices.Concat(mine, others)
		}
		me := b.mine(v.Event.User)
		grids = append(grids, v.planGrids(b, plan, me, len(lines))...)
		lines = append(lines, v.planned(b, plan, me)...)
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
func (v *visit) transferButtons(b books, payments []money.Payment) []chat.Button {
	var all []chat.Button
	for _, p := range payments[:min(len(payments), maxTransfers)] {
		paid := v.Button(games.Say("bot.button.paid", games.Args{"Payment": v.transfer(b, p)}), b.command(p),
			games.Plain)
		paid.By = persons(b.parties[p.From].Account, b.parties[p.To].Account)
		if mine := b.mine(v.Event.User); p.From != mine && p.To != mine {
			teller := b.parties[p.From]
			if store.Silent(teller.Account) {
				teller = b.parties[p.To]
			}
			paid.For = chat.User(teller.Player())
		}
		all = append(all, paid)
	}
	return all
}

// settleWith shows which of the fewest payments that bring everybody to zero are between the person
// and another party, in every unit, with a button for each.
func (v *visit) settleWith(w bot.Args) error {
	said, _ := w.Person("who")
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	found, who, err := v.party(all, said, open)
	if err != nil {
		return err
	}
	if who == found.mine(v.Event.User) {
		return games.Refuse("bot.settle.oneself", nil)
	}
	name := found.names[who]
	var lines []games.Line
	var buttons []chat.Button
	err = v.eachPlan(func(b books, _ money.Plan, mine, _ []money.Payment) {
		between, _ := apart(mine, v.means(b, said))
		for _, p := range between {
			lines = append(lines, games.Say("bot.text", games.Args{"Text": v.transfer(b, p)}))
		}
		buttons = append(buttons, v.transferButtons(b, between)...)
	})
	if err != nil {
		return err
	}
	head := games.Say("bot.settle.between", games.Args{"Name": name})
	if len(lines) == 0 {
		head = games.Say("bot.settle.even-with", games.Args{"Name": name})
	}
	m := v.Private(head, lines...)
	m.Row(buttons[:min(len(buttons), maxTransfers)]...)
	m.Buttons = append(m.Buttons, []chat.Button{
		v.Button(games.Say("bot.button.why-of", games.Args{"Name": name}),
			fmt.Sprintf("/settle why #%d", found.parties[who].Number), games.Plain),
		v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain),
	})
	return nil
}
