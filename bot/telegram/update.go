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

// Telegram's updates as JSON, the commands in them, and ids.

// update holds the fields of an update that the bot needs. Only one of its pointers is not nil.
type update struct {
	ID         int64        `json:"update_id"`
	Message    *message     `json:"message"`
	Callback   *callback    `json:"callback_query"`
	Membership *membership  `json:"my_chat_member"`
	Guest      *message     `json:"guest_message"`
	Query      *inlineQuery `json:"inline_query"`
}

// membership is a change of the bot's own status in a chat.
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
	GuestQuery  string          `json:"guest_query_id"`
}

// mentions returns the people that the text mentions without a user name, by the names written in the text. Telegram
// sends them separately, with positions in UTF-16 units.
func (m message) mentions() map[string]chat.Mention {
	all := map[string]chat.Mention{}
	for _, e := range m.entities() {
		if e.User != nil {
			all[chat.OneLine(e.said, chat.MaxName)] = chat.Mention{User: userID(e.User.ID), Name: e.User.displayName()}
		}
	}
	return all
}

// entity is a marked part of a message's text, such as a mention.
type entity struct {
	Type           string
	Offset, Length int
	User           *person

	said string // the marked text
}

// entities returns the marked parts of the text, without those at invalid positions; nil if they are not valid JSON.
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

// conversation is a chat on Telegram: private, a group, a supergroup (as a forum it has topics) or a channel.
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
	// The following fields are set for the bot only.
	ReadsAll bool `json:"can_read_all_group_messages"`
	Guests   bool `json:"supports_guest_queries"`
	Inlines  bool `json:"supports_inline_queries"`
}

// displayName returns the person's first and last name or, if both are empty, the user name.
func (p person) displayName() string {
	if full := strings.TrimSpace(p.First + " " + p.Last); full != "" {
		return full
	}
	return p.Username
}

// callback is a button press. Message has only chat and id if the bot can no longer read that message. It is nil for a
// press on an inline message, whose id is Inline. Instance identifies the chat to this bot.
type callback struct {
	ID       string   `json:"id"`
	From     person   `json:"from"`
	Message  *message `json:"message"`
	Inline   string   `json:"inline_message_id"`
	Instance string   `json:"chat_instance"`
	Data     string   `json:"data"`
}

// generalTopic is the id of the first topic in every forum. A message to that topic is sent without a topic.
const generalTopic = 1

// topic returns the id of the forum topic; 0: none, or the general one. Threads outside forums are chains of replies.
func (m message) topic() int64 {
	if !m.InTopic || m.Thread == generalTopic {
		return 0
	}
	return m.Thread
}

// decode parses one update. After an error u.ID is set if that part was readable.
func decode(raw json.RawMessage) (u update, err error) {
	if err = json.Unmarshal(raw, &u); err != nil {
		return u, fmt.Errorf("update %d: %w", u.ID, err)
	}
	return u, nil
}

// isPresent reports whether the optional JSON field raw is set and not null.
func isPresent(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// chat returns the id of the chat that the update is about, 0 for none. For mentions and queries, which wait for
// nothing, and inline messages it is another number.
func (u update) chat() int64 {
	switch {
	case u.Guest != nil:
		return opaqueKey(u.Guest.GuestQuery)
	case u.Query != nil:
		return opaqueKey(u.Query.ID)
	case u.Callback != nil && u.Callback.Inline != "":
		return opaqueKey(u.Callback.Inline)
	case u.Message != nil:
		return u.Message.Chat.ID
	case u.Callback != nil && u.Callback.Message != nil:
		return u.Callback.Message.Chat.ID
	case u.Membership != nil:
		return u.Membership.Chat.ID
	}
	return 0
}

// botStanding is the bot's own status in a chat. CanSend and CanPin are nil if Telegram does not restrict the bot.
type botStanding struct {
	Status  string `json:"status"`
	CanSend *bool  `json:"can_send_messages"`
	CanPin  *bool  `json:"can_pin_messages"`
}

// hasLeft reports whether the bot is no longer a member of the chat, or a person has blocked it.
func (s botStanding) hasLeft() bool { return s.Status == "left" || s.Status == "kicked" }

// isMuted reports whether the bot is a member of the chat but may not write there.
func (s botStanding) isMuted() bool {
	return s.Status == "restricted" && s.CanSend != nil && !*s.CanSend
}

// typedCommand is a command as typed in a message.
type typedCommand struct {
	Name string // in lower case, without the slash
	To   string // the addressed bot: the name after @, "" for none
	Text string // the text after it, without surrounding space
}

// commandPattern matches a command at the start of a text, with the name of a bot if one is given.
var commandPattern = regexp.MustCompile(`^/([A-Za-z0-9_-]{1,32})(?:@([A-Za-z0-9_]{1,64}))?(?:\s+|$)`)

// readCommand parses the command at the start of text; false: there is none. It replaces underscores in the name by
// hyphens, which Telegram's menus do not allow.
func readCommand(text string) (typedCommand, bool) {
	m := commandPattern.FindStringSubmatch(text)
	if m == nil {
		return typedCommand{}, false
	}
	name := strings.ReplaceAll(strings.ToLower(m[1]), "_", "-")
	return typedCommand{name, m[2], strings.TrimSpace(text[len(m[0]):])}, true
}

// All ids are made and parsed below: telegram:CHAT of a chat, telegram:CHAT:TOPIC of a place (TOPIC is 0 without
// topics), telegram:CHAT:MESSAGE of a message, telegram:USER of a person. Those of chats in which the bot is a guest
// are in guest.go.

// name is the prefix of all ids of Telegram.
const name = "telegram"

// chatID returns the chat.Chat for Telegram's number of a private chat or a group.
func chatID(chatNumber int64) chat.Chat { return chat.Chat(fmt.Sprintf("%s:%d", name, chatNumber)) }

// userID returns the chat.User for Telegram's number of a person.
func userID(userNumber int64) chat.User { return chat.User(fmt.Sprintf("%s:%d", name, userNumber)) }

// placeID returns the chat.Place of a topic in the chat with chatNumber. topic 0 means the chat itself.
func placeID(chatNumber, topic int64) chat.Place {
	return chat.Place(fmt.Sprintf("%s:%d:%d", name, chatNumber, topic))
}

// refID returns the chat.Ref of a message in the chat with chatNumber.
func refID(chatNumber, message int64) chat.Ref {
	return chat.Ref(fmt.Sprintf("%s:%d:%d", name, chatNumber, message))
}

// eventID returns the id of the event for an update. It contains the bot's id: each bot numbers its own updates.
func eventID(botID, updateID int64) string { return fmt.Sprintf("%s:%d:%d", name, botID, updateID) }

// parseChat returns Telegram's number of a chat, or an error if the chat is not on Telegram.
func parseChat(chat chat.Chat) (int64, error) {
	id, _, err := parsePair(string(chat) + ":0")
	return id, err
}

// parsePlace returns Telegram's numbers of place's chat and topic; topic 0: none.
func parsePlace(place chat.Place) (chat, topic int64, err error) { return parsePair(string(place)) }

// parseRef returns Telegram's numbers of the message ref and its chat.
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

// decimal returns n as a decimal text, for the parameters of a request.
func decimal(n int64) string { return strconv.FormatInt(n, 10) }
