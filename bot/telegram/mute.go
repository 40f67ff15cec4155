package telegram

import (
	"context"

	"knobel/bot/chat"
	"knobel/games"
)

// Places where the bot may not write, as learned from refusals, and notices about that.

// maxMute is the number of places after which all are dropped: the next request learns them again.
const maxMute = 4096

// missing returns the known missing permissions in a place.
func (m *mutes) missing(place chat.Place) chat.MissingPermissions {
	m.mu.Lock()
	defer m.mu.Unlock()
	if missing, known := m.known[place]; known {
		return missing
	}
	if missing := m.known[wholeOf(place)]; len(missing.Permissions) > 0 && missing.Where.Key == toSend.Where.Key {
		return missing
	}
	return chat.MissingPermissions{}
}

// wholeOf returns the place of a whole chat: a permission missing there is missing in every topic.
func wholeOf(place chat.Place) chat.Place {
	chat, _, err := parsePlace(place)
	if err != nil {
		return place
	}
	return placeID(chat, 0)
}

// ask remembers the person who asked for something until it could be written.
func (m *mutes) ask(ev chat.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.asked) >= maxMute {
		clear(m.asked)
	}
	m.asked[ev.Place] = ev
}

// learn stores the outcome of a write into a place. It returns the event of a person who asked there in vain.
func (m *mutes) learn(place chat.Place, missing chat.MissingPermissions) (ev chat.Event, asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(missing.Permissions) == 0 {
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

// forget drops the missing permissions of a chat after they have changed.
func (m *mutes) forget(chat int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for place := range m.known {
		if in, _, err := parsePlace(place); err == nil && in == chat {
			delete(m.known, place)
		}
	}
}

// Missing permissions as Telegram's clients call them.
var (
	toSend  = missingOf("bot.telegram.send", "bot.telegram.where")
	toTopic = missingOf("bot.telegram.manage-topics", "bot.telegram.where-closed")
)

func missingOf(permission, where string) chat.MissingPermissions {
	return chat.MissingPermissions{Permissions: games.List{games.Say(permission, nil)}, Where: games.Say(where, nil)}
}

// missingBy returns the permission that a refusal shows to be missing.
func missingBy(err error) chat.MissingPermissions {
	switch {
	case says(err, "topic_closed"):
		return toTopic
	case says(err, "not enough rights", "have no rights", "chat_write_forbidden", "chat_restricted"):
		return toSend
	}
	return chat.MissingPermissions{}
}

// answered forgets the person who asked in a place: it was written.
func (m *mutes) answered(place chat.Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.asked, place)
}

// noteWrite takes the outcome of a write into a place. A person who asked there in vain gets the reason in private.
func (t *Telegram) noteWrite(place chat.Place, err error) {
	missing := missingBy(err)
	if err != nil && len(missing.Permissions) == 0 {
		return
	}
	ev, asked := t.mutes.learn(place, missing)
	alone, err := parseChat(chat.Chat(ev.User)) // the private chat has the person's number
	if !asked || err != nil {
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
		t.deliver(ctx, &letter{chat: alone, page: &page{}, m: core.Lacks(ev)})
	})
}

// membership handles a change of the bot's rights in a chat.
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
