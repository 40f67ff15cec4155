package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
)

// The first answer to an interaction, due within three seconds, and the messages after it.

// tryPause is the pause before an answer is retried.
const tryPause = 100 * time.Millisecond

// The kinds of answers.
const (
	sayNothing  = 0
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

// tooLate is the code of a first answer that Discord refused in time: nothing can follow it.
const tooLate = -2

// Discord's error codes about interactions.
const (
	codeUnknownInteraction = 10062
	codeAnswered           = 40060
)

var (
	// errAnswered: there is an answer already; the rest is sent after it.
	errAnswered = errors.New("the interaction is answered")
	// errUncertain: Discord may or may not have taken the answer.
	errUncertain = errors.New("no word from Discord about an answer")
)

// conversation is one interaction and its one answer.
type conversation struct {
	*Discord
	in interaction

	told    bool // the private part was sent
	thought bool // the "thinking" state has ended

	mu    sync.Mutex
	kind  int           // of the first answer; sayNothing: none yet
	late  bool          // Discord has not taken it and takes no other
	first chan struct{} // closed when the first answer was sent or has failed
}

// claim makes kind the kind of the one answer and reports whether there was none.
func (c *conversation) claim(kind int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kind != sayNothing {
		return false
	}
	c.kind, c.first = kind, make(chan struct{})
	return true
}

// through ends the first answer. A refused one may be followed by another unless it was too late.
func (c *conversation) through(refused, late bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if refused {
		c.kind = sayNothing
	}
	c.late = late
	close(c.first)
}

// given returns the kind of the first answer once it is through.
func (c *conversation) given() int {
	c.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.late {
		return tooLate
	}
	return c.kind
}

// settle waits for a pending answer.
func (c *conversation) settle() {
	c.mu.Lock()
	first := c.first
	c.mu.Unlock()
	if first != nil {
		<-first
	}
}

// say sends the one answer. It returns errAnswered if there is one already, and errUncertain if it may have arrived.
func (c *conversation) say(ctx context.Context, kind int, data, out any) error {
	if !c.claim(kind) {
		c.settle()
		return errAnswered
	}
	at := discordgo.EndpointInteractionResponse(c.in.ID, c.in.Token)
	if out != nil {
		at += "?with_response=true"
	}
	err := c.send(ctx, at, callback{kind, data}, out)
	refused, ok := refusalOf(err)
	again := ok && refused.Status < 500 && refused.Status != http.StatusTooManyRequests &&
		refused.Status != http.StatusUnauthorized &&
		refused.Code != codeUnknownInteraction && refused.Code != codeAnswered
	c.through(again, ok && !again && refused.Code != codeAnswered && !errors.Is(err, errUncertain))
	if err != nil && !errors.Is(err, errUncertain) {
		c.log.Info("answer rejected", "kind", kind, "error", err)
	}
	return err
}

// send sends an answer while Discord waits for it, and retries after a short Retry-After or if its arrival is
// unknown.
func (c *conversation) send(ctx context.Context, at string, answer callback, out any) error {
	ctx, cancel := context.WithDeadline(ctx, c.in.at.Add(c.times.answer))
	defer cancel()
	uncertain := false
	for {
		err := c.try(ctx, at, answer, out)
		if letters, ok := c.emoji.inLetters(answer.Data, err); ok {
			answer.Data = letters
			continue
		}
		refused, ok := refusalOf(err)
		pause := tryPause
		switch {
		case err == nil:
			return nil
		case ok && refused.Code == codeAnswered && uncertain:
			if out != nil {
				return fmt.Errorf("%w: %w", errUncertain, err)
			}
			return nil // the try before has arrived
		case ok && refused.Status == http.StatusTooManyRequests:
			pause = refused.after()
		case ok && refused.Status < 500:
			return err
		default:
			uncertain = true
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			if uncertain {
				return fmt.Errorf("%w: %w", errUncertain, err)
			}
			return err
		}
	}
}

func (c *conversation) try(ctx context.Context, at string, answer callback, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.times.try)
	defer cancel()
	return c.rest.redact(c.rest.call(ctx, false, http.MethodPost, at, answer, out), c.in.Token)
}

// later tells Discord that the answer takes longer.
func (c *conversation) later(ctx context.Context) {
	var err error
	if c.in.Type == didPress {
		err = c.say(ctx, sayLater, nil, nil)
	} else {
		err = c.say(ctx, sayThinking, body{Flags: flagPrivate, Mentions: nobody}, nil)
	}
	if err != nil && !errors.Is(err, errAnswered) {
		c.log.Warn("defer interaction failed", "error", err)
	}
}

// webhook makes a request about messages of the answer.
func (c *conversation) webhook(ctx context.Context, method, at string, body, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := c.rest.call(ctx, false, method, at, body, out)
	if letters, ok := c.emoji.inLetters(body, err); ok {
		err = c.rest.call(ctx, false, method, at, letters, out)
	}
	return c.rest.redact(err, c.in.Token)
}

func (c callback) attached() []upload {
	if inner, ok := c.Data.(filed); ok {
		return inner.attached()
	}
	return nil
}
