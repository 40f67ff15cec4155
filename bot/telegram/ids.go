package telegram

import (
	"fmt"
	"strconv"
	"strings"

	"knobel/bot"
)

// name is what all ids of this platform begin with.
const name = "telegram"

// The ids of Telegram are made and read in this file only: a chat is
// telegram:CHAT, a place telegram:CHAT:TOPIC with topic 0 where there is none,
// a message telegram:CHAT:MESSAGE, a person telegram:USER.

func chatID(chat int64) bot.Chat { return bot.Chat(fmt.Sprintf("%s:%d", name, chat)) }

func userID(user int64) bot.User { return bot.User(fmt.Sprintf("%s:%d", name, user)) }

func placeID(chat, topic int64) bot.Place {
	return bot.Place(fmt.Sprintf("%s:%d:%d", name, chat, topic))
}

func refID(chat, message int64) bot.Ref {
	return bot.Ref(fmt.Sprintf("%s:%d:%d", name, chat, message))
}

// eventID holds the bot's own number, too, because every bot counts its
// updates by itself.
func eventID(self, update int64) string { return fmt.Sprintf("%s:%d:%d", name, self, update) }

// parseChat returns the number of a chat.
func parseChat(chat bot.Chat) (int64, error) {
	id, _, err := pair(string(chat) + ":0")
	return id, err
}

// soleID is the number of somebody's own chat with the bot, which is theirs; 0
// for nobody's.
func soleID(user bot.User) int64 {
	id, _, err := pair(string(user) + ":0")
	if err != nil {
		return 0
	}
	return id
}

func parsePlace(place bot.Place) (chat, topic int64, err error) { return pair(string(place)) }

func parseRef(ref bot.Ref) (chat, message int64, err error) { return pair(string(ref)) }

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
