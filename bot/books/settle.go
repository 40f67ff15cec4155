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

// Sizes of answers, and limits of reports (payments that one side has reported and the other has to confirm).
const (
	maxTransfers = 6   // payments that have a button
	maxListed    = 20  // payments or balances of one unit
	maxReasons   = 10  // games on a page of reasons
	maxPaid      = 8   // stored payments in a list
	maxWaiting   = 400 // unconfirmed reports of a chat
	maxTold      = 20  // unconfirmed reports of one person
)

// maxAmount is the largest payment that can be recorded.
const maxAmount = 1_000_000_000_000

// balanceRows returns rows with the names and the balances, if not zero, of b, the largest credit first. It leaves out
// rows beyond maxListed, except the row of the acting person.
func (v *visit) balanceRows(b books) [][]string {
	var open []int
	for i, p := range b.parties {
		if p.Balance != 0 {
			open = append(open, i)
		}
	}
	slices.SortStableFunc(open, func(i, j int) int { return cmp.Compare(b.parties[j].Balance, b.parties[i].Balance) })
	var rows [][]string
	for _, i := range open {
		rows = append(rows, []string{b.names[i], v.Number(bot.Signed(b.parties[i].Balance))})
	}
	if i := slices.Index(open, b.me); i >= maxListed {
		return append(firstRows(rows), rows[i])
	}
	return firstRows(rows)
}

// transferRows returns rows with payer, payee and amount of each payment, at most maxListed.
func (v *visit) transferRows(all []payment) [][]string {
	var rows [][]string
	for _, p := range all {
		rows = append(rows, []string{p.names[p.from], "→ " + p.names[p.to], v.Number(bot.PlainNumber(p.Amount))})
	}
	return firstRows(rows)
}

// firstRows returns the first maxListed rows, and a row with dots if there are more.
func firstRows(rows [][]string) [][]string {
	if len(rows) > maxListed {
		rows = append(rows[:maxListed:maxListed], []string{"…"})
	}
	return rows
}

// joinRows returns all rows in one line of text.
func joinRows(rows [][]string) string {
	var said []string
	for _, row := range rows {
		said = append(said, strings.Join(row, " "))
	}
	return strings.Join(said, " · ")
}

// eachPlan calls do for each unit with open balances, in alphabetical order. b are the books of the unit, plan is as
// few payments as could be found that settle them, and all is the same payments, each with its books. It is a no-op in
// a private chat, where there is no one to pay.
func (v *visit) eachPlan(do func(b books, plan money.Plan, all []payment)) error {
	units, err := v.allBooks()
	if err != nil || v.Chat.Owner != "" {
		return err
	}
	slices.SortFunc(units, func(a, b books) int { return cmp.Compare(a.unit, b.unit) })
	for _, b := range units {
		balances := make([]int64, len(b.parties))
		for i, p := range b.parties {
			balances[i] = p.Balance
		}
		plan, err := money.SettleUp(balances)
		if err != nil {
			return fmt.Errorf("%s in %s: %w", v.Chat.ID, b.unit, err)
		}
		var all []payment
		for _, p := range plan.Payments {
			all = append(all, b.payment(p.From, p.To, p.Amount))
		}
		if len(all) > 0 {
			do(b, plan, all)
		}
	}
	return nil
}

// settle answers with the balances of each unit, few payments that bring them to zero (see money.SettleUp), and the
// payments that wait for confirmation.
func (v *visit) settle(bot.Args) error {
	var lines []games.Line
	var grids []chat.Grid
	var all, own, rest []payment
	err := v.eachPlan(func(b books, plan money.Plan, planned []payment) {
		mine, others := splitPayments(planned, b.me)
		all, own, rest = append(all, planned...), append(own, mine...), append(rest, others...)
		if len(planned) > maxListed {
			planned = slices.Concat(mine, others)
		}
		balances, transfers := v.balanceRows(b), v.transferRows(planned)
		caption := v.Say(games.Say("bot.settle.balances", games.Args{"Unit": bot.UnitName(b.unit), "Balances": ""}))
		at := len(lines)
		grids = append(grids,
			chat.Grid{From: at, To: at + 1, Caption: strings.TrimSpace(caption), Rows: balances,
				Head: v.Columns("bot.column.player", "bot.column.balance")},
			chat.Grid{From: at + 1, To: at + 2, Rows: transfers,
				Head: v.Columns("bot.column.payer", "bot.column.payee", "bot.column.amount")})
		lines = append(lines, games.Say("bot.settle.balances",
			games.Args{"Unit": bot.UnitName(b.unit), "Balances": joinRows(balances)}),
			games.Say("bot.text", games.Args{"Text": joinRows(transfers)}))
		if !plan.Fewest() {
			lines = append(lines, games.Say("bot.settle.least", games.Args{"N": plan.Least}))
		}
	})
	if err != nil {
		return err
	}
	if isWithHouse(all) {
		lines = append(lines, games.Say("bot.settle.for-house", nil))
	}
	v.Shows("settle")
	m := v.Private(v.planHead(len(all)), lines...)
	m.Grids = grids
	if len(all) > maxTransfers {
		all = slices.Concat(own, rest) // the acting person's own payments get buttons first
	}
	m.Row(v.transferButtons(all)...)
	waiting, err := v.waiting()
	if err == nil {
		err = v.addPayments(m, waiting, onPlan)
	}
	if err != nil {
		return err
	}
	m.Buttons = append(m.Buttons, []chat.Button{
		v.Button(games.Say("bot.button.why", nil), "/settle why", games.Plain),
		v.Button(games.Say("bot.button.payments", nil), "/settle payments", games.Plain),
	})
	return nil
}

// planHead returns the sentence on how many payments settle all balances.
func (v *visit) planHead(payments int) games.Line {
	switch {
	case v.Chat.Owner != "":
		return games.Say("bot.settle.own", nil)
	case payments > 0:
		return games.Say("bot.settle.needed", games.Args{"N": payments})
	}
	return games.Say("bot.settle.even", nil)
}

// isWithHouse reports whether one of the payments is from or to the house.
func isWithHouse(all []payment) bool {
	return slices.ContainsFunc(all, func(p payment) bool { return p.Payer == store.House || p.Payee == store.House })
}

// planButton returns the button that leads back to the answer of settle.
func (v *visit) planButton() chat.Button {
	return v.Button(games.Say("bot.button.back", nil), "/settle plan", games.Plain)
}

// backToPlan answers like settle. If a button was pressed, the answer replaces its message for all who see it.
func (v *visit) backToPlan(w bot.Args) error {
	if err := v.settle(w); err != nil || v.Event.Press == "" {
		return err
	}
	v.Reply.Page, v.Reply.Private = v.Reply.Private, nil
	return nil
}

// splitPayments splits all into mine, from or to the party with index me, and others. If me is -1, mine is empty.
func splitPayments(all []payment, me int) (mine, others []payment) {
	for _, p := range all {
		if me >= 0 && (p.from == me || p.to == me) {
			mine = append(mine, p)
		} else {
			others = append(others, p)
		}
	}
	return mine, others
}

// transferButtons returns buttons that record the first maxTransfers payments as paid; payer and payee may press them.
func (v *visit) transferButtons(payments []payment) (all []chat.Button) {
	for _, p := range payments[:min(len(payments), maxTransfers)] {
		all = append(all, v.transferButton(p))
	}
	return all
}

// transferButton returns a button that records p as paid; payer and payee may press it.
func (v *visit) transferButton(p payment) chat.Button {
	paid := v.paidButton(p, v.paymentText(p))
	paid.By = usersOf(p.Payer, p.Payee)
	if p.from != p.me && p.to != p.me {
		teller := p.parties[p.from]
		if store.Silent(p.Payer) {
			teller = p.parties[p.to]
		}
		paid.For = chat.User(teller.Player())
	}
	return paid
}

// settleWith answers with the planned payments between the acting and the named person, in each unit, with buttons.
func (v *visit) settleWith(w bot.Args) error {
	said, _ := w.Person("who")
	all, err := v.allBooks()
	if err != nil {
		return err
	}
	found, who, err := v.party(all, said, isOpen)
	if err != nil {
		return err
	}
	if who == found.me {
		return games.Refuse("bot.settle.oneself", nil)
	}
	name := found.names[who]
	var between []payment
	err = v.eachPlan(func(b books, _ money.Plan, planned []payment) {
		mine, _ := splitPayments(planned, b.me)
		theirs, _ := splitPayments(mine, v.partyIn(b, said))
		between = append(between, theirs...)
	})
	if err != nil {
		return err
	}
	head := games.Say("bot.settle.between", games.Args{"Name": name})
	if len(between) == 0 {
		head = games.Say("bot.settle.even-with", games.Args{"Name": name})
	}
	m := v.Private(head)
	for _, p := range between {
		m.Lines = append(m.Lines, v.paymentText(p))
	}
	m.Row(v.transferButtons(between)...)
	m.Buttons = append(m.Buttons, []chat.Button{
		v.Button(games.Say("bot.button.why-of", games.Args{"Name": name}),
			fmt.Sprintf("/settle why #%d", found.parties[who].Number), games.Plain),
		v.Button(games.Say("bot.button.settle", nil), "/settle", games.Plain),
	})
	return nil
}
