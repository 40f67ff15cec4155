package discord

import (
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// Making and parsing ids of chats, places, people and messages, and the times in them.

// name is the prefix of all ids of Discord.
const name = "discord"

// alone replaces a server's id in direct messages.
const alone = "@"

// chatID returns the chat of a server or of a direct message.
func chatID(guild, channel string) chat.Chat {
	if guild == "" {
		return chat.Chat(name + ":" + alone + channel)
	}
	return chat.Chat(name + ":" + guild)
}

// placeID returns the place of a channel or a thread.
func placeID(guild, channel string) chat.Place {
	if guild == "" {
		guild = alone
	}
	return chat.Place(name + ":" + guild + ":" + channel)
}

// parsePlace returns the channel of a place.
func parsePlace(p chat.Place) (channel string, err error) {
	part := strings.Split(string(p), ":")
	if len(part) != 3 || part[0] != name || !snowflake(part[2]) {
		return "", errors.New("that is no place on Discord")
	}
	return part[2], nil
}

func userID(id string) chat.User { return chat.User(name + ":" + id) }

// refID returns the reference of a message in a channel.
func refID(channel, message string) chat.Ref { return chat.Ref(channel + "/" + message) }

func parseRef(r chat.Ref) (channel, message string, err error) {
	channel, message, ok := strings.Cut(string(r), "/")
	if !ok || !snowflake(channel) || !snowflake(message) {
		return "", "", errors.New("that is no message on Discord")
	}
	return channel, message, nil
}

// snowflake reports whether a text is a valid id. Ids are used in request paths, so nothing else may pass.
func snowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && s == strconv.FormatUint(n, 10)
}

// epoch is the zero of Discord's ids in Unix milliseconds.
const epoch = 1420070400000

// posted returns when a message was posted, from its id.
func posted(message string) time.Time {
	id, err := strconv.ParseUint(message, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(id>>22) + epoch)
}

// old is the age at which a message is replaced rather than edited: Discord limits edits of messages older than an
// hour.
const old = 55 * time.Minute

// clock is Discord's time, learned from the ids of interactions: the machine's may be wrong and would make every board
// look old.
type clock struct{ ahead atomic.Int64 }

// age returns how long ago a message was posted.
func (c *clock) age(message string) time.Duration {
	return time.Since(posted(message)) + time.Duration(c.ahead.Load())
}
