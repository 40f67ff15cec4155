package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"knobel/bot/chat"
)

// The first answer to an interaction, which is due within three seconds, and later messages for the same interaction.

// The kinds of first answers, by Discord's numbers. sayNothing: none was sent. sayThinking (for commands) and sayLater
// (for presses) are deferrals. sayUpdate edits the message with the pressed button. sayChoices suggests values.
// sayActivity opens the activity.
const (
	sayNothing  = 0
	sayMessage  = 4
	sayThinking = 5
	sayLater    = 6
	sayUpdate   = 7
	sayChoices  = 8
	sayActivity = 12
)

// callback is the first answer to an interaction, in Discord's JSON. Type is its kind, such as sayMessage.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// tooLate is stored as the kind of the first answer if Discord no longer accepts an answer to the interaction.
const tooLate = -2

var (
	// errAnswered means that the interaction has a first answer already. Later messages are sent by webhook.
	errAnswered = errors.New("the interaction was already answered")
	// errUncertain means that an answer may or may not have reached Discord.
	errUncertain = errors.New("Discord did not confirm an answer")
)

// conversation is one interaction together with the state of its answer.
type conversation struct {
	*Discord
	in interaction

	textsSent     bool // sendTexts was called
	thinkingEnded bool // the private "thinking" state has ended
	followUps     int  // messages sent after the first answer

	board     chat.Ref    // the board that was posted where the bot is a guest
	permitted chat.Permit // what permits to edit it

	answering chan struct{} // a lock while the first answer is sent; unlike a mutex it lets a fake clock advance
	kind      int           // the kind of the first answer; sayNothing: there is none yet
}

// firstAnswer returns the kind of the first answer, sayNothing if none was sent. It waits if one is being sent.
func (c *conversation) firstAnswer() int {
	c.answering <- struct{}{}
	defer func() { <-c.answering }()
	return c.kind
}

// say sends a first answer of this kind with data, stores the kind, and unless out is nil reads the response into out.
// It returns errAnswered if there is a first answer already, errUncertain if this one may have arrived.
func (c *conversation) say(ctx context.Context, kind int, data, out any) error {
	c.answering <- struct{}{}
	defer func() { <-c.answering }()
	if c.kind != sayNothing {
		return errAnswered
	}
	c.kind = kind
	err := c.respond(ctx, c.in, callback{kind, data}, out)
	if err == nil {
		return nil
	}
	uncertain := errors.Is(err, errUncertain)
	refused, ok := refusalOf(err)
	switch {
	case !ok || refused.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged:
	case refused.Status < 500 && refused.Status != http.StatusTooManyRequests &&
		refused.Status != http.StatusUnauthorized && refused.Code != discordgo.ErrCodeUnknownInteraction:
		c.kind = sayNothing // another answer may be accepted
	case !uncertain:
		c.kind = tooLate
	}
	if !uncertain {
		c.log.Info("discord rejected answer", "kind", kind, "error", err)
	}
	return err
}

// respond sends answer as the first answer to interaction i, and unless out is nil reads the posted message into it. It
// tries again after a short Retry-After, or if the answer may or may not have arrived, as long as Discord waits for
// one. If that stays uncertain, it returns errUncertain.
func (d *Discord) respond(ctx context.Context, i interaction, answer callback, out any) error {
	ctx, cancel := context.WithDeadline(ctx, i.at.Add(d.times.answer))
	defer cancel()
	endpoint := discordgo.EndpointInteractionResponse(i.ID, i.Token)
	if out != nil {
		endpoint += "?with_response=true"
	}
	uncertain := false
	for {
		tryCtx, end := context.WithTimeout(ctx, d.times.try)
		_, err := d.rest.do(tryCtx, false, http.MethodPost, endpoint, answer, out)
		end()
		if err == nil {
			return nil
		}
		err = d.rest.redact(err, i.Token)
		if letters, ok := d.emoji.withoutRefusedEmoji(answer.Data, err); ok {
			answer.Data = letters
			continue
		}
		refused, ok := refusalOf(err)
		wait := 100 * time.Millisecond
		switch {
		case ok && refused.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged && uncertain:
			if out != nil {
				return fmt.Errorf("%w: %w", errUncertain, err)
			}
			return nil // an earlier try has arrived
		case ok && refused.Status == http.StatusTooManyRequests:
			wait = refused.wait()
		case ok && refused.Status < 500:
			return err
		default:
			uncertain = true
		}
		if pause(ctx, wait) != nil {
			if uncertain {
				return fmt.Errorf("%w: %w", errUncertain, err)
			}
			return err
		}
	}
}

// deferAnswer sends a deferral, so that Discord keeps waiting for the answer: silently after a button press, otherwise
// with a private "thinking" state. If there is a first answer already, it does nothing.
func (c *conversation) deferAnswer(ctx context.Context) {
	var err error
	if c.in.Type == discordgo.InteractionMessageComponent {
		err = c.say(ctx, sayLater, nil, nil)
	} else {
		err = c.say(ctx, sayThinking, body{Flags: discordgo.MessageFlagsEphemeral, Mentions: noMentions}, nil)
	}
	if err != nil && !errors.Is(err, errAnswered) {
		c.log.Warn("defer answer failed", "error", err)
	}
}

// webhook makes a request for an interaction that has a first answer, and unless out is nil reads the response into it.
// POST sends body as another message; other methods read or edit the message of the first answer.
func (c *conversation) webhook(ctx context.Context, method string, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	endpoint := discordgo.EndpointWebhookToken(c.in.ApplicationID, c.in.Token)
	if method != http.MethodPost {
		endpoint = discordgo.EndpointWebhookMessage(c.in.ApplicationID, c.in.Token, original)
	}
	return c.callByToken(ctx, method, endpoint, c.in.Token, body, out)
}

// callByToken makes a request to endpoint, which contains token, and unless out is nil reads the response into it. If
// Discord refuses the emoji of body, it tries again without them.
func (d *Discord) callByToken(ctx context.Context, method, endpoint, token string, body, out any) error {
	err := d.rest.call(ctx, false, method, endpoint, body, out)
	if letters, ok := d.emoji.withoutRefusedEmoji(body, err); ok {
		err = d.rest.call(ctx, false, method, endpoint, letters, out)
	}
	return d.rest.redact(err, token)
}
