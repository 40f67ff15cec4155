package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Boards and calls in channels: posting, editing and deleting them.

// Ready waits until the channel takes one more write. A channel has one table, so the need makes no difference: first
// come, first served.
func (d *Discord) Ready(ctx context.Context, place chat.Place, _ chat.Need) error {
	channel, err := parsePlace(place)
	if err != nil {
		return err
	}
	defer d.tally.Wait(channel)()
	// a Retry-After that arrives meanwhile counts, too
	for wait := d.paces.wait(channel); wait > 0; wait = d.paces.pauseLeft(channel) {
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// sent is Discord's description of a message.
type sent struct {
	ID    string                 `json:"id"`
	Flags discordgo.MessageFlags `json:"flags"`
}

// Post draws a board as a new message. Posting the same again within minutes, after a lost answer, makes no second
// one unless the first was deleted.
func (d *Discord) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	if m.Unnoted {
		there, err := d.posted(ctx, channel, m.Table, m.Below)
		if err != nil {
			return "", err
		}
		if there != "" { // another bot's message was deleted
			if err := d.Edit(ctx, place, there, m); !errors.Is(err, chat.ErrGone) {
				return there, err
			}
		}
	}
	return d.post(ctx, channel, d.emoji.shown.Load().drawn(m, 0))
}

// posted searches the last fifty messages of a channel for a table's board, after the message below or, if that is "",
// among all.
func (d *Discord) posted(ctx context.Context, channel string, table int64, below chat.Ref) (chat.Ref, error) {
	board := ""
	if _, message, err := parseRef(below); err == nil {
		board = message
	}
	var last []struct {
		sent
		Components []pressable `json:"components"`
	}
	at := discordgo.EndpointChannelMessages(channel) + "?limit=50"
	if err := d.read(ctx, channel, at, &last); err != nil {
		return "", err
	}
	for _, m := range last {
		if snowflake(m.ID) && newer(m.ID, board) && slices.ContainsFunc(m.Components, func(c pressable) bool {
			return c.isOf(table)
		}) {
			return refID(channel, m.ID), nil
		}
	}
	return "", nil
}

// pressable is a component of a message, of which only the custom id counts.
type pressable struct {
	CustomID   string       `json:"custom_id"`
	Components []pressable  `json:"components"`
	Options    []selectable `json:"options"`
}

// isOf reports whether the component belongs to a table's board.
func (c pressable) isOf(table int64) bool {
	of := func(carries string) bool {
		p, ok := chat.ParsePress(carries)
		_, _, command := p.Command()
		return ok && p.Table == table && !command
	}
	return of(c.CustomID) || slices.ContainsFunc(c.Options, func(s selectable) bool { return of(s.Value) }) ||
		slices.ContainsFunc(c.Components, func(c pressable) bool { return c.isOf(table) })
}

// post posts a board unless this or another replica has posted it already.
func (d *Discord) post(ctx context.Context, channel string, b body) (ref chat.Ref, err error) {
	// Another replica may have posted the same board under the same nonce without knowing which messages were lost.
	// The message may be deleted by now.
	message, gone := "", ""
	for range 3 {
		raw, err := json.Marshal(b.letters()) // emoji may be uploaded between two tries
		if err != nil {
			return "", fmt.Errorf("discord: %w", err)
		}
		sum := sha256.Sum256(fmt.Appendf(raw, "%s/%s", channel, gone))
		once, began := b, time.Now()
		once.Nonce, once.Enforce = hex.EncodeToString(sum[:12]), true
		if message, err = d.send(ctx, channel, once); err != nil {
			return "", err
		}
		if message != d.paces.lastDeleted(channel) {
			if d.clock.age(message) < time.Since(began)+time.Second {
				break // it is new
			}
			err := d.write(ctx, channel, http.MethodPatch, discordgo.EndpointChannelMessage(channel, message),
				b, nil)
			if !errors.Is(err, chat.ErrGone) {
				break
			}
		}
		gone = message
	}
	return refID(channel, message), nil
}

// send posts a message and returns its id.
func (d *Discord) send(ctx context.Context, channel string, b body) (string, error) {
	var message sent
	err := d.write(ctx, channel, http.MethodPost, discordgo.EndpointChannelMessages(channel), b, &message)
	return message.ID, err
}

// Edit redraws a board in its message.
func (d *Discord) Edit(ctx context.Context, _ chat.Place, ref chat.Ref, m chat.Message) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	if d.clock.age(message) > old {
		return chat.ErrGone
	}
	err = d.write(ctx, channel, http.MethodPatch, discordgo.EndpointChannelMessage(channel, message),
		d.emoji.shown.Load().drawn(m, 0), nil)
	if errors.Is(err, chat.ErrGone) {
		d.paces.noteDeleted(channel, message)
	}
	return err
}

// Retire deletes a board or a call.
func (d *Discord) Retire(ctx context.Context, _ chat.Place, ref chat.Ref) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	d.paces.noteDeleted(channel, message)
	return d.write(ctx, channel, http.MethodDelete, discordgo.EndpointChannelMessage(channel, message), nil, nil)
}

// write makes a request about messages of a channel and obeys its rate limits.
func (d *Discord) write(ctx context.Context, channel, method, endpoint string, body, out any) error {
	spent, err := d.rest.do(ctx, true, method, endpoint, body, out)
	if letters, ok := d.emoji.inLetters(body, err); ok {
		spent, err = d.rest.do(ctx, true, method, endpoint, letters, out)
	}
	// A request without an answer may have arrived. Answers to interactions have other limits and do not count.
	switch refused, ok := refusalOf(err); {
	case ok && refused.Status == http.StatusTooManyRequests:
		d.tally.Count(channel, chat.Slowed, time.Now())
	case method == http.MethodPatch:
		d.tally.Count(channel, chat.Edited, time.Now())
	case method == http.MethodPost:
		d.tally.Count(channel, chat.Sent, time.Now())
	}
	if spent > 0 {
		d.paces.pauseFor(channel, spent)
	}
	return d.translate(channel, method, err)
}

// translate returns a refusal as an error of package chat. Answers without a code of Discord's come from a proxy and
// say nothing about the channel. An archived thread refuses edits, but a new post revives it.
func (d *Discord) translate(channel, method string, err error) error {
	refused, ok := refusalOf(err)
	if !ok {
		return err
	}
	archived := refused.Code == discordgo.ErrCodePerformedOperationOnArchivedThread
	switch {
	case archived && method == http.MethodPatch, refused.Code == discordgo.ErrCodeUnknownMessage,
		refused.Code == discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached,
		refused.Code == discordgo.ErrCodeCannotEditFromAnotherUser:
		return fmt.Errorf("%w: %w", chat.ErrGone, err)
	case archived, refused.Code == discordgo.ErrCodeThreadIsLocked:
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	case refused.Status == http.StatusTooManyRequests:
		if refused.Global {
			channel = everywhere
		}
		d.paces.pauseFor(channel, refused.after())
		return fmt.Errorf("%w: %w", chat.Later{After: refused.after()}, err)
	case refused.Code != 0 && (refused.Status == http.StatusForbidden || refused.Status == http.StatusNotFound):
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return err
}

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
	message, err := d.sendCall(ctx, channel, b)
	if refused, ok := refusalOf(err); ok && b.Answers != nil &&
		refused.Code == discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory {
		b.Answers = nil
		message, err = d.sendCall(ctx, channel, b)
	}
	if err != nil {
		return "", err
	}
	d.tally.Count(channel, chat.Called, time.Now())
	return refID(channel, message), nil
}

// sendCall sends a call, up to three times while it may or may not have arrived. Its nonce has
// Discord return the message that was posted before, and a refusal of a later try says nothing about the first.
func (d *Discord) sendCall(ctx context.Context, channel string, b body) (message string, err error) {
	for range 3 {
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
