package discord

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// How fast the bot writes: a pace for each channel and one for all of Discord.

// Discord takes about five posts and five edits in five seconds in a channel,
// and tells the true numbers only by its answers.
const (
	pace  = time.Second
	burst = 4
)

// Discord takes fifty requests a second of a bot, in all channels together and
// whatever they are for; only the answers to interactions do not count. These
// stay below in any second, with room for what a slow network has held up.
const (
	overallRate  = 35
	overallBurst = 8
)

// fit shares the pace of the whole bot with other replicas: together they send no more at once, and no more a second,
// than one does.
func (r *rest) fit() {
	n := max(r.part().Replicas, 1)
	burst := max(overallBurst/n, 1)
	limit := rate.Limit(max(overallRate+overallBurst-n*burst, 1)) / rate.Limit(n)
	if r.whole.Limit() != limit {
		r.whole.SetLimit(limit)
		r.whole.SetBurst(burst)
	}
}

// manyChannels is when the paces of channels at rest are forgotten.
const manyChannels = 4096

// everywhere stands in place of a channel for the whole bot.
const everywhere = ""

// paces are the paces of channels.
type paces struct {
	mu       sync.Mutex
	channels map[string]*paced
	many     int // when to look for channels at rest again
}

type paced struct {
	limiter *rate.Limiter
	until   time.Time // Discord has asked to wait until then
	lost    string    // the message that was last found, or made, deleted here
}

// of is the pace of a channel. The caller holds the lock.
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

// wait is how long a channel is to be left alone before one more write.
func (p *paces) wait(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return max(p.of(channel).limiter.ReserveN(now, 1).DelayFrom(now), p.asked(channel, now))
}

// errPaced has the outbox draw a board, once the channel takes it: with all that has changed by then.
var errPaced = errors.New("the channel has been written to enough for now")

// take reports whether a channel takes one more write at once, which then counts.
func (p *paces) take(channel string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	return p.asked(channel, now) == 0 && p.of(channel).limiter.AllowN(now, 1)
}

// rests is how long Discord still wants a channel to be left alone, as it has
// said; 0: it does not.
func (p *paces) rests(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked(channel, time.Now())
}

// asked is rests, at a moment. The caller holds the lock.
func (p *paces) asked(channel string, now time.Time) time.Duration {
	until := p.of(channel).until.Sub(now)
	if all := p.channels[everywhere]; all != nil {
		until = max(until, all.until.Sub(now))
	}
	return max(until, 0)
}

// left is how many writes a channel takes at once now.
func (p *paces) left(channel string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.asked(channel, now) > 0 {
		return 0
	}
	return max(int(p.of(channel).limiter.TokensAt(now)), 0)
}

// rest obeys Discord's wish to wait. One that ends sooner takes back none: it is about
// another kind of request, or was said before.
func (p *paces) rest(channel string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, until := p.of(channel), time.Now().Add(d); until.After(c.until) {
		c.until = until
	}
}

// lose remembers that a message is not there any more.
func (p *paces) lose(channel, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(channel).lost = message
}

// lost is the message that was lost last in a channel, or "".
func (p *paces) lost(channel string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of(channel).lost
}
