package discordtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Commands, presses and completions of people, and the bot's answers.

// Kinds of interactions, as Discord numbers them.
const (
	kindCommand  = 2
	kindPress    = 3
	kindComplete = 4
)

// TokenMark is the beginning of every interaction's token.
const TokenMark = "aW50ZXJhY3Rpb246"

// Interaction is a command, a press, or typing in an option with completion.
type Interaction struct {
	s       *Server
	what    string // its description in violations
	kind    int
	id      string
	token   string
	person  *Person
	channel *Channel
	// on is the message of the pressed button.
	on   *message
	json map[string]any

	sent       time.Time
	delivered  bool
	redelive   bool      // the bot may answer twice
	expired    bool      // its token is no longer valid
	refused    int       // calls with its token that were refused since
	unheard    bool      // an answer was lost, and the bot cannot know that
	forgiven   bool      // it need not be answered
	acked      time.Time // when it was answered, zero: not yet
	answerBody []byte    // the body of the callback
	answerConn net.Conn  // the connection on which the callback came
	answer     Answer
	// original is the message @original after the answer; nil: there is none.
	original *message
	// changed means that the bot has edited @original.
	changed bool
	// further are the messages sent after the answer.
	further []*message
}

// Answer is the bot's answer to an interaction.
type Answer struct {
	// Type is the callback type: 4 a message, 5 "thinking", 6 a silent delay, 7 an edit of the message, 8 completions,
	// 12 the activity.
	Type int
	// Message is the current state of the answer's message.
	Message Message
	// Further are the messages sent after the answer.
	Further []Message
	// Choices are the completions.
	Choices []Choice
	// Activity is the instance that the answer has opened for the person, or that they have joined by it.
	Activity *Activity
	// After is how long the person waited for the answer.
	After time.Duration
}

// Choice is one completion: its label and its value.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Option is a filled-in option of a command: a string, an int, a bool or a *Person.
type Option struct {
	Name  string
	Value any
}

// Slash uses a command or, with a space after its name, one of its subcommands: "settle why". A use that no client
// would allow for the registered command is a violation.
func (c *Channel) Slash(p *Person, command string, options ...Option) *Interaction {
	given, users := make([]any, len(options)), map[string]any{}
	for i, o := range options {
		given[i] = o.json()
		if who, names := o.Value.(*Person); names {
			users[who.ID] = who.json()
		}
	}
	data := commandData(command, given)
	if len(users) > 0 {
		data["resolved"] = map[string]any{"users": users}
	}
	c.s.mu.Lock()
	c.s.checkSendable(command, options)
	name, _, _ := strings.Cut(command, " ")
	c.checkUsable(p, name)
	c.s.mu.Unlock()
	return c.act(p, kindCommand, "/"+command, nil, data)
}

// Choose uses a command, by its default name, from the menu of target: a *Person, or a message's id in the channel.
func (c *Channel) Choose(p *Person, command string, target any) *Interaction {
	data := map[string]any{"id": "1", "name": command}
	switch target := target.(type) {
	case *Person:
		data["type"], data["target_id"] = 2, target.ID
		data["resolved"] = map[string]any{"users": map[string]any{target.ID: target.json()}}
	case string:
		data["type"], data["target_id"] = 3, target
		c.s.mu.Lock()
		if m := c.find(target); m != nil {
			data["resolved"] = map[string]any{"messages": map[string]any{target: m.json()}}
		}
		c.s.mu.Unlock()
	}
	return c.act(p, kindCommand, command+" in a menu", nil, data)
}

// checkSendable records a violation if no client would send the command with these options. The caller holds the lock.
func (s *Server) checkSendable(command string, filledIn []Option) {
	options, known := optionsOf(s.commands, command)
	if !known {
		return
	}
	for _, o := range options {
		isFilled := slices.ContainsFunc(filledIn, func(g Option) bool { return g.Name == o.Name })
		switch {
		case o.Type == typeSub:
			s.Violate("/"+command, "has subcommands, such as %s", o.Name)
		case o.Required && !isFilled:
			s.Violate("/"+command, "lacks %s", o.Name)
		}
	}
	for _, g := range filledIn {
		o, _ := findOption(s.commands, command, g.Name)
		if o.Name == "" || o.Type != g.json()["type"] {
			s.Violate("/"+command, "no option %s takes %v", g.Name, g.Value)
		}
	}
}

// commandData returns the data of a command, or of its subcommand, with these options.
func commandData(command string, options []any) map[string]any {
	name, subcommand, hasSubcommand := strings.Cut(command, " ")
	if hasSubcommand {
		options = []any{map[string]any{"name": subcommand, "type": typeSub, "options": options}}
	}
	return map[string]any{"id": "1", "name": name, "type": chatInput, "options": options}
}

// Complete types into an option of a (sub)command; others are filled in. An option without completion is a violation.
func (c *Channel) Complete(p *Person, command, option, typed string, others ...Option) *Interaction {
	given := Option{option, typed}.json()
	given["focused"] = true
	all := []any{}
	for _, o := range others {
		all = append(all, o.json())
	}
	data := commandData(command, append(all, given))
	c.s.mu.Lock()
	if o, known := findOption(c.s.commands, command, option); known && !o.Autocomplete {
		c.s.Violate("/"+command, "option %s is not completed", option)
	}
	c.s.mu.Unlock()
	return c.act(p, kindComplete, "/"+command+" "+option+":"+typed, nil, data)
}

// Press presses a button of a message. Clients can send any custom_id, even one that the message does not have.
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

// Pick chooses values from the select with this custom_id. Values that it does not offer are a violation.
func (c *Channel) Pick(p *Person, messageID, customID string, values ...string) *Interaction {
	c.s.mu.Lock()
	on := c.find(messageID)
	if on == nil {
		on = &message{id: messageID, channel: c, posted: c.s.now()}
	}
	if why := on.view().pickFault(customID, values); why != "" {
		c.s.Violate("choosing "+customID, "%s", why)
	}
	c.s.mu.Unlock()
	data := map[string]any{"component_type": typeSelect, "custom_id": customID, "values": values, "id": 1}
	return c.act(p, kindPress, "choose "+strings.Join(values, ", "), on, data)
}

// pickFault returns why values cannot be chosen from the select with this custom_id, "" if they can.
func (m Message) pickFault(customID string, values []string) string {
	all := m.Selects()
	i := slices.IndexFunc(all, func(c Component) bool { return c.CustomID == customID })
	if i < 0 || all[i].Disabled {
		return "there is no such select"
	}
	if least, most := all[i].bounds(); len(values) < least || len(values) > most {
		return fmt.Sprintf("%d values are chosen, %d to %d can be", len(values), least, most)
	}
	for n, v := range values {
		if !slices.ContainsFunc(all[i].Options, func(o SelectOption) bool { return o.Value == v }) ||
			slices.Contains(values[:n], v) {
			return fmt.Sprintf("%q is not among its options", v)
		}
	}
	return ""
}

// Raw sends an interaction of any kind with any data, which the bot may not know.
func (c *Channel) Raw(p *Person, kind int, data map[string]any) *Interaction {
	return c.act(p, kind, fmt.Sprintf("kind %d", kind), nil, data)
}

// json returns the option as a client sends it.
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

// act makes an interaction, sends it to the bot and returns it. action names it in violations; pressed is the
// message with the pressed button, or nil.
func (c *Channel) act(p *Person, kind int, action string, pressed *message, data map[string]any) *Interaction {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	i := c.interaction(p, kind, action, pressed, data)
	s.interactions[i.token] = i
	i.delivered = s.deliver(i.json)
	s.Tell()
	return i
}

// interaction makes an interaction, with the parameters of act. The caller holds the lock.
func (c *Channel) interaction(p *Person, kind int, action string, pressed *message, data map[string]any) *Interaction {
	s := c.s
	i := &Interaction{
		s: s, what: p.Name + ": " + action, kind: kind, id: s.snowflake(), person: p, channel: c, on: pressed,
		sent: s.now(),
	}
	i.token = TokenMark + i.id
	i.json = map[string]any{
		"id": i.id, "application_id": applicationID, "type": kind, "token": i.token, "version": 1, "data": data,
		"channel_id": c.ID, "channel": c.json(), "locale": p.Locale, "context": c.context(), "entitlements": []any{},
		"app_permissions": strconv.FormatInt(c.allowed(), 10), "attachment_size_limit": 10485760,
		"authorizing_integration_owners": c.owners(p),
	}
	if pressed != nil && pressed.owners != nil {
		i.json["authorizing_integration_owners"] = pressed.owners
	}
	if c.guild != nil {
		i.json["guild_id"], i.json["guild_locale"] = c.guild.ID, "en-US"
		i.json["guild"] = map[string]any{"id": c.guild.ID, "locale": "en-US", "features": []any{}}
		i.json["member"] = p.member()
	} else {
		i.json["user"] = p.json()
	}
	if pressed != nil {
		i.json["message"] = pressed.json()
	}
	return i
}

// Redeliver sends the same interaction again; the bot may answer it again.
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

// Answer waits until the bot has answered and is no longer "thinking". The error is that of ctx.
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

// callbackBody is the JSON of an answer to an interaction.
type callbackBody struct {
	Type int             `json:"type"`
	Data json.RawMessage `json:"data"`
}
