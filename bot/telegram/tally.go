package telegram

import (
	"net/http"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// counted counts a finished send or edit, also one without an answer, which may have arrived.
func (t *Telegram) counted(method string, params tg.Params, err error) {
	what := chat.Sent
	switch {
	case strings.HasPrefix(method, "edit"):
		what = chat.Edited
	case !strings.HasPrefix(method, "send"):
		return
	}
	if refused, ok := refusalOf(err); ok && refused.Code == http.StatusTooManyRequests {
		what = chat.Slowed
	}
	t.tally.Count(params["chat_id"], what, t.options.Clock.Now())
}

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
