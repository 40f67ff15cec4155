package telegram

import (
	"context"
	"maps"
	"strings"

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

// memberChanged handles a change of the bot's rights in a chat, and greets a group that the bot was added to.
func (l listener) memberChanged(ctx context.Context, id int64, m membership) {
	l.mutes.mu.Lock()
	maps.DeleteFunc(l.mutes.known, func(place chat.Place, _ chat.MissingPermissions) bool {
		in, _, err := parsePlace(place)
		return err == nil && in == m.Chat.ID
	})
	l.mutes.mu.Unlock()
	l.unliked.Forget(m.Chat.ID)
	switch {
	case m.Now.out():
		err := l.core.Lost(ctx, chatID(m.Chat.ID), "")
		chat.LogFailure(ctx, l.log.Error, "that a chat was lost cannot be stored", err)
	case m.Now.silent():
		l.mutes.learn(placeID(m.Chat.ID, 0), toSend)
	case m.Was.out() && strings.HasSuffix(m.Chat.Type, "group") && m.From.ID != 0 &&
		l.greetings.Add(m.Chat.ID, l.options.Clock.Now(), greeted):
		l.runCommand(ctx, id, message{Chat: m.Chat, From: m.From, Date: m.Date}, spoken{Name: hello})
	}
}
