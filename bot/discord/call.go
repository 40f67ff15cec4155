package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"knobel/bot/chat"
)

// Calls: posts that mention one person or show offered seats, and their deletion.

// codeNoHistory refuses replies where the bot may not read older messages.
const codeNoHistory = 160002

// Call posts a message that mentions one person only, as a reply to the board if the bot may read it.
func (d *Discord) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	b, err := calling(s)
	if err != nil {
		return "", err
	}
	if in, board, err := parseRef(s.Board); err == nil && in == channel {
		b.Answers = &reference{Message: board}
	}
	message, err := d.ring(ctx, channel, b)
	if refused, ok := refusalOf(err); ok && refused.Code == codeNoHistory && b.Answers != nil {
		b.Answers = nil
		message, err = d.ring(ctx, channel, b)
	}
	if err != nil {
		return "", err
	}
	d.tally.Count(channel, chat.Called, time.Now())
	return refID(channel, message), nil
}

// callTries is how often a call of unknown fate is sent. Its nonce has Discord return the message that was posted
// before.
const callTries = 3

// ring sends a call until its fate is known. A refusal of a later try says nothing about the first.
func (d *Discord) ring(ctx context.Context, channel string, b body) (message string, err error) {
	message, err = d.ringOnce(ctx, channel, b)
	for range callTries - 1 {
		if !errors.Is(err, chat.ErrUnsure) || ctx.Err() != nil {
			break
		}
		found, again := d.ringOnce(ctx, channel, b)
		if again == nil {
			return found, nil
		}
	}
	return message, err
}

// ringOnce sends a call once. Unless it was refused, it may have arrived.
func (d *Discord) ringOnce(ctx context.Context, channel string, b body) (message string, err error) {
	message, err = d.send(ctx, channel, b)
	refused, ok := refusalOf(err)
	return message, chat.Unheard(err, ok && refused.Status < 500)
}

// calling returns a call as Discord's body. It shows Discord's name of the person, not the board's.
func calling(s chat.Ping) (body, error) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s", s.Once, s.Board))
	b := body{Mentions: mentions{Parse: []string{}}, Nonce: hex.EncodeToString(sum[:12]), Enforce: true}
	if m := s.Offer; m != nil {
		b.Content = clip(escape(strings.Join(append([]string{m.Head}, m.Told...), "\n")), maxToast)
		b.Components = (*album)(nil).rows(chat.Message{}, m.Buttons)
		return b, nil
	}
	id, ok := strings.CutPrefix(string(s.To), name+":")
	if !ok || !snowflake(id) {
		return body{}, fmt.Errorf("%q is nobody on Discord", s.To)
	}
	text := escape(s.Before) + "<@" + id + ">" + escape(s.After)
	b.Content = clip(text, maxToast)
	b.Components = (*album)(nil).rows(chat.Message{}, [][]chat.Button{{s.Off}})
	b.Mentions.Users = []string{id}
	return b, nil
}
