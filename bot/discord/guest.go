package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// Places where the bot is no member: servers that have not invited it, and conversations of other people. A person who
// has added it to their account uses it there. It can only write by the token of an interaction, so that boards are
// perishable: each is drawn by its newest token, which ends after a quarter of an hour.

// permitLife is how long the token of an interaction is used. Discord accepts it for half a minute more.
const permitLife = 15*time.Minute - 30*time.Second

// maxFollowUps is the largest number of messages that Discord accepts after the first answer where the bot is a guest.
const maxFollowUps = 5

// original names, in a request with a token, the message of the first answer or, if a press was answered by an edit,
// the message with the pressed button.
const original = "@original"

var (
	// errElsewhere means that the pressed button is not in the newest board of its table.
	errElsewhere = errors.New("the board is another message")
	// errUnseen means that only the author sees the posted board: Discord hides answers to people who may not write.
	errUnseen = errors.New("only the author sees the board")
)

// inGroup is the context of an interaction in a conversation that the bot is not part of.
const inGroup = 2

// isOnPrivate reports whether the pressed button is in a message that only its author sees.
func (i interaction) isOnPrivate() bool {
	return i.Message != nil && i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// guestBoard returns the table that the pressed button names; 0 if the button is in a private message.
func (c *conversation) guestBoard(ev chat.Event) int64 {
	if c.in.Message == nil || c.in.isOnPrivate() {
		return 0
	}
	p, _ := chat.ParsePress(ev.Press)
	return p.Table
}

// permit returns what permits to edit the message with this id, which the interaction's token has written.
func (c *conversation) permit(message string) chat.Permit {
	return chat.Permit{Token: strings.Join([]string{c.in.ApplicationID, c.in.Token, message}, "/"),
		Expires: c.in.at.Add(permitLife).UnixMilli()}
}

// drawAsGuest draws board m where the bot is a guest, and returns the message that shows it and the token for it. A new
// board is posted as the answer. If the pressed button is on a board of the table, the answer edits that message. If
// it is the board ref, or nothing permits to edit that one, it is the table's board from then on, with its token as the
// newest. Otherwise the board's own token edits the board ref.
func (c *conversation) drawAsGuest(ctx context.Context, reply chat.Reply, m chat.Message, ref chat.Ref) (chat.Ref,
	chat.Permit, error) {
	var pressed chat.Ref
	if p, _ := chat.ParsePress(c.in.event().Press); c.in.Message != nil {
		pressed = refID(c.in.ChannelID, c.in.Message.ID)
		if _, _, command := p.Command(); pressed != ref && (c.in.isOnPrivate() || command || p.Table != m.Table) {
			pressed = "" // it is a page
		}
	}
	edited := false
	switch {
	case reply.Board == 0 && pressed == "":
		return ref, chat.Permit{}, errElsewhere
	case reply.Fresh || ref == "" && pressed == "":
		return c.postBoard(ctx, reply, m)
	case pressed != "":
		edited = c.editPressed(ctx, c.emoji.shown.Load().draw(m, 0)) == nil
	}
	if edited && (pressed == ref || ref == "") {
		return pressed, c.permit(original), nil
	}
	c.sendTexts(ctx, reply)
	err := c.Edit(ctx, placeID(c.in.GuildID, c.in.ChannelID), ref, m)
	if edited && errors.Is(err, chat.ErrAway) {
		return pressed, c.permit(original), nil
	}
	return ref, chat.Permit{}, err
}

// checkPosted returns an error if the board, posted by an answer as message, is missing or hidden from others. err is
// the error of the answer.
func checkPosted(message sent, err error) error {
	switch {
	case err != nil || !isSnowflake(message.ID):
		return cmp.Or(err, errUncertain)
	case message.Flags&discordgo.MessageFlagsEphemeral != 0:
		return errUnseen
	}
	return nil
}

// editByPermit edits a perishable board by the token of its permit. Once Discord does not accept the token any more, it
// returns chat.ErrAway.
func (d *Discord) editByPermit(ctx context.Context, ref chat.Ref, permit chat.Permit, b body) error {
	part := strings.Split(permit.Token, "/")
	if len(part) != 3 || time.Now().UnixMilli() >= permit.Expires {
		return chat.ErrAway
	}
	channel, _, err := parseRef(ref)
	if err != nil {
		return err
	}
	endpoint := discordgo.EndpointWebhookMessage(part[0], part[1], part[2])
	err = d.callByToken(ctx, http.MethodPatch, endpoint, part[1], b, nil)
	refused, ok := refusalOf(err)
	if !ok || refused.Status != http.StatusTooManyRequests {
		d.tally.Count(channel, chat.Edited, time.Now())
	}
	if ok && (refused.Status == http.StatusUnauthorized || refused.Status == http.StatusNotFound) {
		return fmt.Errorf("%w: %w", chat.ErrAway, err)
	}
	return d.translateError(channel, http.MethodPatch, err)
}

// closeUnseen has a table closed whose board only the author sees, and tells them why in place of the board.
func (c *conversation) closeUnseen(ctx context.Context, core chat.Core, ev chat.Event, table int64) {
	ev.ID, ev.Command, ev.On = ev.ID+":unseen", "", ""
	ev.Press = chat.Press{Table: table, What: "!unseen"}.String()
	answer := core.Handle(ctx, ev)
	c.textsSent = true
	said := c.emoji.shown.Load().layout(chat.Message{Head: answer.Toast, Accent: -1}, 0)
	if err := c.editByPermit(ctx, c.board, c.permitted, said); err != nil {
		c.log.Warn("replace unseen board failed", "error", err)
	}
}
