package discordtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"time"
)

// What people do: commands, presses and completions, and how the bot answered.

// Kinds of interactions, as Discord counts them.
const (
	kindCommand  = 2
	kindPress    = 3
	kindComplete = 4
)

// TokenMark begins the token of every interaction.
const TokenMark = "aW50ZXJhY3Rpb246"

// Interaction is one thing that a person did: a command, a press, a letter
// typed into an option.
type Interaction struct {
	s       *Server
	what    string
	kind    int
	id      string
	token   string
	person  *Person
	channel *Channel
	// on is the message whose button was pressed.
	on   *message
	json map[string]any

	sent      time.Time
	delivered bool
	redelive  bool // a second answer is no fault of the bot's
	forgiven  bool
	acked     time.Time
	said      []byte   // by which callback
	by        net.Conn // over which the answer came
	answer    Answer
	// original is what @original names once it is answered.
	original *message
	// changed: @original was changed since.
	changed bool
	// further are the messages behind the answer.
	further []*message
}

// Answer is how the bot answered an interaction.
type Answer struct {
	// Type is the type of the callback: 4 a message, 5 "thinking", 6 later,
	// 7 the message with the button changes, 8 completions.
	Type int
	// Message is the message of the answer as it stands now.
	Message Message
	// Further are messages behind the answer.
	Further []Message
	// Choices are completions: labels and values.
	Choices []Choice
	// After is how long the person waited.
	After time.Duration
}

// Choice is one completion.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Option is an option of a command as a person fills it in: a string, an
// int, a bool or a *Person.
type Option struct {
	Name  string
	Value any
}

// Slash lets a person use a command.
func (c *Channel) Slash(p *Person, command string, options ...Option) *Interaction {
	given, users := make([]any, len(options)), map[string]any{}
	for i, o := range options {
		given[i] = o.json()
		if who, names := o.Value.(*Person); names {
			users[who.ID] = who.json()
		}
	}
	data := map[string]any{"id": "1", "name": command, "type": chatInput, "options": given}
	if len(users) > 0 {
		data["resolved"] = map[string]any{"users": users}
	}
	return c.act(p, kindCommand, "/"+command, nil, data)
}

// Complete lets a person type into an option of a command.
func (c *Channel) Complete(p *Person, command, option, typed string) *Interaction {
	given := Option{option, typed}.json()
	given["focused"] = true
	data := map[string]any{"id": "1", "name": command, "type": chatInput, "options": []any{given}}
	return c.act(p, kindComplete, "/"+command+" "+option+":"+typed, nil, data)
}

// Press lets a person press a button of a message. Clients can send any
// custom_id, also one that the message does not have.
func (c *Channel) Press(p *Person, messageID, customID string) *Interaction {
	c.s.mu.Lock()
	on := c.find(messageID)
	if on == nil {
		on = &message{id: messageID, channel: c, posted: c.s.now()}
	}
	c.s.mu.Unlock()
	data := map[string]any{"component_type": typeButton, "custom_id": customID, "id": 1}
	return c.act(p, kindPress, "press "+customID, on, data)
}

// Raw sends an interaction with data of one's own making, of a kind that the
// bot may never have heard of.
func (c *Channel) Raw(p *Person, kind int, data map[string]any) *Interaction {
	return c.act(p, kind, fmt.Sprintf("kind %d", kind), nil, data)
}

func (o Option) json() map[string]any {
	kind := 3
	switch value := o.Value.(type) {
	case *Person:
		kind, o.Value = 6, value.ID
	case int:
		kind = 4
	case bool:
		kind = 5
	}
	return map[string]any{"name": o.Name, "type": kind, "value": o.Value}
}

// Slashed returns an interaction with a command as JSON, without sending it.
func (c *Channel) Slashed(p *Person, command string) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	i := c.interaction(p, kindCommand, "/"+command, nil, map[string]any{"id": "1", "name": command, "type": chatInput})
	raw, err := json.Marshal(i.json)
	if err != nil {
		panic("discordtest: interaction that is no JSON: " + err.Error())
	}
	return string(raw)
}

// act makes an interaction and tells it to the bot.
func (c *Channel) act(p *Person, kind int, what string, on *message, data map[string]any) *Interaction {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	i := c.interaction(p, kind, what, on, data)
	s.interactions[i.token] = i
	i.delivered = s.deliver(i.json)
	s.tell()
	return i
}

// interaction makes an interaction. The caller holds the lock.
func (c *Channel) interaction(p *Person, kind int, what string, on *message, data map[string]any) *Interaction {
	s := c.s
	i := &Interaction{
		s: s, what: p.Name + ": " + what, kind: kind, id: s.snowflake(), person: p, channel: c, on: on, sent: s.now(),
	}
	i.token = TokenMark + i.id
	i.json = map[string]any{
		"id": i.id, "application_id": applicationID, "type": kind, "token": i.token, "version": 1, "data": data,
		"channel_id": c.ID, "channel": c.json(), "locale": p.Locale, "context": 1, "entitlements": []any{},
		"app_permissions": strconv.FormatInt(c.allowed(), 10), "attachment_size_limit": 10485760,
		"authorizing_integration_owners": map[string]any{"0": "0"},
	}
	if c.guild != nil {
		i.json["guild_id"], i.json["guild_locale"], i.json["context"] = c.guild.ID, "en-US", 0
		i.json["guild"] = map[string]any{"id": c.guild.ID, "locale": "en-US", "features": []any{}}
		i.json["member"] = p.member()
	} else {
		i.json["user"] = p.json()
	}
	if on != nil {
		i.json["message"] = on.json()
	}
	return i
}

// Redeliver tells the same interaction to the bot again.
func (i *Interaction) Redeliver() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.redelive = true
	i.s.deliver(i.json)
}

// Answered reports whether the bot has answered.
func (i *Interaction) Answered() bool {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	return !i.acked.IsZero()
}

// Answer waits until the bot has answered and, where it said that it is
// thinking, until it has come to an end. The error is ctx's.
func (i *Interaction) Answer(ctx context.Context) (Answer, error) {
	var a Answer
	err := i.s.Wait(ctx, func() bool {
		i.s.mu.Lock()
		defer i.s.mu.Unlock()
		a = i.answer
		if i.original != nil {
			a.Message = i.original.view()
		}
		for _, m := range i.further {
			a.Further = append(a.Further, m.view())
		}
		return !i.acked.IsZero() && !a.Message.Waiting
	})
	if err != nil {
		return a, fmt.Errorf("waiting for the answer to %s: %w", i.what, err)
	}
	return a, nil
}

// Turned waits until the bot has answered by changing the message whose button
// was pressed, at once or later, and returns it as it stands then. Any other
// answer is returned as it is: then nothing has turned. The error is ctx's.
func (i *Interaction) Turned(ctx context.Context) (a Answer, turned bool, err error) {
	if a, err = i.Answer(ctx); err != nil || a.Type == callUpdate || a.Type != callLater {
		return a, a.Type == callUpdate, err
	}
	err = i.s.Wait(ctx, func() bool {
		i.s.mu.Lock()
		defer i.s.mu.Unlock()
		return i.changed || len(i.further) > 0
	})
	if err != nil {
		return a, false, fmt.Errorf("waiting for what %s has put off: %w", i.what, err)
	}
	a, err = i.Answer(ctx)
	return a, len(a.Further) == 0, err
}

// callbackBody is the answer to an interaction.
type callbackBody struct {
	Type int             `json:"type"`
	Data json.RawMessage `json:"data"`
}
