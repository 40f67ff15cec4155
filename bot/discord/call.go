package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Calls: posts that mention one person or show offered seats, and their deletion.

// Call posts a message that mentions one person only, as a reply to the board if the bot may read it.
func (d *Discord) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s", s.Once, s.Board))
	b := body{Mentions: nobody, Nonce: hex.EncodeToString(sum[:12]), Enforce: true}
	if m := s.Offer; m != nil {
		b.Content = clip(escape(strings.Join(append([]string{m.Head}, m.Told...), "\n")), maxToast)
		b.Components = (*album)(nil).rows(chat.Message{}, m.Buttons)
	} else { // with Discord's name of the person, not the board's
		id, ok := strings.CutPrefix(string(s.To), name+":")
		if !ok || !snowflake(id) {
			return "", fmt.Errorf("%q is nobody on Discord", s.To)
		}
		b.Content = clip(escape(s.Before)+"<@"+id+">"+escape(s.After), maxToast)
		b.Components = (*album)(nil).rows(chat.Message{}, [][]chat.Button{{s.Off}})
		b.Mentions.Users = []string{id}
	}
	if in, board, err := parseRef(s.Board); err == nil && in == channel {
		b.Answers = &reference{Message: board}
	}
	message, err := d.ring(ctx, channel, b)
	if refused, ok := refusalOf(err); ok && b.Answers != nil &&
		refused.Code == discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory {
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

// ring sends a call until its fate is known: unless it was refused, it may have arrived. A refusal of a later try says
// nothing about the first.
func (d *Discord) ring(ctx context.Context, channel string, b body) (message string, err error) {
	for range callTries {
		message, again := d.send(ctx, channel, b)
		if again == nil {
			return message, nil
		}
		if refused, ok := refusalOf(again); err == nil {
			err = chat.Unheard(again, ok && refused.Status < 500)
		}
		if !errors.Is(err, chat.ErrUnsure) || ctx.Err() != nil {
			break
		}
	}
	return "", err
}
