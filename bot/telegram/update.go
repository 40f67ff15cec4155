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

// Updates of Telegram as JSON, and commands in their texts.

// update holds the fields of an update that the bot needs. Only one of the pointers is set.
type update struct {
	ID         int64       `json:"update_id"`
	Message    *message    `json:"message"`
	Callback   *callback   `json:"callback_query"`
	Membership *membership `json:"my_chat_member"`
}

// membership is a change of the bot's own membership in a chat.
type membership struct {
	Date int64        `json:"date"`
	Chat conversation `json:"chat"`
	From person       `json:"from"` // who changed it
	Was  botStanding  `json:"old_chat_member"`
	Now  botStanding  `json:"new_chat_member"`
}

// message is a message in a chat. Entities, Photo and ReplyTo are parsed only if needed.
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

// mentions returns the people whom the text mentions without a user name, by their names as written there. Telegram
// describes them outside the text, by UTF-16 positions.
func (m message) mentions() map[string]chat.Mention {
	all := map[string]chat.Mention{}
	for _, e := range m.entities() {
		if e.User != nil {
			all[chat.CleanName(e.said)] = chat.Mention{User: userID(e.User.ID), Name: e.User.displayName()}
		}
	}
	return all
}

// entity is a marked part of a text, such as a mention.
type entity struct {
	Type           string
	Offset, Length int
	User           *person

	said string // the marked text
}

// entities returns the entities of the message whose positions are within its text; nil if they are unreadable.
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

// conversation is a chat: private, a group, a supergroup (possibly a forum with topics) or a channel.
type conversation struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Forum bool   `json:"is_forum"`
}

// person is a user or a bot.
type person struct {
	ID       int64  `json:"id"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	Language string `json:"language_code"`
	ReadsAll bool   `json:"can_read_all_group_messages"` // set for the bot only
}

// displayName returns the first and last name, or else the user name.
func (p person) displayName() string {
	if full := strings.TrimSpace(p.First + " " + p.Last); full != "" {
		return full
	}
	return p.Username
}

// callback is a button press. Message is nil, or has only chat and id, if the bot cannot access it any more.
type callback struct {
	ID      string   `json:"id"`
	From    person   `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

// generalTopic is the thread id of the first topic of every forum. Messages to it are sent without a topic.
const generalTopic = 1

// topic returns the id of the forum topic, 0 for none or the general one. Elsewhere threads are only chains of replies.
func (m message) topic() int64 {
	if !m.InTopic || m.Thread == generalTopic {
		return 0
	}
	return m.Thread
}

// decode parses one update. If that fails, u.ID is still set if it is readable.
func decode(raw json.RawMessage) (u update, err error) {
	if err = json.Unmarshal(raw, &u); err != nil {
		return u, fmt.Errorf("update %d: %w", u.ID, err)
	}
	return u, nil
}

// isPresent reports whether the optional JSON field raw is set and not null.
func isPresent(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// chat returns the id of the update's chat, 0 for none. Updates of one chat are handled in order.
func (u update) chat() int64 {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.Callback != nil && u.Callback.Message != nil:
		return u.Callback.Message.Chat.ID
	case u.Membership != nil:
		return u.Membership.Chat.ID
	}
	return 0
}

// botStanding is the bot's status in a chat. CanSend is nil if Telegram does not restrict it.
type botStanding struct {
	Status  string `json:"status"`
	CanSend *bool  `json:"can_send_messages"`
}

// hasLeft reports whether the bot is not in the chat any more, or was blocked.
func (s botStanding) hasLeft() bool { return s.Status == "left" || s.Status == "kicked" }

// isMuted reports whether the bot is in the chat but may not write there.
func (s botStanding) isMuted() bool {
	return s.Status == "restricted" && s.CanSend != nil && !*s.CanSend
}

// typedCommand is a command in a message.
type typedCommand struct {
	Name string // in lower case, without the slash
	To   string // the addressed bot: the name after @, "" for none
	Text string // the text after it, without surrounding space
}

// commandPattern matches a command with an optional bot name at the start of a text.
var commandPattern = regexp.MustCompile(`^/([A-Za-z0-9_-]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s+|$)`)

// readCommand parses the command at the start of text; false: there is none. Telegram's menus allow no hyphens, so it
// replaces underscores in the name with hyphens.
func readCommand(text string) (typedCommand, bool) {
	m := commandPattern.FindStringSubmatch(text)
	if m == nil {
		return typedCommand{}, false
	}
	name := strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")
	return typedCommand{name, m[2], strings.TrimSpace(text[len(m[0]):])}, true
}

// Ids are made and parsed in this file only: a chat is telegram:CHAT, a place telegram:CHAT:TOPIC with topic 0 for
// none, a message telegram:CHAT:MESSAGE, a person telegram:USER.

// name is the prefix of all ids of Telegram.
const name = "telegram"

// chatID returns the id of a chat with this Telegram id, private or a group.
func chatID(chatNumber int64) chat.Chat { return chat.Chat(fmt.Sprintf("%s:%d", name, chatNumber)) }

// userID returns the id of the person with this Telegram id.
func userID(userNumber int64) chat.User { return chat.User(fmt.Sprintf("%s:%d", name, userNumber)) }

// placeID returns the id of a topic of a chat; topic 0 is the chat without topics.
func placeID(chatNumber, topic int64) chat.Place {
	return chat.Place(fmt.Sprintf("%s:%d:%d", name, chatNumber, topic))
}

// refID returns the reference of a message in a chat.
func refID(chatNumber, message int64) chat.Ref {
	return chat.Ref(fmt.Sprintf("%s:%d:%d", name, chatNumber, message))
}

// eventID returns the id of an update's event. It has the bot's id, since each bot counts its updates from its start.
func eventID(botID, updateID int64) string { return fmt.Sprintf("%s:%d:%d", name, botID, updateID) }

// greetingID returns the event id of a greeting in a chat at date, in Unix seconds. It is the same within a minute: a
// /start and the update that adds the bot may reach different replicas, and one greeting is enough.
func greetingID(botID, chatNumber, date int64) string {
	return fmt.Sprintf("%s:%d:%s:%d:%d", name, botID, hello, chatNumber, date/int64(greetedFor.Seconds()))
}

// parseChat returns the Telegram id in a chat's id, or an error if that is not of Telegram.
func parseChat(chat chat.Chat) (int64, error) {
	id, _, err := parsePair(string(chat) + ":0")
	return id, err
}

// parsePlace returns the Telegram ids of place's chat and topic, topic 0 for none.
func parsePlace(place chat.Place) (chat, topic int64, err error) { return parsePair(string(place)) }

// parseRef returns the Telegram ids of ref's chat and message.
func parseRef(ref chat.Ref) (chat, message int64, err error) { return parsePair(string(ref)) }

// parsePair returns the two numbers in an id of the form telegram:FIRST:SECOND.
func parsePair(id string) (first, second int64, err error) {
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

// decimal returns n in decimal, for a request parameter.
func decimal(n int64) string { return strconv.FormatInt(n, 10) }
