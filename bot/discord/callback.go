package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
)

// The first answer to an interaction, which is due within three seconds, and the messages after it.

// The kinds of first answers, as Discord numbers them; sayNothing: there is none yet. sayThinking (for commands) and
// sayLater (for button presses) defer the answer. sayUpdate edits the pressed message. sayChoices are completions.
const (
	sayNothing  = 0
	sayMessage  = 4
	sayThinking = 5
	sayLater    = 6
	sayUpdate   = 7
	sayChoices  = 8
)

// callback is the JSON of a first answer to an interaction. Type is its kind, such as sayMessage.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// tooLate replaces the kind of a first answer that Discord has rejected for good, so that no message can follow it.
const tooLate = -2

var (
	// errAnswered means that the interaction already has a first answer. Further messages are sent by webhook.
	errAnswered = errors.New("the interaction is answered")
	// errUncertain means that Discord did not confirm an answer, which may have arrived.
	errUncertain = errors.New("no word from Discord about an answer")
)

// conversation is one interaction and the state of its answer.
type conversation struct {
	*Discord
	in interaction

	textsSent     bool // sendTexts was called
	thinkingEnded bool // the private "thinking" state has ended

	answering chan struct{} // a lock while the first answer is sent; unlike a mutex it lets a fake clock advance
	kind      int           // the kind of the first answer; sayNothing: there is none yet
}

// firstAnswer returns the kind of the first answer, sayNothing if there is none. It waits for one that is being sent.
func (c *conversation) firstAnswer() int {
	c.answering <- struct{}{}
	defer func() { <-c.answering }()
	return c.kind
}

// say sends the first answer with this kind and data, stores its kind, and reads Discord's response into out unless
// that is nil. The error is errAnswered if there was a first answer already, errUncertain if this one may have arrived.
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

// respond sends a first answer to interaction in while Discord waits for one, and reads the posted message into out
// unless nil. It retries after a short Retry-After, or if the arrival is unknown. If that stays unknown, the error is
// errUncertain.
func (d *Discord) respond(ctx context.Context, in interaction, answer callback, out any) error {
	ctx, cancel := context.WithDeadline(ctx, in.at.Add(d.times.answer))
	defer cancel()
	endpoint := discordgo.EndpointInteractionResponse(in.ID, in.Token)
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
		err = d.rest.redact(err, in.Token)
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

// deferAnswer defers the answer, so that Discord keeps waiting: silently after a button press, else with a private
// "thinking" state. If there is a first answer already, it does nothing.
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

// webhook makes a request with the interaction's token and, unless out is nil, reads the response into out. POST sends
// body as a message after the first answer; other methods read or edit the message of that answer.
func (c *conversation) webhook(ctx context.Context, method string, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	endpoint := discordgo.EndpointWebhookToken(c.in.ApplicationID, c.in.Token)
	if method != http.MethodPost {
		endpoint = discordgo.EndpointWebhookMessage(c.in.ApplicationID, c.in.Token, "@original")
	}
	err := c.rest.call(ctx, false, method, endpoint, body, out)
	if letters, ok := c.emoji.withoutRefusedEmoji(body, err); ok {
		err = c.rest.call(ctx, false, method, endpoint, letters, out)
	}
	return c.rest.redact(err, c.in.Token)
}
