package discord

import (
	"net/http"
	"time"

	"knobel/bot/chat"
)

// channelLimit is what the pace lets into a channel in a minute.
const channelLimit = int(time.Minute / pace)

// counted counts a finished request about messages of a channel. A request without an answer may
// have arrived, and counts; answers to interactions have limits of their own and do not.
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

// Budget says how a channel or thread stands. Discord tells its true limit
// only by refusing; the one that is kept here stays below.
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
