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

// Rate limits, for each channel and for the whole bot; and counting the messages below a board.

// The rate limit of a channel: up to burst writes at once, then one per pace. Discord accepts about five posts and five
// edits in five seconds; its responses give the exact limits.
const (
	pace  = time.Second
	burst = 4
)

// The rate limit of the whole bot: overallRate requests a second. Discord accepts fifty, and answers to interactions do
// not count. The bot makes fewer, because a slow network may delay requests so that they arrive together.
const (
	overallRate  = 35
	overallBurst = 8
)

// shareLimit sets this replica's share of the rate limit, so that all replicas together keep to the limit of one.
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

// everywhere is the key in paces.channels for pauses of the whole bot.
const everywhere = ""

// paces holds the state of each channel, in memory.
type paces struct {
	mu       sync.Mutex
	channels map[string]*channelState
	many     int // idle channels are dropped next when this many are stored, but at least manyChannels
}

// channelState is the rate limit of one channel and the known facts about its messages.
type channelState struct {
	limiter *rate.Limiter
	until   time.Time // the end of Discord's Retry-After
	deleted string    // the id of the message last known to be deleted
	messageCounts
}

// stateOf returns the state of channel. It creates a missing one, and then drops old ones if there are many. The caller
// holds p.mu.
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

// wait counts one write in channel and returns how long the caller must wait before it makes that write.
func (p *paces) wait(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return max(p.stateOf(channel).limiter.ReserveN(now, 1).DelayFrom(now), p.pauseAt(channel, now))
}

// errPaced means that the channel's rate limit allows no write now. The core draws the board later.
var errPaced = errors.New("rate limit of the channel is used up")

// tryTake counts one write in channel and returns true, or returns false if the rate limit does not allow it now.
func (p *paces) tryTake(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.pauseAt(channel, now) == 0 && p.stateOf(channel).limiter.AllowN(now, 1)
}

// pauseLeft returns how long Discord's last Retry-After, for channel or the whole bot, still lasts; 0: none does.
func (p *paces) pauseLeft(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pauseAt(channel, time.Now())
}

// pauseAt returns what pauseLeft returns, for the time now. The caller holds p.mu.
func (p *paces) pauseAt(channel string, now time.Time) time.Duration {
	until := p.stateOf(channel).until.Sub(now)
	if all := p.channels[everywhere]; all != nil {
		until = max(until, all.until.Sub(now))
	}
	return max(until, 0)
}

// writesLeft returns how many writes the rate limit of channel allows now; none during a Retry-After.
func (p *paces) writesLeft(channel string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.pauseAt(channel, now) > 0 {
		return 0
	}
	return max(int(p.stateOf(channel).limiter.TokensAt(now)), 0)
}

// pauseFor stores that Discord allows no write in channel for the time d, a Retry-After. If an earlier Retry-After ends
// later, that one stays.
func (p *paces) pauseFor(channel string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, until := p.stateOf(channel), time.Now().Add(d); until.After(c.until) {
		c.until = until
	}
}

// noteDeleted stores the id message as that of the message deleted last in channel, as far as the bot knows.
func (p *paces) noteDeleted(channel, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stateOf(channel).deleted = message
}

// lastDeleted returns the id that noteDeleted stored last for channel, "" if none.
func (p *paces) lastDeleted(channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stateOf(channel).deleted
}

// Budget returns the numbers of writes in place's channel in the last minute, how many the bot allows itself in a
// minute, and how many it may make now. Discord's own limits are higher. For the place "" it returns the numbers of
// writes in all channels since the process began.
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

// Counting the messages below a board. Each interaction has the id of the newest message in its channel. If that
// message is newer than the board, the messages below the board are requested, at most once a minute.

// messageCounts holds the known facts about the messages in a channel, in memory.
type messageCounts struct {
	newest string    // the id of the newest message, from interactions
	asked  time.Time // the time of the last request by Since
	board  string    // the board in Since's last request
	then   string    // the value of newest at the time asked
	below  int       // number of messages below board in the response
}

const (
	// askEvery is the shortest time between two requests for the messages of one channel, by Since.
	askEvery = time.Minute
	// maxMessages is the largest number of messages that one response can hold.
	maxMessages = 100
)

// noteNewest stores the id of the newest message in the channel of interaction i, if the bot may read messages there.
func (p *paces) noteNewest(i interaction) {
	granted, err := strconv.ParseUint(i.Permissions, 10, 64)
	if !isSnowflake(i.Channel.Newest) ||
		err == nil && granted&(discordgo.PermissionAdministrator|discordgo.PermissionReadMessageHistory) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.stateOf(i.ChannelID); isNewer(i.Channel.Newest, known.newest) {
		known.newest = i.Channel.Newest
	}
}

// isNewer reports whether the message with the id message is newer than that with the id other; true if other is "".
func isNewer(message, other string) bool {
	return len(message) > len(other) || len(message) == len(other) && message > other
}

// Since returns how many messages are below the board ref, at most limit. It requests them from Discord, but at most
// once a minute for each channel; until then it returns the last number, or 0.
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

// readMessages requests messages of channel from the URL endpoint and stores them in messages, a pointer to a slice. If
// the bot may not read messages there, the slice stays empty.
func (d *Discord) readMessages(ctx context.Context, channel, endpoint string, messages any) error {
	err := d.rest.call(ctx, true, http.MethodGet, endpoint, nil, messages)
	if refused, ok := refusalOf(err); ok && (refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusNotFound) {
		return nil
	}
	return d.translateError(channel, http.MethodGet, err)
}
