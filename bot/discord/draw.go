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

// Boards and pings in channels: posting, editing and deleting them.

// Ready blocks until the rate limit of place's channel allows one more write, and counts it. It ignores the urgency: a
// channel has only one table, so writes go in the order of their arrival.
func (d *Discord) Ready(ctx context.Context, place chat.Place, _ chat.Need) error {
	channel, err := parsePlace(place)
	if err != nil {
		return err
	}
	defer d.tally.Wait(channel)()
	// Discord may demand another pause during the wait, which then gets longer.
	for wait := d.paces.wait(channel); wait > 0; wait = d.paces.pauseLeft(channel) {
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// oldEditPause is the pause between edits of a message older than an hour, once Discord has refused one.
const oldEditPause = 10 * time.Minute

// sent is a message that Discord returns.
type sent struct {
	ID         string                 `json:"id"`
	Flags      discordgo.MessageFlags `json:"flags"`
	Components []component            `json:"components"`
}

// Post sends m as a new message in place and returns its reference. If m.Unnoted, it first searches for the newest
// message that shows m below m.Below, by its buttons, and edits that instead. If the same message is posted again
// within minutes, because a response was lost, it returns the earlier one, unless that was deleted.
func (d *Discord) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	if m.Unnoted {
		found, err := d.findMessage(ctx, channel, m.Below, isOf(m))
		if err != nil {
			return "", err
		}
		if found != "" { // if it cannot be edited (deleted, too old, another bot's), a new one is posted
			if err := d.Edit(ctx, place, found, m); !errors.Is(err, chat.ErrGone) {
				return found, err
			}
		}
	}
	return d.post(ctx, channel, m)
}

// isOf returns a function that reports whether a message with these presses shows m: one press belongs to the board of
// m's table or, if m is not a board, all presses of m are there. Commands alone show nothing, because many messages
// have them, unless they have a turn.
func isOf(m chat.Message) func(presses []string) bool {
	return func(presses []string) bool {
		if m.Table != 0 {
			return slices.ContainsFunc(presses, func(press string) bool {
				p, ok := chat.ParsePress(press)
				_, _, command := p.Command()
				return ok && p.Table == m.Table && !command
			})
		}
		own := false
		for _, b := range slices.Concat(m.Buttons...) {
			if b.Press != "" && !slices.Contains(presses, b.Press) {
				return false
			}
			p, ok := chat.ParsePress(b.Press)
			_, text, command := p.Command()
			own = own || ok && (!command || text != "" || p.Turn != 0)
		}
		return own
	}
}

// findMessage returns the newest message whose presses are ours, among the last fifty of channel, "" if there is none.
// Unless below is "", only messages after that message count.
func (d *Discord) findMessage(ctx context.Context, channel string, below chat.Ref, ours func(presses []string) bool) (
	chat.Ref, error) {
	after := ""
	if _, message, err := parseRef(below); err == nil {
		after = message
	}
	var messages []struct {
		sent
		Components []pressable `json:"components"`
	}
	endpoint := discordgo.EndpointChannelMessages(channel) + "?limit=50"
	if err := d.readMessages(ctx, channel, endpoint, &messages); err != nil {
		return "", err
	}
	for _, m := range messages {
		if isSnowflake(m.ID) && isNewer(m.ID, after) && ours(pressable{Components: m.Components}.presses()) {
			return refID(channel, m.ID), nil
		}
	}
	return "", nil
}

// pressable is a component of a message, as far as it is needed to find the presses of buttons and lists in it.
type pressable struct {
	CustomID   string       `json:"custom_id"`
	Components []pressable  `json:"components"`
	Options    []selectable `json:"options"`
}

// presses returns the presses of the component and of those inside it.
func (c pressable) presses() []string {
	all := []string{c.CustomID}
	for _, s := range c.Options {
		all = append(all, s.Value)
	}
	for _, inner := range c.Components {
		all = append(all, inner.presses()...)
	}
	return all
}

// post sends m in channel and returns its reference. If any replica has posted the same board, or a message with the
// same m.Once, shortly before, Discord returns that earlier message, and post edits it to show m.
func (d *Discord) post(ctx context.Context, channel string, m chat.Message) (ref chat.Ref, err error) {
	posted := d.emoji.shown.Load().draw(m, 0)
	if m.Silent && len(m.Call) == 0 {
		posted.Flags |= discordgo.MessageFlagsSuppressNotifications
	}
	m.Call = nil
	b := d.emoji.shown.Load().draw(m, 0)
	// For a nonce (an id) that was used before, Discord returns the earlier message, even another replica's or a
	// deleted one. gone is the message of the last try, which was deleted; it makes the next nonce different.
	gone := ""
	for range 3 {
		same := []byte("once " + m.Once)
		if m.Once == "" {
			// without emoji: more may be uploaded before the next try
			if same, err = json.Marshal(b.withoutEmoji()); err != nil {
				return "", fmt.Errorf("discord: %w", err)
			}
		}
		sum := sha256.Sum256(fmt.Appendf(same, "%s/%s", channel, gone))
		once, began := posted, time.Now()
		once.Nonce, once.Enforce = hex.EncodeToString(sum[:12]), true
		message, err := d.send(ctx, channel, once)
		if err != nil {
			return "", err
		}
		if gone = message.ID; gone != d.paces.lastDeleted(channel) {
			if d.clock.age(gone) < time.Since(began)+time.Second &&
				(m.Once == "" || slices.Equal(wordsOf(message.Components), wordsOf(once.Components))) {
				break // it is new, not an earlier one with the same nonce
			}
			err := d.write(ctx, channel, http.MethodPatch, discordgo.EndpointChannelMessage(channel, gone), b, nil)
			if !errors.Is(err, chat.ErrGone) {
				break
			}
		}
	}
	return refID(channel, gone), nil
}

// wordsOf returns the texts, labels and presses of components.
func wordsOf(components []component) (all []string) {
	for _, c := range components {
		all = append(append(all, c.Content, c.Label, c.CustomID), wordsOf(c.Components)...)
	}
	return all
}

// mention makes b notify people and returns a line that mentions them, none without people of Discord.
func (b *body) mention(people []chat.User) []string {
	var all []string
	for _, user := range people {
		id, ok := strings.CutPrefix(string(user), name+":")
		if ok && isSnowflake(id) && len(all) < maxMentions && !slices.Contains(b.Mentions.Users, id) {
			b.Mentions.Users, all = append(b.Mentions.Users, id), append(all, "<@"+id+">")
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []string{strings.Join(all, " ")}
}

// send posts message b in channel and returns the message.
func (d *Discord) send(ctx context.Context, channel string, b body) (message sent, err error) {
	err = d.write(ctx, channel, http.MethodPost, discordgo.EndpointChannelMessages(channel), b, &message)
	return message, err
}

// Edit redraws m in the message ref. It returns chat.ErrGone if the message is deleted or, for a board, too old for
// edits, and chat.ErrAway if nothing permits to edit a perishable board any more.
func (d *Discord) Edit(ctx context.Context, _ chat.Place, ref chat.Ref, m chat.Message) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	m.Call = nil
	b := d.emoji.shown.Load().draw(m, 0)
	if m.Permit.Expires > 0 {
		return d.editByPermit(ctx, ref, m.Permit, b)
	}
	stays := m.Table == 0 && m.Puzzle == 0 // no other message replaces it: edits of an old one wait
	if stays && b.Attachments == nil {
		b.Attachments = []attachment{} // removes an earlier picture
	}
	if !stays && d.clock.age(message) > maxEditAge {
		return chat.ErrGone
	}
	err = d.write(ctx, channel, http.MethodPatch, discordgo.EndpointChannelMessage(channel, message), b, nil)
	if refused, ok := refusalOf(err); ok && stays &&
		refused.Code == discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached {
		return chat.Later{After: oldEditPause}
	}
	if errors.Is(err, chat.ErrGone) {
		d.paces.noteDeleted(channel, message)
	}
	return err
}

// Retire deletes the message ref, which is a board or a ping.
func (d *Discord) Retire(ctx context.Context, _ chat.Place, ref chat.Ref) error {
	channel, message, err := parseRef(ref)
	if err != nil {
		return err
	}
	d.paces.noteDeleted(channel, message)
	return d.write(ctx, channel, http.MethodDelete, discordgo.EndpointChannelMessage(channel, message), nil, nil)
}

// write makes a request that changes messages in channel, counts it for Budget, and unless out is nil reads the
// response into it. It stores a pause that Discord demands, but does not wait. Refusals become errors of package chat.
func (d *Discord) write(ctx context.Context, channel, method, endpoint string, body, out any) error {
	wait, err := d.rest.do(ctx, true, method, endpoint, body, out)
	if letters, ok := d.emoji.withoutRefusedEmoji(body, err); ok {
		wait, err = d.rest.do(ctx, true, method, endpoint, letters, out)
	}
	// A request without a response is counted, too, since it may have arrived. Answers to interactions are not counted:
	// Discord limits them separately.
	switch refused, ok := refusalOf(err); {
	case ok && refused.Status == http.StatusTooManyRequests:
		d.tally.Count(channel, chat.Slowed, time.Now())
	case method == http.MethodPatch:
		d.tally.Count(channel, chat.Edited, time.Now())
	case method == http.MethodPost:
		d.tally.Count(channel, chat.Sent, time.Now())
	}
	if wait > 0 {
		d.paces.pauseFor(channel, wait)
	}
	return d.translateError(channel, method, err)
}

// translateError converts err, Discord's refusal of a request in channel, to an error of package chat: ErrGone (no such
// message), ErrAway (no such channel) or Later (rate limit; it stores the pause). It returns other errors unchanged,
// such as refusals by a proxy. For an edit in an archived thread it returns ErrGone: a new post reopens the thread.
func (d *Discord) translateError(channel, method string, err error) error {
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
		d.paces.pauseFor(channel, refused.wait())
		return fmt.Errorf("%w: %w", chat.Later{After: refused.wait()}, err)
	case refused.Code != 0 && (refused.Status == http.StatusForbidden || refused.Status == http.StatusNotFound):
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return err
}

// Pings: messages that ask one person to come to their table, or offer seats to all people.

// Call posts ping in place and returns its reference. The ping shows the offered seats, ping.Offer, or if that is
// nil, mentions the person ping.To and no one else. It is a reply to ping.Board if the bot may read that message.
func (d *Discord) Call(ctx context.Context, place chat.Place, ping chat.Ping) (chat.Ref, error) {
	channel, err := parsePlace(place)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s", ping.Once, ping.Board))
	b := body{Mentions: noMentions, Nonce: hex.EncodeToString(sum[:12]), Enforce: true}
	if m := ping.Offer; m != nil {
		b.Content = clip(escape(strings.Join(append([]string{m.Head}, m.Told...), "\n")), maxToast)
		b.Components = (*album)(nil).buttonRows(chat.Message{}, m.Buttons)
	} else { // a mention, which shows the person's name on Discord
		id, ok := strings.CutPrefix(string(ping.To), name+":")
		if !ok || !isSnowflake(id) {
			return "", fmt.Errorf("%q is not a Discord user", ping.To)
		}
		b.Content = clip(escape(ping.Before)+"<@"+id+">"+escape(ping.After), maxToast)
		b.Components = (*album)(nil).buttonRows(chat.Message{}, [][]chat.Button{{ping.Off}})
		b.Mentions.Users = []string{id}
	}
	if boardChannel, board, err := parseRef(ping.Board); err == nil && boardChannel == channel {
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

// sendCall posts ping b and returns its id. If the ping may or may not have arrived, it tries again, three times in
// all. Discord posts only one message for a nonce (an id), and returns the earlier one. The error is that of the first
// try, since a later refusal does not prove that the first try has failed.
func (d *Discord) sendCall(ctx context.Context, channel string, b body) (message string, err error) {
	for range 3 {
		message, tryErr := d.send(ctx, channel, b)
		if tryErr == nil {
			return message.ID, nil
		}
		if refused, ok := refusalOf(tryErr); err == nil {
			err = chat.Unheard(tryErr, ok && refused.Status < 500)
		}
		if !errors.Is(err, chat.ErrUnsure) || ctx.Err() != nil {
			break
		}
	}
	return "", err
}
