package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games"
)

// Answers to interactions (commands, presses, completions). Each gets exactly one first answer in time: a board, a
// page, a text, or values for a completion.

// Answers without words: that a request was done, and that it has failed.
const (
	done    = "✓"
	trouble = "⚠️"
)

// serve passes interaction i (a command, a button press or a completion) to the core and answers it exactly once, even
// after a panic. If the core is slow, it first sends a deferral, so that Discord keeps waiting for the answer.
func (d *Discord) serve(ctx context.Context, core chat.Core, i interaction) {
	c := &conversation{Discord: d, in: i, answering: make(chan struct{}, 1)}
	created, _ := discordgo.SnowflakeTimestamp(i.ID) // readInteraction has checked the id
	d.clock.ahead.Store(int64(time.Until(created)))
	d.paces.noteNewest(i)
	if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
		if err := c.say(ctx, sayChoices, map[string]any{"choices": c.completions(ctx, core)}, nil); err != nil {
			c.log.Debug("suggest option values failed", "error", err)
		}
		return
	}
	watch := time.AfterFunc(time.Until(i.at.Add(d.times.deferAfter)), func() { c.deferAnswer(ctx) })
	defer func() {
		if c.firstAnswer(); d.options.Answered != nil { // firstAnswer waits for a pending answer
			d.options.Answered(time.Since(i.at))
		}
	}()
	defer watch.Stop()
	defer chat.LogPanic(c.log, func() { c.sayPrivately(ctx, toast(trouble)) }, "discord handler panicked")
	ev := i.event()
	if i.Type == discordgo.InteractionApplicationCommand && i.data.Type > 1 {
		i.setMenuCommand(&ev, core.Commands())
	}
	traits := d.traits.Load()
	ev.Install = traits.Install
	switch _, can := threadTypes[i.Channel.Type]; {
	case ev.Guest:
		ev.NoThread = games.Say("bot.thread.guest", nil)
	case i.GuildID == "":
		ev.NoThread = games.Say("bot.thread.alone", nil)
	case slices.Contains(threads, i.Channel.Type):
		ev.NoThread = games.Say("bot.thread.inside", nil)
	case !can:
		ev.NoThread = games.Say("bot.thread.nowhere", nil)
	default:
		ev.Thread, ev.Threads = c.openThread, true
	}
	if traits.Launches && (strings.HasSuffix(i.data.CustomID, pressApp) || i.data.Type == entryPoint) {
		c.launch(ctx)
		return
	}
	r := core.Handle(ctx, ev)
	draw := func(ctx context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
		if ev.Perishable {
			return c.drawAsGuest(ctx, r, m, ref)
		}
		ref, err := c.drawAnswer(ctx, r, m, ref)
		return ref, chat.Permit{}, err
	}
	var err error
	table := r.Board
	if table == 0 && ev.Perishable {
		table = c.guestBoard(ev)
	}
	switch {
	case table != 0:
		if err = core.Draw(ctx, table, r.Fresh, draw); errors.Is(err, errUnseen) {
			c.closeUnseen(ctx, core, ev, table)
			err = nil
		}
	case r.Puzzle != 0:
		err = core.DrawPuzzle(ctx, r.Puzzle, draw)
	}
	if err != nil && !errors.Is(err, errPaced) && !errors.Is(err, errElsewhere) {
		c.log.Warn("board redraw failed", "error", err)
	}
	c.sendTexts(ctx, r)
	if c.firstAnswer() == sayNothing { // Discord has accepted no part of the reply
		c.acknowledge(ctx)
	}
}

// sendTexts sends the texts of reply, but not its board: the page, the private answer, the toast and the line for all
// people. A second call for the same interaction does nothing. If the board was the answer to the interaction, a toast
// is only sent if it is a refusal.
func (c *conversation) sendTexts(ctx context.Context, reply chat.Reply) {
	if c.textsSent {
		return
	}
	c.textsSent = true
	if p := reply.Private; p != nil && (p.Picture != nil && len(p.Picture.PNG) > maxQuickFile ||
		p.File != nil && len(p.File.Bytes) > maxQuickFile) {
		c.deferAnswer(ctx)
	}
	kind := c.firstAnswer()
	open := kind == sayNothing || kind == sayThinking && !c.thinkingEnded
	pressed := c.in.Type == discordgo.InteractionMessageComponent && c.in.Message != nil
	private := pressed && c.in.Message.Flags&discordgo.MessageFlagsEphemeral != 0
	if reply.All != "" && reply.Private == nil && !reply.Refused {
		c.sayPublicly(ctx, kind, []body{toast(reply.All)}) // the person sees the public line, too
		return
	}
	if reply.All != "" {
		defer c.sayPublicly(ctx, sayMessage, []body{toast(reply.All)})
	}
	switch {
	case reply.Slip:
		if open {
			c.acknowledge(ctx)
		}
	case reply.Page != nil && pressed && c.replacePressed(ctx, *reply.Page):
		if reply.Refused {
			c.sayPrivately(ctx, linkedToast(reply))
		}
		if reply.Private != nil && reply.Public && private { // the pressed page is private, but this answer is not
			c.sayPublicly(ctx, c.firstAnswer(), c.emoji.shown.Load().privateMessages(*reply.Private))
		}
	case reply.Private != nil && reply.Public && reply.Instead && pressed && !private &&
		c.replacePressed(ctx, *reply.Private):
		if reply.Refused {
			c.sayPrivately(ctx, linkedToast(reply))
		}
	case reply.Private != nil && reply.Public:
		c.sayPublicly(ctx, kind, c.emoji.shown.Load().privateMessages(*reply.Private))
	case reply.Private != nil && private && len(reply.Private.Buttons)+len(reply.Private.Choices) > 0 &&
		c.replacePressed(ctx, *reply.Private): // a page without buttons would leave no way back
	case reply.Private != nil:
		c.sayPrivately(ctx, c.emoji.shown.Load().privateMessages(*reply.Private)...)
	case reply.Toast != "" && (reply.Refused || open || reply.Board == 0):
		c.sayPrivately(ctx, linkedToast(reply))
	case open:
		c.acknowledge(ctx)
	}
}

// acknowledge answers an interaction that needs no text: silently after a press, with a private ✓ after a command.
func (c *conversation) acknowledge(ctx context.Context) {
	if c.in.Type != discordgo.InteractionMessageComponent {
		c.sayPrivately(ctx, toast(done))
		return
	}
	_ = c.say(ctx, sayLater, nil, nil)
}

// drawAnswer draws board m for reply and returns the message that shows it. If possible the board is the first answer:
// a new message, or an edit of the message with the pressed button. Otherwise it sends the texts of reply, then edits
// the message ref or posts a new one. If the channel's rate limit does not allow that edit now, it returns errPaced.
func (c *conversation) drawAnswer(ctx context.Context, reply chat.Reply, m chat.Message,
	ref chat.Ref) (chat.Ref, error) {
	place := placeID(c.in.GuildID, c.in.ChannelID)
	command := c.in.Type == discordgo.InteractionApplicationCommand
	pressed := c.in.Type == discordgo.InteractionMessageComponent && c.in.Message != nil &&
		ref == refID(c.in.ChannelID, c.in.Message.ID)
	tooOld := pressed && c.clock.age(c.in.Message.ID) > maxEditAge
	switch {
	case reply.Refused && !command: // the refusal is the answer; the board is drawn separately
	case reply.Fresh || tooOld || ref == "" && command:
		ref, _, err := c.postBoard(ctx, reply, m) // an answer needs no permission in the channel
		return ref, err
	case pressed:
		if err := c.editPressed(ctx, c.emoji.shown.Load().draw(m, 0)); err == nil {
			return ref, nil
		}
	}
	c.sendTexts(ctx, reply)
	if ref != "" && !reply.Fresh {
		if !c.paces.tryTake(c.in.ChannelID) {
			return ref, errPaced
		}
		err := c.Edit(ctx, place, ref, m)
		if !errors.Is(err, chat.ErrGone) {
			return ref, err
		}
	}
	return c.Post(ctx, place, m)
}

// editPressed makes the message with the pressed button show b: as the first answer, or as an edit after a deferral.
func (c *conversation) editPressed(ctx context.Context, b body) error {
	err := c.say(ctx, sayUpdate, b, nil)
	if errors.Is(err, errAnswered) && c.firstAnswer() == sayLater {
		err = c.webhook(ctx, http.MethodPatch, b, nil)
	}
	return err
}

// postBoard answers with board m as a new public message and returns its reference and what permits to edit it, if the
// bot is a guest. An answer needs no permission to write in the channel. If the answer fails, postBoard sends the texts
// of reply and, unless the bot is a guest, posts the board as an ordinary message.
func (c *conversation) postBoard(ctx context.Context, reply chat.Reply, m chat.Message) (chat.Ref, chat.Permit,
	error) {
	var made struct{ Resource struct{ Message sent } }
	message, permit := sent{}, chat.Permit{}
	err := c.say(ctx, sayMessage, c.emoji.shown.Load().draw(m, 0), &made)
	later := false
	switch {
	case errors.Is(err, errAnswered) && (c.firstAnswer() == sayThinking || c.firstAnswer() == sayLater):
		if c.firstAnswer() == sayThinking {
			c.sayPrivately(ctx, toast(cmp.Or(reply.Toast, done)))
		}
		later = true
		c.followUps++
		err = c.webhook(ctx, http.MethodPost, c.emoji.shown.Load().draw(m, 0), &message)
	case err == nil, errors.Is(err, errUncertain):
		if message = made.Resource.Message; message.ID == "" {
			err = c.webhook(ctx, http.MethodGet, nil, &message)
		}
	}
	if c.in.guest {
		if permit = c.permit(original); later {
			permit = c.permit(message.ID)
		}
		c.board, c.permitted = refID(c.in.ChannelID, message.ID), permit
		return c.board, permit, checkPosted(message, err)
	}
	if err != nil || !isSnowflake(message.ID) {
		c.log.Warn("answer with board failed; posting it as a message", "error", err)
		c.sendTexts(ctx, reply)
		ref, err := c.Post(ctx, placeID(c.in.GuildID, c.in.ChannelID), m)
		return ref, permit, err
	}
	return refID(c.in.ChannelID, message.ID), permit, nil
}

// replacePressed makes the message with the pressed button show m; false: it failed, or m needs several messages.
func (c *conversation) replacePressed(ctx context.Context, m chat.Message) bool {
	all := c.emoji.shown.Load().privateMessages(m)
	if len(all) > 1 {
		return false
	}
	page := all[0]
	page.Flags &^= discordgo.MessageFlagsEphemeral // a message stays public or private
	if page.Attachments == nil {
		page.Attachments = []attachment{} // removes the old picture
	}
	err := c.editPressed(ctx, page)
	return err == nil || errors.Is(err, errUncertain)
}

// sayPrivately sends bodies as messages, one after another; the first may be the first answer. It logs a failure and
// then stops. A body is only private with the ephemeral flag, which toast and privateMessages set.
func (c *conversation) sayPrivately(ctx context.Context, bodies ...body) {
	for _, b := range bodies {
		if c.in.guest && c.followUps >= maxFollowUps {
			return
		}
		err := c.say(ctx, sayMessage, b, nil)
		if errors.Is(err, errAnswered) && c.firstAnswer() == tooLate {
			return
		}
		if errors.Is(err, errAnswered) {
			if c.firstAnswer() == sayThinking && !c.thinkingEnded {
				c.thinkingEnded = true
				b.Flags &^= discordgo.MessageFlagsEphemeral // the deferred answer is private already
				err = c.webhook(ctx, http.MethodPatch, b, nil)
			} else {
				c.followUps++
				err = c.webhook(ctx, http.MethodPost, b, nil)
			}
		}
		if err != nil {
			c.log.Warn("send answer message failed", "error", err)
			return
		}
	}
}

// sayPublicly sends bodies as messages for all people in the channel. kind is the kind of the first answer: if it was a
// private "thinking" state, a private ✓ replaces that state first.
func (c *conversation) sayPublicly(ctx context.Context, kind int, bodies []body) {
	if kind == sayThinking && !c.thinkingEnded {
		c.sayPrivately(ctx, toast(done))
	}
	for i := range bodies {
		bodies[i].Flags &^= discordgo.MessageFlagsEphemeral
	}
	c.sayPrivately(ctx, bodies...)
}

// completions returns the values to suggest for the option that the person types; none after a panic.
func (c *conversation) completions(ctx context.Context, core chat.Core) (choices []choice) {
	defer chat.LogPanic(c.log, func() { choices = []choice{} }, "completion handler panicked")
	choices = []choice{}
	said := newLocales(core.Languages())
	lang, _, _ := strings.Cut(c.in.Locale, "-")
	for ours, theirs := range said {
		if slices.Contains(theirs, c.in.Locale) {
			lang = ours
		}
	}
	for _, o := range c.in.data.Options {
		if !o.Focused {
			continue
		}
		ev := c.in.event()
		ev.Row = c.in.data.Row
		ev.Command, ev.Press, ev.Options = c.in.data.Name, "", map[string]string{}
		for _, other := range c.in.data.Options {
			if !other.Focused {
				ev.Options[other.Name] = other.text()
			}
		}
		for _, offered := range core.Complete(ctx, ev, o.Name, o.text()) {
			if plain.Wide(offered.Value, utf16Width) > maxAbout || offered.Value == "" || len(choices) == maxChoices {
				continue
			}
			choices = append(choices, said.choice(offered, lang))
		}
	}
	return choices
}
