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
	// Asked is the time of the press, and Answered that of the bot's last answer, zero: none yet.
	Asked, Answered time.Time
	// Answers are the answers that the person saw; an empty text is a silent answer.
	Answers []Answer
	// Delivered is how often the press was sent to the bot.
	Delivered int

	old bool // it is too old for an answer
}

// Answer is the bot's answer to a press: a toast, or an alert window.
type Answer struct {
	Text  string
	Alert bool
}

// Say posts the text of p in the chat and returns the message's id.
func (c *Chat) Say(p Person, text string) int64 { return c.SayIn(0, p, text) }

// Mention posts the text of p, followed by a mention of a person without a user name.
func (c *Chat) Mention(p Person, text string, mentioned Person) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	entity := map[string]any{"type": "text_mention", "offset": utf16Length(text) + 1,
		"length": utf16Length(mentioned.First), "user": mentioned.user()}
	return c.say(0, p, text+" "+mentioned.First, map[string]any{"entities": []any{entity}})
}

// SayIn posts the text of p in a topic and returns the message's id.
func (c *Chat) SayIn(topic int64, p Person, text string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.say(topic, p, text, nil)
}

// SayAsGroup posts text as an anonymous admin and returns the message's id.
func (c *Chat) SayAsGroup(text string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	anonymous := Person{ID: 1087968824, First: "Group", Username: "GroupAnonymousBot"}
	return c.say(0, anonymous, text, map[string]any{"sender_chat": c.json()})
}

// mention matches a mention of a user name, but not the bot's name in a command.
var mention = regexp.MustCompile(`\B@[A-Za-z0-9_]{5,32}\b`)

// say posts text, queues its update with additional fields, and returns the message's id. The caller holds the lock.
func (c *Chat) say(topic int64, p Person, text string, fields map[string]any) int64 {
	c.last++
	c.posts[c.last] = &Message{ID: c.last, Thread: topic, From: p.ID, Text: text}
	c.stands[p.ID] = "member"
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
	for key, value := range fields {
		m[key] = value
	}
	c.s.queue("message", m, "")
	return c.last
}

// message returns m as a Message of the Bot API. The caller holds the lock.
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

// shallow is message without the message that m replies to. The caller holds the lock.
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

// Press presses the button with this label below a message. It returns the query's id; an error: no such button.
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

// PressData presses a button with data, as clients with an old copy of the message can, and returns the id of the
// query. A deleted message is inaccessible to the bot.
func (c *Chat) PressData(p Person, message int64, data string) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.press(p, message, data)
}

// PressQuickly presses several buttons in turn, all on the message as it is now.
func (c *Chat) PressQuickly(p Person, message int64, data ...string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, d := range data {
		c.press(p, message, d)
	}
}

// press queues a press and returns the id of its query. The caller holds the lock.
func (c *Chat) press(p Person, message int64, data string) string {
	c.stands[p.ID] = "member"
	on := map[string]any{"chat": c.json(), "message_id": message, "date": 0}
	if m := c.posts[message]; m != nil {
		on = c.message(m)
	}
	return c.s.pressed(p, map[string]any{"message": on, "chat_instance": c.instance, "data": data})
}

// pressed queues a press of p with these fields and returns the id of its query. The caller holds the lock.
func (s *Server) pressed(p Person, fields map[string]any) string {
	s.lastQuery++
	id := strconv.FormatInt(4_382_000_000_000+s.lastQuery, 10)
	q := &Query{ID: id, From: p.ID, Asked: s.now()}
	s.queries[id] = q
	fields["id"], fields["from"] = id, p.user()
	q.Update = s.queue("callback_query", fields, id)
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

// Query returns the press with this id and its answers; false: there is none.
func (s *Server) Query(id string) (Query, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.queries[id]
	if q == nil {
		return Query{}, false
	}
	return *q, true
}

// Drop deletes a press and all acknowledged updates, to save memory in long loads.
func (s *Server) Drop(query string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.queries, query)
	s.updates.done = nil
}

// Unanswered returns the ids of the presses without an answer.
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

// Announcement is a kind of update about a group that became a supergroup.
type Announcement int

// The announcements of a migration.
const (
	OldFirst Announcement = iota // the old chat's update first, then the new one's
	NewFirst                     // the other way round
	Silently                     // no update, only the error of the next request
)

// Upgrade makes the group a supergroup with a new id and no messages, announces that, and returns the supergroup.
func (c *Chat) Upgrade(how Announcement) *Chat {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	next := c.s.openLocked("supergroup", c.title, false, Person{})
	next.admins = c.admins
	c.movedTo = next.id
	c.announceMove(next, how)
	return next
}

// Announce announces later that the group has become the supergroup next.
func (c *Chat) Announce(next *Chat, how Announcement) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.announceMove(next, how)
}

// announceMove is Announce for callers that hold the lock.
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

// Join announces that people have joined the chat, added by adder, who may be the only one of them.
func (c *Chat) Join(adder Person, people ...Person) {
	var all []any
	for _, p := range people {
		c.Stands(p, "member")
		all = append(all, p.user())
	}
	c.announce(adder, "new_chat_members", all)
}

// Leave announces that leaver has left the chat or was removed; remover is leaver or the admin.
func (c *Chat) Leave(remover, leaver Person) {
	c.Stands(leaver, "left")
	c.announce(remover, "left_chat_member", leaver.user())
}

// Stands sets the status of p in the chat, without an update: "member", "restricted", "left", "kicked" and so on;
// "restricted out" is that of a person who has left with restrictions, and "" of one that the bot has not seen lately.
func (c *Chat) Stands(p Person, status string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.stands[p.ID] = status
}

// announce queues a service message of author with this additional field.
func (c *Chat) announce(author Person, key string, value any) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.last++
	m := c.message(&Message{ID: c.last, From: author.ID})
	m["from"], m[key] = author.user(), value
	c.s.queue("message", m, "")
}
