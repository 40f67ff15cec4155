package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"knobel/bot/chat"
)

// Making and parsing ids of chats, places, people and messages.

// name is the prefix of all ids of Telegram.
const name = "telegram"

// Ids are made and parsed in this file only: a chat is telegram:CHAT, a place telegram:CHAT:TOPIC with topic 0 for
// none, a message telegram:CHAT:MESSAGE, a person telegram:USER.

func chatID(group int64) chat.Chat { return chat.Chat(fmt.Sprintf("%s:%d", name, group)) }

func userID(user int64) chat.User { return chat.User(fmt.Sprintf("%s:%d", name, user)) }

func placeID(group, topic int64) chat.Place {
	return chat.Place(fmt.Sprintf("%s:%d:%d", name, group, topic))
}

func refID(group, message int64) chat.Ref {
	return chat.Ref(fmt.Sprintf("%s:%d:%d", name, group, message))
}

// eventID contains the bot's number, because every bot counts its updates from its own start.
func eventID(self, update int64) string { return fmt.Sprintf("%s:%d:%d", name, self, update) }

// greetingID replaces an update's number for a greeting: /start and the news that the bot was added may reach
// different replicas, and one greeting a minute is enough.
func greetingID(self, group, date int64) string {
	return fmt.Sprintf("%s:%d:%s:%d:%d", name, self, hello, group, date/int64(greeted.Seconds()))
}

// parseChat returns the number of a chat.
func parseChat(chat chat.Chat) (int64, error) {
	id, _, err := pair(string(chat) + ":0")
	return id, err
}

func parsePlace(place chat.Place) (chat, topic int64, err error) { return pair(string(place)) }

func parseRef(ref chat.Ref) (chat, message int64, err error) { return pair(string(ref)) }

func pair(id string) (first, second int64, err error) {
	parts := strings.Split(id, ":")
	if len(parts) != 3 || parts[0] != name {
		return 0, 0, fmt.Errorf("%q is no id of telegram", id)
	}
	if first, err = strconv.ParseInt(parts[1], 10, 64); err != nil {
		return 0, 0, fmt.Errorf("%q is no id of telegram", id)
	}
	if second, err = strconv.ParseInt(parts[2], 10, 64); err != nil {
		return 0, 0, fmt.Errorf("%q is no id of telegram", id)
	}
	return first, second, nil
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
