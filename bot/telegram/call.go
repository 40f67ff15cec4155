package telegram

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"knobel/bot/chat"
)

// Call posts a message that mentions a person or shows offered seats, in the place's topic and as a reply to the
// board, so that one tap leads there.
func (t *Telegram) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	group, topic, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	plain := func(text string) string { return markup.Replace(uncalled(clip(clean(text), longestLine))) }
	text, buttons := "", [][]chat.Button{{s.Off}}
	if s.Offer != nil {
		var lines []string
		for _, said := range append([]string{s.Offer.Head}, s.Offer.Told...) {
			lines = append(lines, plain(said))
		}
		text, buttons = strings.Join(lines, "\n"), s.Offer.Buttons
	} else { // by number, which works without a user name
		number, ok := strings.CutPrefix(string(s.To), name+":")
		if id, err := strconv.ParseInt(number, 10, 64); !ok || err != nil || id <= 0 {
			return "", fmt.Errorf("%q is nobody on telegram", s.To)
		}
		called := cmp.Or(strings.TrimSpace(clip(clean(s.Name), longestName)), number)
		text = plain(s.Before) + `<a href="tg://user?id=` + number + `">` + plain(called) + "</a>" + plain(s.After)
	}
	_, board, _ := t.messageIn(place, s.Board) // 0: not a reply
	params := addressed(texted(group, text, buttons), board, topic)
	if s.Offer != nil {
		params["disable_notification"] = "true"
	}
	raw, err := t.transmit(ctx, group, "sendMessage", params)
	if err != nil {
		return "", err
	}
	t.tally.Count(decimal(group), chat.Called, t.options.Clock.Now())
	return t.sent(group, raw)
}
