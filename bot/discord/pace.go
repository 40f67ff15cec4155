package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// Rate limits, one for each channel and one for the whole bot, and counting the messages below a board.

// The rate limit of a channel: burst writes at once, then one every pace. Discord accepts about five posts and five
// edits in five seconds; its responses contain the exact numbers.
const (
	pace  = time.Second
	burst = 4
)

// The rate limit of the whole bot in requests, overallRate a second. Discord accepts fifty, not counting the answers to
// interactions. The rest is room for requests delayed by a slow network.
const (
	overallRate  = 35
	overallBurst = 8
)

// shareLimit sets this replica's rate limit to its share: all replicas together send no more than one alone would.
func (r *rest) shareLimit() {
	n := max(r.part().Replicas, 1)
	burst := max(overallBurst/n, 1)
	limit := rate.Limit(max(overallRate+overallBurst-n*burst, 1)) / rate.Limit(n)
	if r.limiter.Limit() != limit {
		r.limiter.SetLimit(limit)
		r.limiter.SetBurst(burst)
	}
}

// manyChannels is the least number of stored channels at which idle ones are dropped.
const manyChannels = 4096

// everywhere is the key in paces.channels for the state of the whole bot.
const everywhere = ""

// paces holds the state of each channel, in memory only.
type paces struct {
	mu       sync.Mutex
	channels map[string]*channelState
	many     int // the number of channels at which idle ones are dropped next, if above manyChannels
}

// channelState is the state of one channel: its rate limit and its known messages.
type channelState struct {
	limiter *rate.Limiter
	until   time.Time // the end of Discord's Retry-After
	deleted string    // the id of the message last known to be deleted
	messageCounts
}

// stateOf returns the state of channel, created if necessary; too many idle ones are dropped. The caller holds p.mu.
func (p *paces) stateOf(channel string) *channelState {
	if c := p.channels[channel]; c != nil {
		return c
	}
	now := time.Now()
	if len(p.channels) >= max(p.many, manyChannels) {
		for id, c := range p.channels {
			if c.limiter.TokensAt(now) >= burst && now.After(c.until) {
				delete(p.channels, id)
			}
		}
		p.many = 2 * len(p.channels)
	}
	c := &channelState{limiter: rate.NewLimiter(rate.Every(pace), burst)}
	p.channels[channel] = c
	return c
}

// wait reserves one write in channel and returns how long the caller must wait before it. It does not block.
func (p *paces) wait(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return max(p.stateOf(channel).limiter.ReserveN(now, 1).DelayFrom(now), p.pauseAt(channel, now))
}

// errPaced means that the channel's rate limit allows no write now; the core redraws the board later.
var errPaced = errors.New("the channel has been written to enough for now")

// tryTake takes one write in channel if the rate limit allows it now, and reports that. It does not block.
func (p *paces) tryTake(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.pauseAt(channel, now) == 0 && p.stateOf(channel).limiter.AllowN(now, 1)
}

// pauseLeft returns how much is left of Discord's Retry-After for channel or the whole bot, 0 for none.
func (p *paces) pauseLeft(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pauseAt(channel, time.Now())
}

// pauseAt returns the same as pauseLeft, at the time now. The caller holds p.mu.
func (p *paces) pauseAt(channel string, now time.Time) time.Duration {
	until := p.stateOf(channel).until.Sub(now)
	if all := p.channels[everywhere]; all != nil {
		until = max(until, all.until.Sub(now))
	}
	return max(until, 0)
}

// writesLeft returns how many writes channel's rate limit allows now; 0 during a Retry-After.
func (p *paces) writesLeft(channel string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.pauseAt(channel, now) > 0 {
		return 0
	}
	return max(int(p.stateOf(channel).limiter.TokensAt(now)), 0)
}

// pauseFor forbids writes in channel for the time d, Discord's Retry-After. It does not block. A shorter pause does not
// replace a longer one: it is older or of another route.
func (p *paces) pauseFor(channel string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, until := p.stateOf(channel), time.Now().Add(d); until.After(c.until) {
		c.until = until
	}
}

// noteDeleted stores message, an id, as the last message known to be deleted in channel.
func (p *paces) noteDeleted(channel, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stateOf(channel).deleted = message
}

// lastDeleted returns the id of the last message known to be deleted in channel, or "" if none is known.
func (p *paces) lastDeleted(channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stateOf(channel).deleted
}

// Budget returns the number of writes into place's channel in the last minute, how many Knobel allows in a minute, and
// how many are possible now. Discord's own limits are higher and only show in refusals. For the place "" it returns the
// totals of all channels since the process began. It does not block.
func (d *Discord) Budget(place chat.Place) chat.Budget {
	if place == "" {
		return d.tally.Whole(time.Now())
	}
	channel, err := parsePlace(place)
	if err != nil {
		return chat.Budget{}
	}
	b := d.tally.Budget(channel, time.Now())
	b.Of, b.Limit, b.Left = "channel", int(time.Minute/pace), d.paces.writesLeft(channel)
	return b
}

// Counting the messages below a board. Each interaction contains the id of its channel's newest message. If that is
// newer than the board, the messages below the board are requested from Discord, at most once a minute.

// messageCounts holds what is known about the messages of a channel, in memory only.
type messageCounts struct {
	newest string    // the id of the newest message, from interactions
	asked  time.Time // the time of the last request
	board  string    // the board in that request
	then   string    // the newest message at that time
	below  int       // number of messages below board in the response
}

const (
	// askEvery is the shortest time between two requests about a channel.
	askEvery = time.Minute
	// maxMessages is the largest number of messages in one response.
	maxMessages = 100
)

// noteNewest stores the newest message of interaction in's channel, unless the bot may not read messages there.
func (p *paces) noteNewest(in interaction) {
	granted, err := strconv.ParseUint(in.Permissions, 10, 64)
	if !isSnowflake(in.Channel.Newest) ||
		err == nil && granted&(discordgo.PermissionAdministrator|discordgo.PermissionReadMessageHistory) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.stateOf(in.ChannelID); isNewer(in.Channel.Newest, known.newest) {
		known.newest = in.Channel.Newest
	}
}

// isNewer reports whether the message with the id message was posted after the one with the id other, or other is "".
func isNewer(message, other string) bool {
	return len(message) > len(other) || len(message) == len(other) && message > other
}

// Since returns how many messages are below the board ref, at most limit. It requests them from Discord at most once a
// minute for a channel; in between it returns the last known number, or 0.
func (d *Discord) Since(ctx context.Context, _ chat.Place, ref chat.Ref, limit int) (int, error) {
	channel, board, err := parseRef(ref)
	if err != nil {
		return 0, err
	}
	d.paces.mu.Lock()
	known, below := d.paces.stateOf(channel), 0
	hasNewer := isNewer(known.newest, board)
	if hasNewer && known.board == board {
		below = known.below
	}
	stale := hasNewer && (known.board != board || known.then != known.newest) && time.Since(known.asked) >= askEvery
	if stale {
		known.messageCounts = messageCounts{known.newest, time.Now(), board, known.newest, below}
	}
	d.paces.mu.Unlock()
	if !stale {
		return min(below, limit), nil
	}
	endpoint := fmt.Sprintf("%s?after=%s&limit=%d", discordgo.EndpointChannelMessages(channel), board,
		min(limit, maxMessages))
	var messages []struct{}
	if err := d.readMessages(ctx, channel, endpoint, &messages); err != nil {
		return 0, err
	}
	d.paces.mu.Lock()
	defer d.paces.mu.Unlock()
	if known := d.paces.stateOf(channel); known.board == board {
		known.below = len(messages)
	}
	return min(len(messages), limit), nil
}

// readMessages requests messages of channel from the URL endpoint into messages, a pointer to a slice, and leaves that
// empty if the bot may not read there.
func (d *Discord) readMessages(ctx context.Context, channel, endpoint string, messages any) error {
	err := d.rest.call(ctx, true, http.MethodGet, endpoint, nil, messages)
	if refused, ok := refusalOf(err); ok && (refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusNotFound) {
		return nil
	}
	return d.translateError(channel, http.MethodGet, err)
}
