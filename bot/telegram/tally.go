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
	b := t.budget.report(group)
	w := t.tally.Budget(decimal(group), t.options.Clock.Now())
	b.Sends, b.Edits, b.Calls, b.Waiting = w.Sends, w.Edits, w.Calls, w.Waiting
	return b
}

// report returns a chat's budget without the counts of writes.
func (b *budget) report(group int64) chat.Budget {
	a := b.of(group)
	defer b.back(a)
	now := b.clock.Now()
	left := b.left(a, now) - kept
	if a.pause(now) > 0 {
		left = 0
	}
	of := chat.Budget{Of: "group", Limit: groupLimit, Left: max(left, 0)}
	if group > 0 {
		of.Of, of.Limit = "private", privateLimit
	}
	return of
}
