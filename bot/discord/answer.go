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

// Answers to interactions (commands and button presses): each gets exactly one in time, a board, a page or a sentence.

// Answers that need no translation: a confirmation and a failure.
const (
	done    = "✓"
	trouble = "⚠️"
)

// serve handles interaction in, which is a command, a button press or a completion, and answers it exactly once, even
// after a panic. If that takes long, it defers the answer first (putOff), so that Discord keeps waiting.
func (d *Discord) serve(ctx context.Context, core chat.Core, in interaction) {
	c := &conversation{Discord: d, in: in, turn: make(chan struct{}, 1)}
	d.clock.ahead.Store(int64(time.Until(posted(in.ID))))
	d.paces.learn(in)
	if in.Type == discordgo.InteractionApplicationCommandAutocomplete {
		if err := c.say(ctx, sayChoices, map[string]any{"choices": c.choices(ctx, core)}, nil); err != nil {
			c.log.Debug("answer autocomplete failed", "error", err)
		}
		return
	}
	watch := time.AfterFunc(time.Until(in.at.Add(d.times.putOff)), func() { c.putOff(ctx) })
	defer func() {
		if c.firstAnswer(); d.options.Answered != nil { // firstAnswer waits for a pending answer
			d.options.Answered(time.Since(in.at))
		}
	}()
	defer watch.Stop()
	defer chat.LogPanic(c.log, func() { c.sayPrivately(ctx, toast(trouble)) }, "discord handler panicked")
	ev := in.event()
	if in.Type == discordgo.InteractionApplicationCommand && in.data.Type > 1 {
		in.chosen(&ev, core.Commands())
	}
	switch _, can := opens[in.Channel.Type]; {
	case in.GuildID == "":
		ev.NoThread = games.Say("bot.thread.alone", nil)
	case slices.Contains(threads, in.Channel.Type):
		ev.NoThread = games.Say("bot.thread.inside", nil)
	case !can:
		ev.NoThread = games.Say("bot.thread.nowhere", nil)
	default:
		ev.Thread, ev.Threads = c.openThread, true
	}
	r := core.Handle(ctx, ev)
	draw := func(ctx context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		return c.board(ctx, r, m, ref)
	}
	var err error
	switch {
	case r.Board != 0:
		err = core.Draw(ctx, r.Board, r.Fresh, draw)
	case r.Puzzle != 0:
		err = core.DrawPuzzle(ctx, r.Puzzle, draw)
	}
	if err != nil && !errors.Is(err, errPaced) {
		c.log.Warn("board redraw failed", "error", err)
	}
	c.tellPrivate(ctx, r)
	if c.firstAnswer() == sayNothing { // Discord has accepted no part of the reply
		c.acknowledge(ctx)
	}
}

// tellPrivate sends the texts of reply r beside its board: the page, the private answer, the toast and the line for
// all. Only its first call for an interaction sends them. A toast is left out if a board was the answer, unless it is a
// refusal.
func (c *conversation) tellPrivate(ctx context.Context, r chat.Reply) {
	if c.told {
		return
	}
	c.told = true
	if p := r.Private; p != nil && (p.Picture != nil && len(p.Picture.PNG) > quickPicture ||
		p.File != nil && len(p.File.Bytes) > quickPicture) {
		c.putOff(ctx)
	}
	kind := c.firstAnswer()
	open := kind == sayNothing || kind == sayThinking && !c.thought
	pressed := c.in.Type == discordgo.InteractionMessageComponent && c.in.Message != nil
	private := pressed && c.in.Message.Flags&discordgo.MessageFlagsEphemeral != 0
	if r.All != "" && r.Private == nil && !r.Refused {
		c.sayPublicly(ctx, kind, []body{toast(r.All)}) // the person sees the public line, too
		return
	}
	if r.All != "" {
		defer c.sayPublicly(ctx, sayMessage, []body{toast(r.All)})
	}
	switch {
	case r.Slip:
		if open {
			c.acknowledge(ctx)
		}
	case r.Page != nil && pressed && c.drawOver(ctx, *r.Page):
		if r.Refused {
			c.sayPrivately(ctx, pointing(r))
		}
		if r.Private != nil && r.Public && private { // the page is private, but r.Private is for all
			c.sayPublicly(ctx, c.firstAnswer(), c.emoji.shown.Load().messages(*r.Private))
		}
	case r.Private != nil && r.Public && r.Instead && pressed && !private && c.drawOver(ctx, *r.Private):
		if r.Refused {
			c.sayPrivately(ctx, pointing(r))
		}
	case r.Private != nil && r.Public:
		c.sayPublicly(ctx, kind, c.emoji.shown.Load().messages(*r.Private))
	case r.Private != nil && private && len(r.Private.Buttons)+len(r.Private.Choices) > 0 &&
		c.drawOver(ctx, *r.Private): // a page without buttons would leave no way back
	case r.Private != nil:
		c.sayPrivately(ctx, c.emoji.shown.Load().messages(*r.Private)...)
	case r.Toast != "" && (r.Refused || open || r.Board == 0):
		c.sayPrivately(ctx, pointing(r))
	case open:
		c.acknowledge(ctx)
	}
}

// acknowledge ends Discord's wait for an answer: silently for a button press, by a private ✓ for a command, which needs
// a text.
func (c *conversation) acknowledge(ctx context.Context) {
	if c.in.Type != discordgo.InteractionMessageComponent {
		c.sayPrivately(ctx, toast(done))
		return
	}
	_ = c.say(ctx, sayLater, nil, nil)
}

// board draws m for reply r and returns the message that holds it. If possible the board is the answer: a new message,
// or an edit of the pressed one. Otherwise it sends the private answer, then edits the message ref or posts a new one.
// It returns errPaced if the channel's rate limit leaves no room for that edit.
func (c *conversation) board(ctx context.Context, r chat.Reply, m chat.Message, ref chat.Ref) (chat.Ref, error) {
	place := placeID(c.in.GuildID, c.in.ChannelID)
	command := c.in.Type == discordgo.InteractionApplicationCommand
	pressed := c.in.Type == discordgo.InteractionMessageComponent && c.in.Message != nil &&
		ref == refID(c.in.ChannelID, c.in.Message.ID)
	aged := pressed && c.clock.age(c.in.Message.ID) > old
	switch {
	case r.Refused && !command: // the refusal is the answer; the board is drawn separately
	case r.Fresh || aged || ref == "" && command:
		return c.postBoard(ctx, r, m) // an answer may be posted in any channel
	case pressed:
		if err := c.update(ctx, c.emoji.shown.Load().drawn(m, 0)); err == nil {
			return ref, nil
		}
	}
	c.tellPrivate(ctx, r)
	if ref != "" && !r.Fresh {
		if !c.paces.take(c.in.ChannelID) {
			return ref, errPaced
		}
		err := c.Edit(ctx, place, ref, m)
		if !errors.Is(err, chat.ErrGone) {
			return ref, err
		}
	}
	return c.Post(ctx, place, m)
}

// update edits the message with the pressed button to show b: as the first answer, or after a deferred answer.
func (c *conversation) update(ctx context.Context, b body) error {
	err := c.say(ctx, sayUpdate, b, nil)
	if errors.Is(err, errAnswered) && c.firstAnswer() == sayLater {
		err = c.webhook(ctx, http.MethodPatch, b, nil)
	}
	return err
}

// postBoard answers with board m as a new public message and returns its reference. An answer needs no permission to
// write in the channel. If it fails, the private answer is sent, and the board is posted like any other.
func (c *conversation) postBoard(ctx context.Context, r chat.Reply, m chat.Message) (chat.Ref, error) {
	var made struct{ Resource struct{ Message sent } }
	message := sent{}
	err := c.say(ctx, sayMessage, c.emoji.shown.Load().drawn(m, 0), &made)
	switch {
	case errors.Is(err, errAnswered) && (c.firstAnswer() == sayThinking || c.firstAnswer() == sayLater):
		if c.firstAnswer() == sayThinking {
			c.sayPrivately(ctx, toast(cmp.Or(r.Toast, done)))
		}
		err = c.webhook(ctx, http.MethodPost, c.emoji.shown.Load().drawn(m, 0), &message)
	case err == nil, errors.Is(err, errUncertain):
		if message = made.Resource.Message; message.ID == "" {
			err = c.webhook(ctx, http.MethodGet, nil, &message)
		}
	}
	if err != nil || !snowflake(message.ID) {
		c.log.Warn("answer with board failed", "error", err)
		c.tellPrivate(ctx, r)
		return c.Post(ctx, placeID(c.in.GuildID, c.in.ChannelID), m)
	}
	return refID(c.in.ChannelID, message.ID), nil
}

// drawOver replaces the content of the pressed message by m. It returns false if that failed or m needs several
// messages.
func (c *conversation) drawOver(ctx context.Context, m chat.Message) bool {
	all := c.emoji.shown.Load().messages(m)
	if len(all) > 1 {
		return false
	}
	page := all[0]
	page.Flags &^= discordgo.MessageFlagsEphemeral // a message stays public or private
	if page.Attachments == nil {
		page.Attachments = []attachment{} // removes the old picture
	}
	err := c.update(ctx, page)
	return err == nil || errors.Is(err, errUncertain)
}

// sayPrivately sends bodies one after the other, as the first answer or after it, and stops at a failure, which it
// logs. A body is private if it has the ephemeral flag, as toast and messages set it.
func (c *conversation) sayPrivately(ctx context.Context, bodies ...body) {
	for _, b := range bodies {
		err := c.say(ctx, sayMessage, b, nil)
		if errors.Is(err, errAnswered) && c.firstAnswer() == tooLate {
			return
		}
		if errors.Is(err, errAnswered) {
			if c.firstAnswer() == sayThinking && !c.thought {
				c.thought = true
				b.Flags &^= discordgo.MessageFlagsEphemeral // the deferred answer is private already
				err = c.webhook(ctx, http.MethodPatch, b, nil)
			} else {
				err = c.webhook(ctx, http.MethodPost, b, nil)
			}
		}
		if err != nil {
			c.log.Warn("answer interaction failed", "error", err)
			return
		}
	}
}

// sayPublicly sends bodies as messages that all in the channel see. kind is that of the first answer: a "thinking"
// state is private, so a private ✓ ends it before.
func (c *conversation) sayPublicly(ctx context.Context, kind int, bodies []body) {
	if kind == sayThinking && !c.thought {
		c.sayPrivately(ctx, toast(done))
	}
	for i := range bodies {
		bodies[i].Flags &^= discordgo.MessageFlagsEphemeral
	}
	c.sayPrivately(ctx, bodies...)
}

// choices returns the completions for the option that the person is typing; none after a panic.
func (c *conversation) choices(ctx context.Context, core chat.Core) (choices []choice) {
	defer chat.LogPanic(c.log, func() { choices = []choice{} }, "completion handler panicked")
	choices = []choice{}
	said := newLocales(core.Languages())
	lang, _, _ := strings.Cut(c.in.Locale, "-")
	for ours, theirs := range said {
		if slices.Contains(theirs, c.in.Locale) {
			lang = ours
		}
	}
	row, options := c.in.data.row()
	for _, o := range options {
		if !o.Focused {
			continue
		}
		ev := c.in.event()
		ev.Row = row
		ev.Command, ev.Press, ev.Options = c.in.data.Name, "", map[string]string{}
		for _, other := range options {
			if !other.Focused {
				ev.Options[other.Name] = other.text()
			}
		}
		for _, offered := range core.Complete(ctx, ev, o.Name, o.text()) {
			if plain.Wide(offered.Value, width) > maxAbout || offered.Value == "" || len(choices) == maxChoices {
				continue
			}
			choices = append(choices, said.choice(offered, lang))
		}
	}
	return choices
}
