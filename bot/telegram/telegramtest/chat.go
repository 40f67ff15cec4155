package telegramtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Person is a Telegram account.
type Person struct {
	ID       int64
	First    string
	Last     string
	Username string
	Language string
}

// user returns the person as a User of the Bot API.
func (p Person) user() map[string]any {
	u := map[string]any{"id": p.ID, "is_bot": false, "first_name": p.First}
	for key, value := range map[string]string{"last_name": p.Last, "username": p.Username,
		"language_code": p.Language} {
		if value != "" {
			u[key] = value
		}
	}
	return u
}

// Chat is a group or a private chat with the bot.
type Chat struct {
	s            *Server
	id           int64
	kind         string // private, group, supergroup
	title        string
	forum        bool
	person       Person           // the person of a private chat
	topics       map[int64]string // titles by topic
	admins       map[int64]bool
	last         int64 // the newest message id
	posts        map[int64]*Message
	movedTo      int64            // the id of the supergroup that it became, 0: none
	closedReason string           // the error of writes to a chat that has removed or blocked the bot, "": none
	botMuted     bool             // the bot may not write here
	membersMuted bool             // members may not write here
	closedTopics map[int64]bool   // topics in which only admins may write
	noPhotos     bool             // the bot may not send pictures
	whispers     []Whisper        // the ephemeral messages
	noReactions  bool             // the chat allows no reactions
	noPins       bool             // members may not pin messages
	pins         []int64          // the pinned messages, the newest last
	stands       map[int64]string // the status of people that the bot has seen, by their id
	instance     string           // the chat_instance of presses
}

// Message is a message as people see it.
type Message struct {
	ID     int64
	Inline string // the inline id of a message in a foreign chat
	Thread int64  // the topic, 0: none
	From   int64  // the author's id; 0: the bot
	Text   string
	HTML   string // the text as the bot has sent it
	Rich   bool   // a rich message
	Photo  []byte // the picture above the text, nil: none
	// Document is the file above the text, nil: none.
	Document []byte
	// Keyboard holds the rows of buttons below the text.
	Keyboard [][]Button
	ReplyTo  int64
	Edits    int
	// Silent means that the message notified no person.
	Silent bool
	// Reaction is the bot's reaction to the message, "": none.
	Reaction string
}

// Button is one inline button.
type Button struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	App   App    `json:"web_app,omitzero"`
	Style string `json:"style,omitempty"`
}

// App is the page of a Mini App that a button opens.
type App struct {
	URL string `json:"url"`
}

// Labels returns the labels of the buttons, row by row.
func (m Message) Labels() [][]string {
	var rows [][]string
	for _, row := range m.Keyboard {
		var labels []string
		for _, b := range row {
			labels = append(labels, b.Text)
		}
		rows = append(rows, labels)
	}
	return rows
}

// Data returns the data of the button with this label; false: there is none.
func (m Message) Data(label string) (string, bool) {
	for _, row := range m.Keyboard {
		for _, b := range row {
			if b.Text == label {
				return b.Data, true
			}
		}
	}
	return "", false
}

// Group opens a simple group, which may become a supergroup.
func (s *Server) Group(title string) *Chat {
	return s.open("group", title, false, Person{})
}

// Supergroup opens a supergroup. If forum is true, it is a forum, which has topics.
func (s *Server) Supergroup(title string, forum bool) *Chat {
	return s.open("supergroup", title, forum, Person{})
}

// Private opens the private chat of p with the bot, or returns it if it exists.
func (s *Server) Private(p Person) *Chat {
	return s.open("private", "", false, p)
}

// open opens a chat of this kind. person is the person of a private chat.
func (s *Server) open(kind, title string, forum bool, person Person) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.openLocked(kind, title, forum, person)
}

// openLocked is open for callers that hold the lock. An existing private chat is returned.
func (s *Server) openLocked(kind, title string, forum bool, person Person) *Chat {
	s.lastChat++
	id := map[string]int64{"group": -s.lastChat, "supergroup": -1_000_000_000_000 - s.lastChat,
		"private": person.ID}[kind]
	if known := s.chats[id]; known != nil {
		return known
	}
	c := &Chat{
		s: s, id: id, kind: kind, title: title, forum: forum, person: person,
		topics: map[int64]string{}, closedTopics: map[int64]bool{}, admins: map[int64]bool{},
		posts: map[int64]*Message{}, instance: instanceOf(id), stands: map[int64]string{},
	}
	if forum {
		c.last = general // the first topic
	}
	s.chats[id] = c
	return c
}

// ID returns the chat's Telegram id.
func (c *Chat) ID() int64 { return c.id }

// Topic opens a topic in a forum and returns its id.
func (c *Chat) Topic(title string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.last++
	c.topics[c.last] = title
	return c.last
}

// Admin makes a person an admin of the chat.
func (c *Chat) Admin(p Person) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.admins[p.ID] = true
}

// Delete deletes a message, as an admin may do.
func (c *Chat) Delete(message int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	delete(c.posts, message)
	c.s.Tell()
}

// Messages returns the bot's messages that are not deleted, oldest first.
func (c *Chat) Messages() []Message {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	var messages []Message
	for _, m := range slices.SortedFunc(maps.Values(c.posts), func(a, b *Message) int {
		return cmp.Compare(a.ID, b.ID)
	}) {
		if m.From == 0 {
			messages = append(messages, *m)
		}
	}
	return messages
}

// Message returns the message with this id; false: it was deleted.
func (c *Chat) Message(id int64) (Message, bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := c.posts[id]
	if m == nil {
		return Message{}, false
	}
	return *m, true
}

// Find returns the bot's newest message whose text contains part; false: there is none.
func (c *Chat) Find(part string) (Message, bool) {
	for _, m := range slices.Backward(c.Messages()) {
		if strings.Contains(m.Text, part) {
			return m, true
		}
	}
	return Message{}, false
}

// With returns the bot's newest message with a button of that label; false: there is none.
func (c *Chat) With(label string) (Message, bool) {
	for _, m := range slices.Backward(c.Messages()) {
		if _, ok := m.Data(label); ok {
			return m, true
		}
	}
	return Message{}, false
}

// Close removes the bot from a group or blocks it in a private chat, with an update.
func (c *Chat) Close() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closedReason = fmt.Sprintf("Forbidden: bot was kicked from the %s chat", c.kind)
	status := "kicked"
	if c.kind == "private" {
		c.closedReason = "Forbidden: bot was blocked by the user"
	}
	c.s.queue("my_chat_member", c.membership("member", status), "")
}

// NoPhotos forbids the bot to send pictures.
func (c *Chat) NoPhotos() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.noPhotos = true
}

// Reopen undoes Close, with an update.
func (c *Chat) Reopen() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closedReason = ""
	c.s.queue("my_chat_member", c.membership("kicked", "member"), "")
}

// membership returns a change of the bot's status from before to after, for an update. The caller holds the lock.
func (c *Chat) membership(before, after string) map[string]any {
	member := func(status string) map[string]any {
		m := map[string]any{"user": c.s.self(), "status": status}
		if status == "kicked" {
			m["until_date"] = 0
		}
		return m
	}
	by := c.person
	if by.ID == 0 {
		by = Person{ID: 1, First: "Owner"}
	}
	return map[string]any{
		"chat": c.json(), "from": by.user(), "date": c.s.now().Unix(),
		"old_chat_member": member(before), "new_chat_member": member(after),
	}
}

// json returns the chat as a Chat of the Bot API.
func (c *Chat) json() map[string]any {
	j := map[string]any{"id": c.id, "type": c.kind}
	if c.title != "" {
		j["title"] = c.title
	}
	if c.forum {
		j["is_forum"] = true
	}
	if c.kind == "private" {
		j["first_name"] = c.person.First
	}
	return j
}

// selfID is the bot's Telegram id.
const selfID = 4839574812

// self returns the bot as a User of the Bot API.
func (s *Server) self() map[string]any {
	return map[string]any{
		"id": selfID, "is_bot": true, "first_name": "Knobel", "username": username,
		"can_join_groups": true, "can_read_all_group_messages": false,
		"supports_guest_queries": s.modes[0], "supports_inline_queries": s.modes[1],
	}
}
