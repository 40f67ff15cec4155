package telegram

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// handle does what an update asks for. The answers to presses are given beside
// it; the update counts as handled when they are.
func (l listener) handle(ctx context.Context, u update, answers *sync.WaitGroup) {
	switch {
	case u.Callback != nil:
		l.press(ctx, u, answers)
	case u.Standing != nil:
		l.membership(ctx, *u.Standing)
	case u.Message != nil && u.Message.MigrateTo != 0:
		l.migrate(ctx, u.Message.Chat.ID, u.Message.MigrateTo)
	case u.Message != nil && u.Message.MigrateFrom != 0:
		l.migrate(ctx, u.Message.MigrateFrom, u.Message.Chat.ID)
	case u.Message != nil && (len(u.Message.Joined) > 0 || u.Message.Left != nil):
		l.comings(ctx, u.ID, *u.Message)
	case u.Message != nil:
		l.command(ctx, u)
	}
}

// comings tells the bot who has come into a chat or gone.
func (l listener) comings(ctx context.Context, id int64, m message) {
	ev := l.event(id, m, m.From)
	for _, p := range m.Joined {
		ev.Joined = append(ev.Joined, userID(p.ID))
	}
	if m.Left != nil {
		ev.Left = append(ev.Left, userID(m.Left.ID))
	}
	l.core.Handle(ctx, ev)
}

// press handles a press and answers it exactly once, whatever happens.
func (l listener) press(ctx context.Context, u update, answers *sync.WaitGroup) {
	c := u.Callback
	var reply chat.Reply
	leave, turn, came := l.presses.begin(u.chat()), l.number(), time.Now()
	defer answers.Go(func() {
		defer leave()
		l.answerPress(ctx, *c, l.me.ID, turn, reply)
		if l.answered != nil {
			l.answered(time.Since(came))
		}
	})
	if c.Message == nil || c.Data == "" {
		return // a button that is none of ours
	}
	m := *c.Message
	ev := l.event(u.ID, m, c.From)
	ev.Press, ev.On = c.Data, refID(m.Chat.ID, m.ID)
	reply = l.core.Handle(ctx, ev)
}

// command handles a message if it is a command for this bot.
func (l listener) command(ctx context.Context, u update) {
	m := *u.Message
	said, ok := readCommand(m.Text)
	if !ok || !said.forMe(l.me.Username) || m.From.ID == 0 {
		return
	}
	if said.Name == "start" { // Telegram's own button for a first visit, or a link with something behind it
		said.Name, said.Text = first(said.Text), ""
	}
	if !l.commands[said.Name] && said.To == "" && m.Chat.Type != "private" {
		return // another bot's, most likely
	}
	ev := l.event(u.ID, m, m.From)
	ev.Command, ev.Text, ev.Aloud = said.Name, said.Text, m.Chat.Type != "private"
	ev.Mentions = m.mentions()
	if m.SenderChat != nil { // an anonymous administrator, or a channel
		ev.User, ev.Name, ev.Locale = "", "", ""
	}
	if ev.Aloud && ev.User != "" {
		l.mutes.ask(ev)
	}
	l.answerCommand(ctx, m, l.core.Handle(ctx, ev))
}

// event says where something happened and who did it.
func (l listener) event(id int64, m message, who person) chat.Event {
	ev := chat.Event{
		ID: eventID(l.me.ID, id), Chat: chatID(m.Chat.ID), Place: placeID(m.Chat.ID, m.topic()),
		User: userID(who.ID), Name: who.called(), Locale: who.Language, NoThread: noTopics(m.Chat),
		Own: m.Chat.Type == "private",
	}
	ev.Missing = l.mutes.missing(ev.Place)
	ev.Admin = func(ctx context.Context) bool {
		return m.Chat.Type == "private" || l.admin(ctx, m.Chat.ID, who.ID)
	}
	return ev
}

// called returns the name that people see beside a person's messages.
func (p person) called() string {
	if full := strings.TrimSpace(p.First + " " + p.Last); full != "" {
		return full
	}
	return p.Username
}

// admin asks Telegram whether a person runs the chat; in doubt it returns false.
func (t *Telegram) admin(ctx context.Context, chat, user int64) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	raw, err := t.client.call(ctx, "getChatMember", tg.Params{"chat_id": decimal(chat), "user_id": decimal(user)})
	var member tg.ChatMember
	if err == nil {
		err = json.Unmarshal(raw, &member)
	}
	if err != nil {
		t.log.Warn("whether somebody is an administrator is not known", "error", err)
		return false
	}
	return member.IsCreator() || member.IsAdministrator()
}

// migrate follows a group that became a supergroup. Telegram tells of it up to
// three times; the bot does it once.
func (t *Telegram) migrate(ctx context.Context, from, to int64) {
	t.mu.Lock()
	core := t.core
	t.mu.Unlock()
	if core == nil {
		return
	}
	err := core.Migrate(ctx, chatID(from), chatID(to), func(p chat.Place) chat.Place {
		if chat, topic, err := parsePlace(p); err == nil && chat == from {
			return placeID(to, topic)
		}
		return p
	})
	if err != nil {
		t.log.Error("a group that became a supergroup could not be followed", "error", err)
	}
}
