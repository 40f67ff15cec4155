package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"knobel/bot"
)

// old is when a message is posted anew rather than edited: Discord limits the
// edits of messages older than an hour.
const old = 55 * time.Minute

// aged says whether a message is too old to be edited.
func aged(message string) bool { return time.Since(posted(message)) > old }

// Discord takes about five posts and five edits in five seconds in a channel,
// and tells the true numbers only by its answers.
const (
	pace  = time.Second
	burst = 4
)

// manyChannels is when the paces of channels at rest are forgotten.
const manyChannels = 4096

// paces are the paces of channels.
type paces struct {
	mu       sync.Mutex
	channels map[string]*paced
}

type paced struct {
	limiter *rate.Limiter
	until   time.Time // Discord has asked to wait until then
}

func (p *paces) of(channel string) *paced {
	if c := p.channels[channel]; c != nil {
		return c
	}
	now := time.Now()
	if len(p.channels) >= manyChannels {
		for id, c := range p.channels {
			if c.limiter.TokensAt(now) >= burst && now.After(c.until) {
				delete(p.channels, id)
			}
		}
	}
	c := &paced{limiter: rate.NewLimiter(rate.Every(pace), burst)}
	p.channels[channel] = c
	return c
}

// wait is how long a channel is to be left alone before one more write.
func (p *paces) wait(channel string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, now := p.of(channel), time.Now()
	return max(c.limiter.ReserveN(now, 1).DelayFrom(now), c.until.Sub(now))
}

// rest obeys Discord's wish to wait.
func (p *paces) rest(channel string, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of(channel).until = time.Now().Add(d)
}

// Ready waits until the channel takes one more message or edit.
func (d *Discord) Ready(ctx context.Context, place bot.Place) error {
	channel, err := parsePlace(place)
	if err != nil {
		return err
	}
	select {
	case <-time.After(d.paces.wait(channel)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sent is what Discord says of a message.
type sent struct {
	ID        string `json:"id"`
	ChannelID string `json:"channel_id"`
}

// Post draws a board as a new message. Posting the same again within minutes,
// because the answer was lost, makes no second one.
func (d *Discord) Post(ctx context.Context, place bot.Place, m bot.Message) (bot.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	b := layout(m, 0)
	raw, err := json.Marshal(b)
	if err != nil {
		return "", fmt.Errorf("discord: %w", err)
	}
	sum := sha256.Sum256(append(raw, channel...))
	b.Nonce, b.Enforce = hex.EncodeToString(sum[:12]), true
	var message sent
	err = d.rest.call(ctx, true, http.MethodPost, discordgo.EndpointChannelMessages(channel), b, &message)
	if err != nil {
		return "", d.judge(channel, err)
	}
	if !snowflake(message.ID) {
		return "", errors.New("discord: a posted message without an id")
	}
	return refID(channel, message.ID), nil
}

// Edit draws a board over an earlier message.
func (d *Discord) Edit(ctx context.Context, _ bot.Place, ref bot.Ref, m bot.Message) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	if aged(message) {
		return bot.ErrGone
	}
	err = d.rest.call(ctx, true, http.MethodPatch, discordgo.EndpointChannelMessage(channel, message), layout(m, 0), nil)
	return d.judge(channel, err)
}

// Retire deletes an earlier board.
func (d *Discord) Retire(ctx context.Context, _ bot.Place, ref bot.Ref) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	err = d.rest.call(ctx, true, http.MethodDelete, discordgo.EndpointChannelMessage(channel, message), nil, nil)
	return d.judge(channel, err)
}

// Discord's own codes that the bot acts on.
const (
	codeUnknownMessage = 10008
	codeOldEdits       = 30046
	codeNotAuthor      = 50005
)

// judge says what a refusal means to the bot.
func (d *Discord) judge(channel string, err error) error {
	refused, ok := refusalOf(err)
	switch {
	case !ok:
		return err
	case refused.Code == codeUnknownMessage, refused.Code == codeOldEdits, refused.Code == codeNotAuthor:
		return fmt.Errorf("%w: %w", bot.ErrGone, err)
	case refused.Status == http.StatusTooManyRequests:
		d.paces.rest(channel, refused.after())
		return fmt.Errorf("%w: %w", bot.Later{After: refused.after()}, err)
	case refused.Status == http.StatusForbidden, refused.Status == http.StatusNotFound:
		return fmt.Errorf("%w: %w", bot.ErrAway, err)
	}
	return err
}
