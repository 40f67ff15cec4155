package telegram

import (
	"context"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// Which places the bot may not write in, as learned from refusals, and who is told so.

// maxMute is how many places are known, before all are forgotten: what matters
// is learned again by the next request.
const maxMute = 4096

// missing is what the bot may not do in a place, as far as it is known.
func (m *mutes) missing(place chat.Place) chat.MissingPermissions {
	m.mu.Lock()
	defer m.mu.Unlock()
	if missing, known := m.known[place]; known {
		return missing
	}
	if missing := m.known[wholeOf(place)]; !missing.None() && missing.Where.Key == toSend.Where.Key {
		return missing
	}
	return chat.MissingPermissions{}
}

// wholeOf is the place that stands for a whole chat: what the bot may not write
// there it may write in no topic.
func wholeOf(place chat.Place) chat.Place {
	chat, _, err := parsePlace(place)
	if err != nil {
		return place
	}
	return placeID(chat, 0)
}

// ask remembers who has asked for something, until it could be written there.
func (m *mutes) ask(ev chat.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.asked) >= maxMute {
		clear(m.asked)
	}
	m.asked[ev.Place] = ev
}

// learn takes the outcome of writing into a place. It returns the event of a person who has asked
// there in vain.
func (m *mutes) learn(place chat.Place, missing chat.MissingPermissions) (ev chat.Event, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if missing.None() {
		delete(m.known, place)
		delete(m.known, wholeOf(place))
		return ev, false
	}
	ev, asked = m.asked[place]
	delete(m.asked, place)
	if len(m.known) >= maxMute {
		clear(m.known)
	}
	m.known[place] = missing
	if missing.Where.Key == toSend.Where.Key {
		m.known[wholeOf(place)] = missing
	}
	return ev, asked
}

// forget drops what is known to be missing in a chat: its permissions have changed.
func (m *mutes) forget(chat int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for place := range m.known {
		if in, _, err := parsePlace(place); err == nil && in == chat {
			delete(m.known, place)
		}
	}
}

// What a bot may lack in a group, as Telegram's clients call it.
var (
	toSend  = missingOf("bot.telegram.send", "bot.telegram.where")
	toTopic = missingOf("bot.telegram.manage-topics", "bot.telegram.where-closed")
)

func missingOf(permission, where string) chat.MissingPermissions {
	return chat.MissingPermissions{Permissions: games.List{games.Say(permission, nil)}, Where: games.Say(where, nil)}
}

// missingBy is what the bot may not do where Telegram refuses to write.
func missingBy(err error) chat.MissingPermissions {
	switch {
	case says(err, "topic_closed"):
		return toTopic
	case says(err, "not enough rights", "have no rights", "chat_write_forbidden", "chat_restricted"):
		return toSend
	}
	return chat.MissingPermissions{}
}

// answered forgets who has asked for something in a place: there it stands.
func (m *mutes) answered(place chat.Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.asked, place)
}

// wrote takes the outcome of writing into a place. A person who has asked there in vain reads the
// reason in their own chat with the bot.
func (t *Telegram) wrote(place chat.Place, err error) {
	missing := missingBy(err)
	if err != nil && missing.None() {
		return
	}
	ev, asked := t.mutes.learn(place, missing)
	chat := soleID(ev.User)
	if !asked || chat == 0 {
		return
	}
	ev.Missing = missing
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.core == nil {
		return
	}
	core := t.core
	t.working.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), callTime)
		defer cancel()
		t.deliver(ctx, &letter{chat: chat, m: core.Lacks(ev)})
	})
}

// membership hears how the bot stands in a chat from now on.
func (l listener) membership(ctx context.Context, m membership) {
	l.mutes.forget(m.Chat.ID)
	l.unliked.Forget(m.Chat.ID)
	if !m.Now.out() {
		if m.Now.silent() {
			l.mutes.learn(placeID(m.Chat.ID, 0), toSend)
		}
		return
	}
	err := l.core.Lost(ctx, chatID(m.Chat.ID), "")
	chat.LogFailure(ctx, l.log.Error, "that a chat was lost cannot be stored", err)
}

// noTopics returns what to do for a person who asks for a thread: on Telegram people open topics
// themselves.
func noTopics(c conversation) games.Line {
	switch {
	case c.Forum:
		return games.Say("bot.thread.topics", nil)
	case strings.HasSuffix(c.Type, "group"):
		return games.Say("bot.thread.no-topics", nil)
	}
	return games.Say("bot.thread.alone", nil)
}
