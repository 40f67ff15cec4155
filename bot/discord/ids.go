package discord

import (
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// Ids of chats, places, people and messages: how they are made and parsed, and what their time tells.

// name is what all ids of Discord begin with.
const name = "discord"

// alone stands in place of a server's id in conversations with one person.
const alone = "@"

// chatID is a server, or a conversation with one person.
func chatID(guild, channel string) chat.Chat {
	if guild == "" {
		return chat.Chat(name + ":" + alone + channel)
	}
	return chat.Chat(name + ":" + guild)
}

// placeID is a channel or a thread.
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

// refID is a message in a channel.
func refID(channel, message string) chat.Ref { return chat.Ref(channel + "/" + message) }

func parseRef(r chat.Ref) (channel, message string, err error) {
	channel, message, ok := strings.Cut(string(r), "/")
	if !ok || !snowflake(channel) || !snowflake(message) {
		return "", "", errors.New("that is no message on Discord")
	}
	return channel, message, nil
}

// snowflake reports whether a text is an id as Discord makes them: it stands in
// paths of requests, so nothing else may.
func snowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && s == strconv.FormatUint(n, 10)
}

// epoch is when Discord's ids begin to count, in Unix milliseconds.
const epoch = 1420070400000

// posted is when a message was posted, which its id tells.
func posted(message string) time.Time {
	id, err := strconv.ParseUint(message, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(id>>22) + epoch)
}

// old is when a message is posted anew rather than edited: Discord limits the
// edits of messages older than an hour.
const old = 55 * time.Minute

// clock is Discord's time, learned from its ids: the machine's own may be
// wrong, and would make every board look old.
type clock struct{ ahead atomic.Int64 }

// learn takes an id that was made just now.
func (c *clock) learn(id string) { c.ahead.Store(int64(time.Until(posted(id)))) }

// age is how long ago a message was posted.
func (c *clock) age(message string) time.Duration {
	return time.Since(posted(message)) + time.Duration(c.ahead.Load())
}

// aged reports whether a message is too old to be edited.
func (c *clock) aged(message string) bool {
	return c.age(message) > old
}
