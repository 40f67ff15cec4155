package telegram

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"knobel/bot/chat"
)

// Updates of Telegram, and its ids.

// update holds the fields that this bot needs; all others are ignored, whatever their shape.
type update struct {
	ID       int64       `json:"update_id"`
	Message  *message    `json:"message"`
	Callback *callback   `json:"callback_query"`
	Standing *membership `json:"my_chat_member"`
}

// membership is a change of the bot's membership in a chat.
type membership struct {
	Date int64        `json:"date"`
	Chat conversation `json:"chat"`
	From person       `json:"from"` // who changed it
	Was  standing     `json:"old_chat_member"`
	Now  standing     `json:"new_chat_member"`
}

type message struct {
	Date        int64           `json:"date"`
	ID          int64           `json:"message_id"`
	Thread      int64           `json:"message_thread_id"`
	InTopic     bool            `json:"is_topic_message"`
	From        person          `json:"from"`
	SenderChat  *conversation   `json:"sender_chat"`
	Chat        conversation    `json:"chat"`
	Text        string          `json:"text"`
	Entities    json.RawMessage `json:"entities"`
	Photo       json.RawMessage `json:"photo"`
	ReplyTo     json.RawMessage `json:"reply_to_message"`
	Joined      []person        `json:"new_chat_members"`
	Left        *person         `json:"left_chat_member"`
	MigrateTo   int64           `json:"migrate_to_chat_id"`
	MigrateFrom int64           `json:"migrate_from_chat_id"`
}

// mentions returns the mentioned people without a user name, by their name in the text. Telegram describes them beside
// the text, by UTF-16 positions.
func (m message) mentions() map[string]chat.Mention {
	all := map[string]chat.Mention{}
	for _, e := range m.entities() {
		if e.User != nil {
			all[chat.CleanName(e.said)] = chat.Mention{User: userID(e.User.ID), Name: e.User.called()}
		}
	}
	return all
}

// entity is a part of a text with a meaning for Telegram, such as a mention. said is that part.
type entity struct {
	Type           string
	Offset, Length int
	User           *person

	said string
}

// entities returns the entities of the message whose positions are within its text.
func (m message) entities() (all []entity) {
	if json.Unmarshal(m.Entities, &all) != nil {
		return nil
	}
	text := utf16.Encode([]rune(m.Text))
	all = slices.DeleteFunc(all, func(e entity) bool {
		return e.Offset < 0 || e.Length <= 0 || e.Offset > len(text)-e.Length
	})
	for i, e := range all {
		all[i].said = string(utf16.Decode(text[e.Offset : e.Offset+e.Length]))
	}
	return all
}

type conversation struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Forum bool   `json:"is_forum"`
}

type person struct {
	ID       int64  `json:"id"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	Language string `json:"language_code"`
	ReadsAll bool   `json:"can_read_all_group_messages"` // of the bot only
}

// called returns a person's displayed name.
func (p person) called() string {
	if full := strings.TrimSpace(p.First + " " + p.Last); full != "" {
		return full
	}
	return p.Username
}

// callback is a button press. Its message may be missing or, if the bot cannot see it any more, have only its chat and
// number.
type callback struct {
	ID      string   `json:"id"`
	From    person   `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

// general is the thread number of the first topic of every forum. Messages for it are sent without a topic.
const general = 1

// topic returns the number of the message's forum topic, 0 for none or the general topic. Outside of forums a thread
// number only means a chain of replies.
func (m message) topic() int64 {
	if !m.InTopic || m.Thread == general {
		return 0
	}
	return m.Thread
}

// decode parses one update. With an error it still returns the update's number if that is readable.
func decode(raw json.RawMessage) (u update, err error) {
	if err = json.Unmarshal(raw, &u); err != nil {
		return u, fmt.Errorf("update %d: %w", u.ID, err)
	}
	return u, nil
}

// present reports whether raw, a field in JSON, is there and not null.
func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// chat returns the number of the update's chat, 0 for none. Updates of one chat are handled in order.
func (u update) chat() int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.Callback != nil && u.Callback.Message != nil:
		return u.Callback.Message.Chat.ID
	case u.Standing != nil:
		return u.Standing.Chat.ID
	}
	return 0
}

// standing is the bot's membership and whether it may write.
type standing struct {
	Status  string `json:"status"`
	CanSend *bool  `json:"can_send_messages"`
}

// out reports whether the bot is not in the chat or was blocked.
func (s standing) out() bool { return s.Status == "left" || s.Status == "kicked" }

// silent reports whether the bot may not write in the chat.
func (s standing) silent() bool { return s.Status == "restricted" && s.CanSend != nil && !*s.CanSend }

// typedCommand is a command as typed.
type typedCommand struct {
	Name string // in lower case, without the slash
	To   string // the bot behind @, "" for none
	Text string // the rest
}

var spelling = regexp.MustCompile(`^/([A-Za-z0-9_-]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s+|$)`)

// readCommand parses a command at the start of text; ok is false if there is none. Telegram's menus allow no hyphens,
// so underscores in the name become hyphens.
func readCommand(text string) (typedCommand, bool) {
	m := spelling.FindStringSubmatch(text)
	if m == nil {
		return typedCommand{}, false
	}
	name := strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")
	return typedCommand{name, m[2], strings.TrimSpace(text[len(m[0]):])}, true
}

// Making and parsing ids of chats, places, people and messages.

// name is the prefix of all ids of Telegram.
const name = "telegram"

// Ids are made and parsed in this file only: a chat is telegram:CHAT, a place telegram:CHAT:TOPIC with topic 0 for
// none, a message telegram:CHAT:MESSAGE, a person telegram:USER.

func chatID(group int64) chat.Chat { return chat.Chat(fmt.Sprintf("%s:%d", name, group)) }

// userID returns the id of the person with this number.
func userID(user int64) chat.User { return chat.User(fmt.Sprintf("%s:%d", name, user)) }

// placeID returns the place of a topic in a group, with topic 0 for none.
func placeID(group, topic int64) chat.Place {
	return chat.Place(fmt.Sprintf("%s:%d:%d", name, group, topic))
}

// refID returns the reference of a message in a group.
func refID(group, message int64) chat.Ref {
	return chat.Ref(fmt.Sprintf("%s:%d:%d", name, group, message))
}

// eventID returns the id of an event, from the numbers of the bot (self) and the update: every bot counts its updates
// from its start.
func eventID(self, update int64) string { return fmt.Sprintf("%s:%d:%d", name, self, update) }

// greetingID returns the id of a greeting's event, the same for all within a minute: a /start and the update that the
// bot was added may reach different replicas, and one greeting a minute is enough.
func greetingID(self, group, date int64) string {
	return fmt.Sprintf("%s:%d:%s:%d:%d", name, self, hello, group, date/int64(greeted.Seconds()))
}

// parseChat returns the number in the id chat, or an error if that is not an id of Telegram.
func parseChat(chat chat.Chat) (int64, error) {
	id, _, err := pair(string(chat) + ":0")
	return id, err
}

// parsePlace returns the numbers of the chat and the topic in place, topic 0 for none.
func parsePlace(place chat.Place) (chat, topic int64, err error) { return pair(string(place)) }

// parseRef returns the numbers of the chat and the message in ref.
func parseRef(ref chat.Ref) (chat, message int64, err error) { return pair(string(ref)) }

// pair returns the two numbers in an id telegram:FIRST:SECOND.
func pair(id string) (first, second int64, err error) {
	parts := strings.Split(id, ":")
	if len(parts) == 3 && parts[0] == name {
		var wrong error
		first, err = strconv.ParseInt(parts[1], 10, 64)
		if second, wrong = strconv.ParseInt(parts[2], 10, 64); err == nil && wrong == nil {
			return first, second, nil
		}
	}
	return 0, 0, fmt.Errorf("%q is no id of telegram", id)
}

// decimal returns n as a parameter of a request.
func decimal(n int64) string { return strconv.FormatInt(n, 10) }
