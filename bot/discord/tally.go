package discord

import (
	"net/http"
	"time"

	"knobel/bot/chat"
)

// channelLimit is the number of writes a minute in a channel.
const channelLimit = int(time.Minute / pace)

// counted counts a finished request about messages of a channel, also one without an answer, which may have arrived.
// Answers to interactions have other limits and do not count.
func (d *Discord) counted(channel, method string, err error) {
	what := chat.Sent
	refused, ok := refusalOf(err)
	switch {
	case ok && refused.Status == http.StatusTooManyRequests:
		what = chat.Slowed
	case method == http.MethodPatch:
		what = chat.Edited
	case method != http.MethodPost:
		return
	}
	d.tally.Count(channel, what, time.Now())
}

// Budget returns the pace of a channel or thread. It stays below Discord's limit, which shows only in refusals.
func (d *Discord) Budget(place chat.Place) chat.Budget {
	if place == "" {
		return d.tally.Whole(time.Now())
	}
	channel, err := parsePlace(place)
	if err != nil {
		return chat.Budget{}
	}
	b := d.tally.Budget(channel, time.Now())
	b.Of, b.Limit, b.Left = "channel", channelLimit, d.paces.left(channel)
	return b
}
