package telegram

import "knobel/bot/chat"

// Budget returns the budget of a place's chat: all topics of a group share one.
func (t *Telegram) Budget(place chat.Place) chat.Budget {
	if place == "" {
		return t.tally.Whole(t.options.Clock.Now())
	}
	group, _, err := parsePlace(place)
	if err != nil {
		return chat.Budget{}
	}
	now := t.options.Clock.Now()
	b := t.tally.Budget(decimal(group), now)
	if b.Of, b.Limit = "group", groupLimit; group > 0 {
		b.Of, b.Limit = "private", privateLimit
	}
	a := t.budget.of(group)
	defer t.budget.back(a)
	if a.pause(now) == 0 {
		b.Left = max(t.budget.left(a, now)-kept, 0)
	}
	return b
}
