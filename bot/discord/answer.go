package discord

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot"
)

// Discord waits three seconds for the first answer to an interaction, and then
// fifteen minutes for what follows it.
const (
	answerWithin = 2700 * time.Millisecond
	deferAfter   = 1800 * time.Millisecond
)

// The kinds of answers.
const (
	sayMessage  = 4
	sayThinking = 5
	sayLater    = 6
	sayUpdate   = 7
	sayChoices  = 8
)

// callback is the first answer to an interaction.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// conversation is one interaction on its way to its one answer.
type conversation struct {
	*Discord
	in       interaction
	answered bool // an answer was sent, or tried
	deferred bool // it was "later", so that everything else follows it
}

// serve handles an interaction and answers it exactly once.
func (d *Discord) serve(ctx context.Context, core core, in interaction) {
	c := &conversation{Discord: d, in: in}
	if in.Type == didComplete {
		c.complete(ctx, core)
		return
	}
	replies := make(chan bot.Reply, 1)
	go func() { replies <- core.Handle(ctx, in.event()) }()
	var reply bot.Reply
	select {
	case reply = <-replies:
	case <-time.After(time.Until(in.at.Add(deferAfter))):
		c.later(ctx)
		reply = <-replies
	}
	c.reply(ctx, core, reply)
}

// reply tells the person what the bot says, and draws the board that it names.
func (c *conversation) reply(ctx context.Context, core core, r bot.Reply) {
	if r.Board != 0 {
		err := core.Draw(ctx, r.Board, r.Fresh, func(ctx context.Context, m bot.Message, ref bot.Ref) (bot.Ref, error) {
			return c.board(ctx, r, m, ref)
		})
		if err != nil {
			c.log.Warn("a board could not be drawn with an answer", "error", err)
		}
		if c.answered && !c.deferred {
			return
		}
	}
	c.told(ctx, r)
}

// told answers with what is for the person alone, or silently.
func (c *conversation) told(ctx context.Context, r bot.Reply) {
	switch {
	case r.Private != nil:
		c.alone(ctx, layout(*r.Private, flagPrivate))
	case r.Toast != "" && (r.Refused || r.Board == 0 || !c.deferred):
		c.alone(ctx, toast(r.Toast))
	case !c.answered && c.in.Type == didPress:
		c.say(ctx, sayLater, nil)
	case !c.answered || c.deferred && c.in.Type == didCommand:
		c.alone(ctx, toast("✓")) // a command has to be answered by something
	}
}

// board answers with a board, or answers otherwise and draws the board where
// it stands.
func (c *conversation) board(ctx context.Context, r bot.Reply, m bot.Message, ref bot.Ref) (bot.Ref, error) {
	place := placeID(c.in.GuildID, c.in.ChannelID)
	on := bot.Ref("")
	if c.in.Type == didPress && c.in.Message != nil {
		on = refID(c.in.ChannelID, c.in.Message.ID)
	}
	fresh := r.Fresh || ref == "" && c.in.Type == didCommand
	switch {
	case c.answered || r.Refused:
	case fresh:
		return c.posted(ctx, m)
	case ref == on && on != "" && !aged(c.in.Message.ID):
		return ref, c.say(ctx, sayUpdate, layout(m, 0))
	}
	if !c.answered {
		c.told(ctx, bot.Reply{Toast: r.Toast, Private: r.Private, Refused: r.Refused})
	}
	if ref != "" && !r.Fresh {
		err := c.Edit(ctx, place, ref, m)
		if !errors.Is(err, bot.ErrGone) {
			return ref, err
		}
	}
	return c.Post(ctx, place, m)
}

// posted answers with a board that everybody sees, and learns which message
// it is. It works where the bot may not write, too.
func (c *conversation) posted(ctx context.Context, m bot.Message) (bot.Ref, error) {
	c.answered = true
	var made struct {
		Resource struct {
			Message sent `json:"message"`
		} `json:"resource"`
	}
	at := discordgo.EndpointInteractionResponse(c.in.ID, c.in.Token) + "?with_response=true"
	if err := c.post(ctx, at, callback{sayMessage, layout(m, 0)}, &made); err != nil {
		return "", c.judge(c.in.ChannelID, err)
	}
	message := made.Resource.Message
	if message.ID == "" {
		if err := c.rest.call(ctx, false, http.MethodGet, c.original(), nil, &message); err != nil {
			return "", c.judge(c.in.ChannelID, err)
		}
	}
	if !snowflake(message.ID) {
		return "", errors.New("discord: an answer without an id")
	}
	return refID(c.in.ChannelID, message.ID), nil
}

// say gives the one answer.
func (c *conversation) say(ctx context.Context, kind int, data any) error {
	c.answered = true
	return c.post(ctx, discordgo.EndpointInteractionResponse(c.in.ID, c.in.Token), callback{kind, data}, nil)
}

// post sends an answer while Discord waits for it, once more where it asks for
// a short wait.
func (c *conversation) post(ctx context.Context, at string, answer callback, out any) error {
	ctx, cancel := context.WithDeadline(ctx, c.in.at.Add(answerWithin))
	defer cancel()
	for {
		err := c.rest.call(ctx, false, http.MethodPost, at, answer, out)
		refused, ok := refusalOf(err)
		if !ok || refused.Status != http.StatusTooManyRequests {
			return err
		}
		select {
		case <-time.After(refused.after()):
		case <-ctx.Done():
			return err
		}
	}
}

// later says that the answer takes longer than Discord waits.
func (c *conversation) later(ctx context.Context) {
	c.deferred = true
	var err error
	if c.in.Type == didCommand {
		err = c.say(ctx, sayThinking, body{Flags: flagPrivate, Mentions: nobody})
	} else {
		err = c.say(ctx, sayLater, nil)
	}
	if err != nil {
		c.log.Warn("an interaction could not be put off", "error", err)
	}
}

// alone tells something to the person alone: as the answer, or behind it.
func (c *conversation) alone(ctx context.Context, b body) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var err error
	switch {
	case !c.answered:
		err = c.say(ctx, sayMessage, b)
	case c.in.Type == didCommand:
		err = c.rest.call(ctx, false, http.MethodPatch, c.original(), b, nil)
	default:
		err = c.rest.call(ctx, false, http.MethodPost, discordgo.EndpointWebhookToken(c.in.ApplicationID, c.in.Token), b, nil)
	}
	if err != nil {
		c.log.Warn("an interaction could not be answered", "error", err)
	}
}

// original is the message that the answer made.
func (c *conversation) original() string {
	return discordgo.EndpointWebhookMessage(c.in.ApplicationID, c.in.Token, "@original")
}

// complete offers values for the option that somebody types into.
func (c *conversation) complete(ctx context.Context, core core) {
	choices := []choice{}
	for _, o := range c.in.data.Options {
		if !o.Focused {
			continue
		}
		ev := c.in.event()
		ev.Command, ev.Press = c.in.data.Name, ""
		for _, offered := range core.Complete(ctx, ev, o.Name, o.text()) {
			choices = append(choices, newChoice(offered, speech(c.in.Locale)))
		}
	}
	if err := c.say(ctx, sayChoices, map[string]any{"choices": choices}); err != nil {
		c.log.Debug("completions came too late", "error", err)
	}
}
