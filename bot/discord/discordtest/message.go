package discordtest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Messages as tests read them: components, buttons, text.

// Component types, as Discord numbers them.
const (
	typeRow       = 1
	typeButton    = 2
	typeSelect    = 3
	typeText      = 10
	typeGallery   = 12
	typeFile      = 13
	typeContainer = 17
)

// Flags of messages, as Discord numbers them.
const (
	flagEphemeral = 1 << 6
	flagSilent    = 1 << 12
	flagV2        = 1 << 15
)

// Message is a message as people see it.
type Message struct {
	ID      string
	Content string
	Flags   int
	// Components is the tree of components.
	Components []Component
	// Attachments are the files.
	Attachments []Attachment
	// Edits is the number of edits.
	Edits int
	// Waiting means that the message shows only that the bot "is thinking".
	Waiting bool
	// Called are the ids of the users that the message notifies.
	Called []string
	// Answers is the id of the message that it replies to, or "".
	Answers string
}

// Component is one component of a message.
type Component struct {
	Type       int          `json:"type"`
	CustomID   string       `json:"custom_id"`
	Label      string       `json:"label"`
	Style      int          `json:"style"`
	Content    string       `json:"content"`
	Accent     *int         `json:"accent_color"`
	Disabled   bool         `json:"disabled"`
	URL        string       `json:"url"`
	Emoji      *ButtonEmoji `json:"emoji"`
	Components []Component  `json:"components"`
	// Options are the options of a select; Least to Most of them can be chosen.
	Options     []SelectOption `json:"options"`
	Placeholder string         `json:"placeholder"`
	Least       *int           `json:"min_values"`
	Most        *int           `json:"max_values"`
	File        struct {
		URL string `json:"url"`
	} `json:"file"`
	Items []struct {
		Description string `json:"description"`
		Media       struct {
			URL string `json:"url"`
		} `json:"media"`
	} `json:"items"`
}

// SelectOption is an option of a select.
type SelectOption struct {
	Label   string `json:"label"`
	Value   string `json:"value"`
	Default bool   `json:"default"`
}

// ButtonEmoji is the emoji on a button.
type ButtonEmoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// message is a message as the server stores it.
type message struct {
	id         string
	channel    *Channel
	content    string
	flags      int
	components json.RawMessage
	tree       []Component
	attached   []Attachment
	edits      int
	oldEdits   int
	nonce      string
	waiting    bool
	called     []string
	answers    string
	posted     time.Time
	// private is the only person who sees it; nil: everyone does.
	private *Person
	// by is the author; nil: the bot.
	by *Person
	// owners are those of the interaction that was answered with the message; nil: there was none.
	owners any
}

// Buttons returns all buttons, in reading order.
func (m Message) Buttons() []Component {
	var buttons []Component
	walk(m.Components, func(c Component) {
		if c.Type == typeButton {
			buttons = append(buttons, c)
		}
	})
	return buttons
}

// Selects returns all selects, in reading order.
func (m Message) Selects() []Component {
	var selects []Component
	walk(m.Components, func(c Component) {
		if c.Type == typeSelect {
			selects = append(selects, c)
		}
	})
	return selects
}

// Select returns the select that offers value; false: there is none.
func (m Message) Select(value string) (Component, bool) {
	selects := m.Selects()
	i := slices.IndexFunc(selects, func(c Component) bool {
		return slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == value })
	})
	if i < 0 {
		return Component{}, false
	}
	return selects[i], true
}

// Button returns the first button whose label contains label; false: there is none.
func (m Message) Button(label string) (Component, bool) {
	buttons := m.Buttons()
	i := slices.IndexFunc(buttons, func(c Component) bool { return strings.Contains(c.Label, label) })
	if i < 0 {
		return Component{}, false
	}
	return buttons[i], true
}

// Text returns the visible texts of the message except labels. Headings are without their mark.
func (m Message) Text() string {
	parts := []string{}
	if m.Content != "" {
		parts = append(parts, m.Content)
	}
	walk(m.Components, func(c Component) {
		if c.Type == typeText {
			parts = append(parts, strings.TrimPrefix(c.Content, "## "))
		}
	})
	return linked.ReplaceAllString(strings.Join(parts, "\n"), "$1")
}

// linked matches a link to a command, of which a client shows only the name.
var linked = regexp.MustCompile(`<(/[^:<>]+):[0-9]+>`)

// Private reports whether only one person sees the message.
func (m Message) Private() bool { return m.Flags&flagEphemeral != 0 }

// Silent reports whether the message was posted without a notification.
func (m Message) Silent() bool { return m.Flags&flagSilent != 0 }

// walk visits all components of a tree, outer ones first.
func walk(tree []Component, visit func(Component)) {
	for _, c := range tree {
		visit(c)
		walk(c.Components, visit)
	}
}

// view returns the message as people see it. The caller holds the lock.
func (m *message) view() Message {
	return Message{
		ID: m.id, Content: m.content, Flags: m.flags, Components: m.tree, Attachments: m.attached, Edits: m.edits,
		Waiting: m.waiting,
		Called:  m.called, Answers: m.answers,
	}
}

// Messages returns the bot's public messages, oldest first.
func (c *Channel) Messages() []Message { return c.read(nil) }

// Private returns a person's private messages in the channel, oldest first.
func (c *Channel) Private(p *Person) []Message { return c.read(p) }

// read returns the bot's messages that only p sees, or for nil the public ones.
func (c *Channel) read(p *Person) []Message {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	var out []Message
	for _, m := range c.messages {
		if m.private == p && m.by == nil {
			out = append(out, m.view())
		}
	}
	return out
}

// Last returns the newest public message, and false if there is none.
func (c *Channel) Last() (Message, bool) {
	messages := c.Messages()
	if len(messages) == 0 {
		return Message{}, false
	}
	return messages[len(messages)-1], true
}

// find returns the message with this id, or nil. The caller holds the lock.
func (c *Channel) find(id string) *message {
	i := slices.IndexFunc(c.messages, func(m *message) bool { return m.id == id })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

// Remove deletes the message with this id.
func (c *Channel) Remove(id string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.messages = slices.DeleteFunc(c.messages, func(m *message) bool { return m.id == id })
	c.s.Tell()
}

// json returns the message as Discord sends it. The caller holds the lock.
func (m *message) json() map[string]any {
	components := any(m.components)
	if len(m.components) == 0 {
		components = []any{}
	}
	var edited any
	if m.edits > 0 {
		edited = m.posted.Format(time.RFC3339Nano)
	}
	out := map[string]any{
		"id": m.id, "channel_id": m.channel.ID, "author": botUser(), "content": m.content, "components": components,
		"flags": m.flags, "type": 0, "timestamp": m.posted.Format(time.RFC3339Nano), "edited_timestamp": edited,
		"tts": false, "mention_everyone": false, "mentions": []any{}, "mention_roles": []any{},
		"attachments": m.attachments(),
		"embeds":      []any{}, "pinned": false,
	}
	if m.by != nil {
		out["author"] = m.by.json()
	}
	if m.nonce != "" {
		out["nonce"] = m.nonce
	}
	return out
}
