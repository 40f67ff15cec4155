package telegramtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Query is one press of a button.
type Query struct {
	ID     string
	From   int64
	Update int64
	// Asked is the time of the press, and Answered of the bot's answer, zero: not yet.
	Asked, Answered time.Time
	// Answers are the toasts that the person saw; "" is a silent answer.
	Answers []Answer
	// Delivered is how often the press was sent to the bot.
	Delivered int

	old bool
}

// Answer is the bot's answer to a press.
type Answer struct {
	Text  string
	Alert bool
}

// Say posts a person's text in the chat and returns the message's id.
func (c *Chat) Say(p Person, text string) int64 { return c.SayIn(0, p, text) }

// Mention posts a text that mentions a person without "@".
func (c *Chat) Mention(p Person, text string, who Person) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	entity := map[string]any{"type": "text_mention", "offset": utf16Length(text) + 1, "length": utf16Length(who.First),
		"user": who.user()}
	return c.say(0, p, text+" "+who.First, map[string]any{"entities": []any{entity}})
}

// SayIn posts a person's text in a topic.
func (c *Chat) SayIn(topic int64, p Person, text string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.say(topic, p, text, nil)
}

// SayAsGroup posts as an anonymous admin.
func (c *Chat) SayAsGroup(text string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	anonymous := Person{ID: 1087968824, First: "Group", Username: "GroupAnonymousBot"}
	return c.say(0, anonymous, text, map[string]any{"sender_chat": c.json()})
}

// mention matches a mention of a name, but not the one of a command.
var mention = regexp.MustCompile(`\B@[A-Za-z0-9_]{5,32}\b`)

func (c *Chat) say(topic int64, p Person, text string, more map[string]any) int64 {
	c.last++
	c.posts[c.last] = &Message{ID: c.last, Thread: topic, From: p.ID, Text: text}
	m := c.message(c.posts[c.last])
	m["from"] = p.user()
	var entities []map[string]any
	entity := func(kind string, from, to int) {
		entities = append(entities,
			map[string]any{"type": kind, "offset": utf16Length(text[:from]), "length": utf16Length(text[from:to])})
	}
	if word, _, _ := strings.Cut(text, " "); strings.HasPrefix(word, "/") {
		entity("bot_command", 0, len(word))
	}
	for _, at := range mention.FindAllStringIndex(text, -1) {
		entity("mention", at[0], at[1])
	}
	if entities != nil {
		m["entities"] = entities
	}
	for key, value := range more {
		m[key] = value
	}
	c.s.queue("message", m, "")
	return c.last
}

// message returns a message as in updates. The caller holds the lock.
func (c *Chat) message(m *Message) map[string]any {
	j := c.shallow(m)
	if to := c.posts[m.ReplyTo]; m.ReplyTo != 0 && to != nil {
		j["reply_to_message"] = c.shallow(to)
	} else if m.Thread != 0 && m.ReplyTo == 0 {
		j["reply_to_message"] = map[string]any{
			"message_id": m.Thread, "date": c.s.now().Unix(), "chat": c.json(),
			"from":                Person{ID: 1, First: "Owner"}.user(),
			"forum_topic_created": map[string]any{"name": c.topics[m.Thread], "icon_color": 7322096},
		}
	}
	return j
}

// shallow returns a message without the one that it answers. The caller holds the lock.
func (c *Chat) shallow(m *Message) map[string]any {
	j := map[string]any{"message_id": m.ID, "date": c.s.now().Unix(), "chat": c.json()}
	switch {
	case m.Photo != nil:
		j["photo"] = []map[string]any{{"file_id": "p", "file_unique_id": "p", "width": 1, "height": 1}}
		j["caption"] = m.Text
	case m.Rich:
		j["rich_message"] = map[string]any{"blocks": []any{map[string]any{"type": "paragraph", "text": m.Text}}}
	case m.Text != "":
		j["text"] = m.Text
	}
	if m.From == 0 {
		j["from"] = c.s.self()
	} else {
		j["from"] = Person{ID: m.From, First: "Somebody"}.user()
	}
	if m.Thread != 0 {
		j["message_thread_id"], j["is_topic_message"] = m.Thread, true
	}
	if len(m.Keyboard) > 0 {
		j["reply_markup"] = map[string]any{"inline_keyboard": m.Keyboard}
	}
	return j
}

// Press presses the button with a label and returns the id of the query, or an error if the message or the button
// does not exist.
func (c *Chat) Press(p Person, message int64, label string) (string, error) {
	m, ok := c.Message(message)
	if !ok {
		return "", fmt.Errorf("message %d is not there", message)
	}
	data, ok := m.Data(label)
	if !ok {
		return "", fmt.Errorf("no button %q in %q", label, m.Labels())
	}
	return c.PressData(p, message, data), nil
}

// PressData presses a button with data, as clients with an old copy of a message do. A deleted message is
// inaccessible.
func (c *Chat) PressData(p Person, message int64, data string) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.press(p, message, data)
}

// PressQuickly is PressData for several buttons in turn, all pressed on the message as it is now.
func (c *Chat) PressQuickly(p Person, message int64, data ...string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, d := range data {
		c.press(p, message, d)
	}
}

// press queues a press. The caller holds the lock.
func (c *Chat) press(p Person, message int64, data string) string {
	c.s.lastQuery++
	id := strconv.FormatInt(4_382_000_000_000+c.s.lastQuery, 10)
	on := map[string]any{"chat": c.json(), "message_id": message, "date": 0}
	if m := c.posts[message]; m != nil {
		on = c.message(m)
	}
	q := &Query{ID: id, From: p.ID, Asked: c.s.now()}
	c.s.queries[id] = q
	q.Update = c.s.queue("callback_query", map[string]any{
		"id": id, "from": p.user(), "message": on, "chat_instance": "7", "data": data,
	}, id)
	return id
}

// Expire makes a press too old for an answer.
func (s *Server) Expire(query string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.queries[query]; q != nil {
		q.old = true
	}
}

// Query returns a press with its answers.
func (s *Server) Query(id string) (Query, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queries[id]
	if q == nil {
		return Query{}, false
	}
	return *q, true
}

// Drop deletes a press and all acknowledged updates, for long loads.
func (s *Server) Drop(query string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.queries, query)
	s.updates.done = nil
}

// Unanswered lists the presses without an answer.
func (s *Server) Unanswered() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for id, q := range s.queries {
		if len(q.Answers) == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// Announcement is how the bot learns that a group became a supergroup.
type Announcement int

// The ways to hear of it.
const (
	OldFirst Announcement = iota // the old chat's update first, then the new one's
	NewFirst
	Silently // only the error of the next request
)

// Upgrade makes the group a supergroup with a new id and no messages.
func (c *Chat) Upgrade(how Announcement) *Chat {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	next := c.s.openLocked("supergroup", c.title, false, Person{})
	next.admins = c.admins
	c.moved = next.id
	c.announceMove(next, how)
	return next
}

// Announce tells the bot later that the group has become a supergroup.
func (c *Chat) Announce(next *Chat, how Announcement) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.announceMove(next, how)
}

// announceMove is Announce; the caller holds the lock.
func (c *Chat) announceMove(next *Chat, how Announcement) {
	tell := func(chat *Chat, key string, id int64) {
		chat.last++
		m := chat.message(&Message{ID: chat.last, From: 1})
		m["from"] = Person{ID: 1087968824, First: "Group"}.user()
		m["sender_chat"] = chat.json()
		m[key] = id
		c.s.queue("message", m, "")
	}
	switch how {
	case OldFirst:
		tell(c, "migrate_to_chat_id", next.id)
		tell(next, "migrate_from_chat_id", c.id)
	case NewFirst:
		tell(next, "migrate_from_chat_id", c.id)
		tell(c, "migrate_to_chat_id", next.id)
	case Silently:
	}
}

// Join announces that people have joined the chat, by themselves or added by another person.
func (c *Chat) Join(by Person, who ...Person) {
	var all []any
	for _, p := range who {
		all = append(all, p.user())
	}
	c.announce(by, "new_chat_members", all)
}

// Leave announces that a person has left the chat or was removed.
func (c *Chat) Leave(by, who Person) { c.announce(by, "left_chat_member", who.user()) }

// announce queues a service message.
func (c *Chat) announce(by Person, key string, value any) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.last++
	m := c.message(&Message{ID: c.last, From: by.ID})
	m["from"], m[key] = by.user(), value
	c.s.queue("message", m, "")
}
