package books

import (
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Plan holds the payments that settle all balances of a chat, as data for a page.
type Plan struct {
	Rows []Transfer `json:"rows"`
	// Waiting are the payments that wait for the other side.
	Waiting []Pending `json:"waiting"`
	// Said is the sentence with the number of payments, Note explains them; "" if there is nothing to explain.
	Said string `json:"said"`
	Note string `json:"note,omitempty"`
	Why  string `json:"why"` // the command that explains the reader's balance
}

// Transfer is a planned payment. Amount and Unit are in words.
type Transfer struct {
	Payer  string `json:"payer"`
	Payee  string `json:"payee"`
	Amount string `json:"amount"`
	Unit   string `json:"unit"`
	// Press records the payment as paid; "" if none of the reader's people pays or gets it. By names those people.
	Press string   `json:"press,omitempty"`
	By    []string `json:"by,omitempty"`
}

// Pending is a payment that waits for the other side: its state in words, and the buttons for the reader's people.
type Pending struct {
	Said    string          `json:"said"`
	Buttons []PendingButton `json:"buttons"`
}

// PendingButton is a button of a Pending. By names the reader's people who may press it; none: everyone.
type PendingButton struct {
	chat.Button
	By []string `json:"by,omitempty"`
}

// PlanOf returns the payments that settle the balances of the chat of v. Payments of the reader's people come first.
func PlanOf(b *bot.Bot, v *bot.Visit) (*Plan, error) {
	return (&visit{v, b}).plan()
}

// plan returns the data of settle.
func (v *visit) plan() (*Plan, error) {
	plan := &Plan{Rows: []Transfer{}, Waiting: []Pending{}, Why: "/settle why"}
	var all []payment
	var notes []string
	err := v.eachPlan(func(b books, least money.Plan, planned []payment) {
		all = append(all, planned...)
		if !least.Fewest() {
			notes = append(notes, v.Say(games.Say("bot.settle.least", games.Args{"N": least.Least})))
		}
	})
	if err != nil {
		return nil, err
	}
	if isWithHouse(all) {
		notes = append(notes, v.Say(games.Say("bot.settle.for-house", nil)))
	}
	plan.Said, plan.Note = v.Say(v.planHead(len(all))), strings.Join(notes, " ")
	waiting, err := v.waiting()
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		t := v.transfer(p)
		if slices.ContainsFunc(waiting, func(w store.Payment) bool { return w.State == store.Told && p.equals(w) }) {
			t.Press, t.By = "", nil // the other side has to confirm it
		}
		plan.Rows = append(plan.Rows, t)
	}
	slices.SortStableFunc(plan.Rows, func(a, b Transfer) int { return bot.TrueFirst(a.Press != "", b.Press != "") })
	plan.Rows = plan.Rows[:min(len(plan.Rows), maxListed)]
	return plan, v.eachPayment(waiting, func(p payment, line games.Line) {
		one := Pending{v.Say(line), []PendingButton{}}
		for i, b := range v.paymentButtons(p, "") {
			if p.State == store.Told { // the payment is said beside its buttons
				b.Label = v.Say(games.Say([]string{"bot.settle.confirms", "bot.settle.denies"}[i], nil))
			}
			if by := v.ownNames(p, b); len(by) > 0 || len(b.By) == 0 {
				one.Buttons = append(one.Buttons, PendingButton{b, by})
			}
		}
		plan.Waiting = append(plan.Waiting, one)
	})
}

// transfer returns p as data.
func (v *visit) transfer(p payment) Transfer {
	t := Transfer{Payer: p.names[p.from], Payee: p.names[p.to], Amount: v.Number(bot.PlainNumber(p.Amount)),
		Unit: v.Say(bot.UnitName(p.Unit))}
	paid := v.transferButton(p)
	if t.By = v.ownNames(p, paid); len(t.By) > 0 {
		t.Press = paid.Press
	}
	return t
}

// ownNames returns the names of the reader's people who may press b, a button about p.
func (v *visit) ownNames(p payment, b chat.Button) (names []string) {
	for _, user := range b.By {
		if v.bot.IsOwn(v.Event, string(user)) {
			names = append(names, p.nameOf("player:"+string(user)))
		}
	}
	return names
}
