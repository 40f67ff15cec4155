package telegramtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Guest and inline mode: messages of the bot in chats of which it is no member.

// guestWindow is how long a mention or an inline query waits for its answer, in real time: a clock of a test may leap.
const guestWindow = 3 * time.Second

// Foreign is a chat of which the bot is no member. It knows the bot's messages there only by their inline ids.
type Foreign struct {
	s        *Server
	id       int64
	instance string
	last     int64
	inline   []string // the ids of the bot's messages, oldest first
}

// guestQuery is a mention or an inline query.
type guestQuery struct {
	in      *Foreign
	from    Person
	asked   time.Time
	answers int
	inline  bool
	results []article
	sent    string // the inline id of the message that answers a mention, "": none
}

// article is a result as the bot sends it.
type article struct {
	Title   string `json:"title"`
	Content struct {
		Text string `json:"message_text"`
		Mode string `json:"parse_mode"`
	} `json:"input_message_content"`
	Markup json.RawMessage `json:"reply_markup"`
}

// Foreign opens a chat without the bot. Its id may be that of one of the bot's chats, as on the real server.
func (s *Server) Foreign(id int64) *Foreign {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Foreign{s: s, id: id, instance: instanceOf(int64(len(s.inline))<<20 + int64(len(s.guests)) + 1)}
}

// instanceOf returns the chat_instance of a chat: a text that no float64 holds and that may begin with a minus.
func instanceOf(id int64) string { return strconv.FormatInt(-(1<<62)-id, 10) }

// SetInstance makes instance the chat_instance of presses in the chat, "": none.
func (f *Foreign) SetInstance(instance string) { f.instance = instance }

// Instance returns the chat_instance of presses in the chat.
func (f *Foreign) Instance() string { return f.instance }

// SetInstance makes instance the chat_instance of presses in the chat, as of a foreign chat that the bot has joined.
func (c *Chat) SetInstance(instance string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.instance = instance
}

// Mention posts the text of p, which mentions the bot, and returns the id of the query.
func (f *Foreign) Mention(p Person, text string) (query string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.last++
	m := map[string]any{"message_id": f.last, "date": f.s.now().Unix(), "text": text, "from": p.user(),
		"chat": map[string]any{"id": f.id, "type": "supergroup", "title": "Elsewhere"}}
	return f.s.guestMessage(f, p, m)
}

// MentionTwice posts the text of p in a chat of the bot's own, and also has it delivered as a mention of a guest: first
// that if guestFirst. It returns the id of the query.
func (c *Chat) MentionTwice(p Person, text string, guestFirst bool) (query string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	m := c.message(&Message{ID: c.last + 1, From: p.ID, Text: text})
	m["from"] = p.user()
	in := &Foreign{s: c.s, id: c.id, instance: c.instance}
	if guestFirst {
		query = c.s.guestMessage(in, p, m)
	}
	c.say(0, p, text, nil)
	if !guestFirst {
		query = c.s.guestMessage(in, p, m)
	}
	return query
}

// guestMessage queues m as a mention and returns the id of the query. The caller holds the lock.
func (s *Server) guestMessage(in *Foreign, p Person, m map[string]any) string {
	id := s.newQuery(in, p, false)
	copied := map[string]any{"guest_query_id": id}
	for key, value := range m {
		copied[key] = value
	}
	s.queue("guest_message", copied, "")
	return id
}

// newQuery stores a new mention or inline query and returns its id. The caller holds the lock.
func (s *Server) newQuery(in *Foreign, p Person, inline bool) string {
	s.lastQuery++
	id := fmt.Sprintf("guest-%d", 5_000_000_000+s.lastQuery)
	s.guests[id] = &guestQuery{in: in, from: p, asked: time.Now(), inline: inline}
	return id
}

// Type has p type text behind the bot's name and returns the id of the inline query.
func (f *Foreign) Type(p Person, text string) (query string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	id := f.s.newQuery(f, p, true)
	f.s.queue("inline_query", map[string]any{"id": id, "from": p.user(), "query": text, "offset": ""}, "")
	return id
}

// Results returns the titles of the answer to a mention or an inline query; false: there is no answer yet.
func (s *Server) Results(query string) (titles []string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.guests[query]
	for _, r := range q.results {
		titles = append(titles, r.Title)
	}
	return titles, q.answers > 0
}

// Choose sends the result with this title of an inline query into its chat and returns the message's inline id.
func (f *Foreign) Choose(query, title string) (string, error) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	for _, r := range f.s.guests[query].results {
		if r.Title == title {
			return f.s.sendInline(f, r), nil
		}
	}
	return "", fmt.Errorf("no result %q", title)
}

// Sent returns the inline id of the message that answers a mention; "": none yet.
func (s *Server) Sent(query string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.guests[query].sent
}

// sendInline posts a result in a foreign chat and returns the message's inline id. The caller holds the lock.
func (s *Server) sendInline(f *Foreign, r article) string {
	id := fmt.Sprintf("AgAA-%d_%d", len(s.inline)+1, s.lastQuery)
	text, _ := s.withoutMarkup("", r.Content.Text, r.Content.Mode, nil) // checked before
	s.inline[id] = &Chat{s: s, id: -(9e15 + int64(len(s.inline))), kind: "inline", posts: map[int64]*Message{1: {
		ID: 1, Inline: id, Text: text, HTML: r.Content.Text,
		Keyboard: s.keyboard(map[string]string{"reply_markup": string(r.Markup)})}}}
	f.inline = append(f.inline, id)
	s.Tell()
	return id
}

// Invite posts a message with one button, as if the bot had answered a mention, and returns the message's inline id.
func (f *Foreign) Invite(text, label, data string) string {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	var r article
	r.Content.Text = text
	r.Markup, _ = json.Marshal(map[string]any{"inline_keyboard": [][]Button{{{Text: label, Data: data}}}})
	return f.s.sendInline(f, r)
}

// Messages returns the bot's messages in the chat, oldest first.
func (f *Foreign) Messages() (all []Message) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	for _, id := range f.inline {
		if c := f.s.inline[id]; c != nil {
			all = append(all, *c.posts[1])
		}
	}
	return all
}

// Delete deletes a message of the bot: edits of it are refused from now on.
func (f *Foreign) Delete(inline string) {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	delete(f.s.inline, inline)
	f.s.Tell()
}

// PressData presses a button with data on a message of the bot and returns the id of the query.
func (f *Foreign) PressData(p Person, inline, data string) string {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.s.pressed(p, map[string]any{"inline_message_id": inline, "chat_instance": f.instance, "data": data})
}

// Press presses the button with this label below a message of the bot and returns the id of the query.
func (f *Foreign) Press(p Person, inline, label string) (string, error) {
	for _, m := range f.Messages() {
		if data, ok := m.Data(label); ok && m.Inline == inline {
			return f.PressData(p, inline, data), nil
		}
	}
	return "", fmt.Errorf("no button %q on %s", label, inline)
}

// answerable returns the query of a request and marks it as answered. A query has one answer, within guestWindow.
func (s *Server) answerable(method, id string, inline bool, params map[string]string) (*guestQuery, *refusal) {
	q := s.guests[id]
	invalid := badRequest("query is too old and response timeout expired or query ID is invalid")
	switch {
	case q == nil || q.inline != inline:
		s.violate(method, "there is no such query", params)
	case q.answers > 0:
		s.violate(method, "the query is answered already", params)
	case time.Since(q.asked) > guestWindow:
		s.violate(method, "the query is too old", params)
	default:
		q.answers++
		return q, nil
	}
	return nil, invalid
}

// articles returns the results in raw, a list, or a refusal: each needs a valid text.
func (s *Server) articles(method, raw string, params map[string]string) (all []article, refused *refusal) {
	_ = json.Unmarshal([]byte(raw), &all) // checked before
	for _, r := range all {
		text, no := s.withoutMarkup(method, r.Content.Text, r.Content.Mode, params)
		if no == nil && strings.TrimSpace(text) == "" {
			no = badRequest("message text is empty")
		}
		if no != nil {
			return nil, no
		}
	}
	return all, nil
}

func (s *Server) answerGuestQuery(params map[string]string) (any, *refusal) {
	results, no := s.articles("answerGuestQuery", "["+params["result"]+"]", params)
	if no != nil {
		return nil, no
	}
	q, no := s.answerable("answerGuestQuery", params["guest_query_id"], false, params)
	if no != nil {
		return nil, no
	}
	q.results, q.sent = results, s.sendInline(q.in, results[0])
	return map[string]any{"inline_message_id": q.sent}, nil
}

func (s *Server) answerInlineQuery(params map[string]string) (any, *refusal) {
	results, no := s.articles("answerInlineQuery", params["results"], params)
	if no != nil {
		return nil, no
	}
	q, no := s.answerable("answerInlineQuery", params["inline_query_id"], true, params)
	if no != nil {
		return nil, no
	}
	q.results = results
	s.Tell()
	return true, nil
}
