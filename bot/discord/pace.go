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

// Rate limits, one for each channel and one for the whole bot, and the messages below a board.

// Discord takes about five posts and five edits in five seconds in a channel; its answers tell the exact numbers.
const (
	pace  = time.Second
	burst = 4
)

// Discord takes fifty requests a second of a bot, whatever they are for; only answers to interactions do not count.
// These limits leave room for requests held up by a slow network.
const (
	overallRate  = 35
	overallBurst = 8
)

// shareLimit shares the limit of the bot among the replicas: together they send no more than one does.
func (r *rest) shareLimit() {
	n := max(r.part().Replicas, 1)
	burst := max(overallBurst/n, 1)
	limit := rate.Limit(max(overallRate+overallBurst-n*burst, 1)) / rate.Limit(n)
	if r.whole.Limit() != limit {
		r.whole.SetLimit(limit)
		r.whole.SetBurst(burst)
	}
}

// manyChannels is when the paces of idle channels are dropped.
const manyChannels = 4096

// everywhere replaces a channel for the whole bot.
const everywhere = ""

// paces holds the rate limits of channels and what is known of their messages.
type paces struct {
	mu       sync.Mutex
	channels map[string]*paced
	many     int // when to look for idle channels again
}

type paced struct {
	limiter *rate.Limiter
	until   time.Time // Discord's Retry-After
	deleted string    // the message last known to be deleted
	talk
}

// of returns the pace of a channel. The caller holds the lock.
func (p *paces) of(channel string) *paced {
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
	c := &paced{limiter: rate.NewLimiter(rate.Every(pace), burst)}
	p.channels[channel] = c
	return c
}

// wait returns how long to wait before one more write.
func (p *paces) wait(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return max(p.of(channel).limiter.ReserveN(now, 1).DelayFrom(now), p.pauseAt(channel, now))
}

// errPaced has the outbox redraw a board once the channel takes a write.
var errPaced = errors.New("the channel has been written to enough for now")

// take reports whether a channel takes one more write now, and counts it.
func (p *paces) take(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.pauseAt(channel, now) == 0 && p.of(channel).limiter.AllowN(now, 1)
}

// pauseLeft returns what is left of Discord's Retry-After; 0: nothing.
func (p *paces) pauseLeft(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pauseAt(channel, time.Now())
}

// pauseAt returns the same at a given time. The caller holds the lock.
func (p *paces) pauseAt(channel string, now time.Time) time.Duration {
	until := p.of(channel).until.Sub(now)
	if all := p.channels[everywhere]; all != nil {
		until = max(until, all.until.Sub(now))
	}
	return max(until, 0)
}

// writesLeft returns how many writes a channel takes at once now.
func (p *paces) writesLeft(channel string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.pauseAt(channel, now) > 0 {
		return 0
	}
	return max(int(p.of(channel).limiter.TokensAt(now)), 0)
}

// pauseFor obeys a Retry-After. A shorter one does not replace a longer one: it is older or of another route.
func (p *paces) pauseFor(channel string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, until := p.of(channel), time.Now().Add(d); until.After(c.until) {
		c.until = until
	}
}

// noteDeleted records that a message was deleted.
func (p *paces) noteDeleted(channel, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(channel).deleted = message
}

// lastDeleted returns the message last known to be deleted in a channel, or "".
func (p *paces) lastDeleted(channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(channel).deleted
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
	b.Of, b.Limit, b.Left = "channel", int(time.Minute/pace), d.paces.writesLeft(channel)
	return b
}

// Counting the messages below a board. Each interaction names the newest message of its channel; if that is newer
// than the board, Discord is asked for the messages below it, at most once a minute.

// talk is the last messages of a channel as far as they are known, in memory only.
type talk struct {
	newest string    // from interactions
	asked  time.Time // when Discord was last asked
	board  string    // the board that was asked about,
	then   string    // the newest message then,
	below  int       // and the number below it
}

const (
	// between is the least time between two requests about a channel.
	between = time.Minute
	// maxMessages is the most messages in an answer.
	maxMessages = 100
)

// learn stores the newest message of an interaction's channel, if the bot may read messages.
func (p *paces) learn(in interaction) {
	may, err := strconv.ParseUint(in.Permissions, 10, 64)
	if !snowflake(in.Channel.Newest) ||
		err == nil && may&(discordgo.PermissionAdministrator|discordgo.PermissionReadMessageHistory) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.of(in.ChannelID); newer(in.Channel.Newest, known.newest) {
		known.newest = in.Channel.Newest
	}
}

// newer reports whether a message was posted after another or there is no other.
func newer(message, than string) bool {
	return len(message) > len(than) || len(message) == len(than) && message > than
}

// Since counts the messages below a board.
func (d *Discord) Since(ctx context.Context, _ chat.Place, ref chat.Ref, limit int) (int, error) {
	channel, board, err := parseRef(ref)
	if err != nil {
		return 0, err
	}
	d.paces.mu.Lock()
	known, below := d.paces.of(channel), 0
	behind := newer(known.newest, board)
	if behind && known.board == board {
		below = known.below
	}
	ask := behind && (known.board != board || known.then != known.newest) && time.Since(known.asked) >= between
	if ask {
		known.talk = talk{known.newest, time.Now(), board, known.newest, below}
	}
	d.paces.mu.Unlock()
	if !ask {
		return min(below, limit), nil
	}
	at := fmt.Sprintf("%s?after=%s&limit=%d", discordgo.EndpointChannelMessages(channel), board,
		min(limit, maxMessages))
	var messages []struct{}
	if err := d.read(ctx, channel, at, &messages); err != nil {
		return 0, err
	}
	d.paces.mu.Lock()
	defer d.paces.mu.Unlock()
	if known := d.paces.of(channel); known.board == board {
		known.below = len(messages)
	}
	return min(len(messages), limit), nil
}

// read reads messages of a channel, none where the bot may not.
func (d *Discord) read(ctx context.Context, channel, at string, messages any) error {
	err := d.rest.call(ctx, true, http.MethodGet, at, nil, messages)
	if refused, ok := refusalOf(err); ok && (refused.Status == http.StatusForbidden ||
		refused.Status == http.StatusNotFound) {
		return nil
	}
	return d.translate(channel, http.MethodGet, err)
}
