package telegram

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/games"
)

// hello is the command that makes the bot greet.
const hello = "hello"

// greeted is how long a greeting counts as the answer to a /start: a link that adds the bot to a group writes one, too.
// unlikedFor is how long a chat that has refused a reaction gets none.
const (
	greeted    = time.Minute
	unlikedFor = time.Hour
)

// handle handles update u. Button presses are answered in the background: u is done once answers has no more tasks.
func (l listener) handle(ctx context.Context, u update, answers *sync.WaitGroup) {
	if u.Message != nil {
		l.noteMessage(*u.Message)
	}
	switch {
	case u.Callback != nil:
		l.press(ctx, u, answers)
	case u.Standing != nil:
		l.memberChanged(ctx, u.ID, *u.Standing)
	case u.Message != nil && u.Message.MigrateTo != 0:
		l.migrate(ctx, u.Message.Chat.ID, u.Message.MigrateTo)
	case u.Message != nil && u.Message.MigrateFrom != 0:
		l.migrate(ctx, u.Message.MigrateFrom, u.Message.Chat.ID)
	case u.Message != nil && (len(u.Message.Joined) > 0 || u.Message.Left != nil):
		ev := l.event(u.ID, *u.Message, u.Message.From)
		for _, p := range u.Message.Joined {
			ev.Joined = append(ev.Joined, userID(p.ID))
		}
		if u.Message.Left != nil {
			ev.Left = append(ev.Left, userID(u.Message.Left.ID))
		}
		l.core.Handle(ctx, ev)
	case u.Message != nil:
		said, ok := l.commandIn(*u.Message)
		if ours := l.commands[said.Name] || said.To != "" || u.Message.Chat.Type == "private"; ok && ours &&
			u.Message.From.ID != 0 {
			l.runCommand(ctx, u.ID, *u.Message, said)
		}
	}
}

// press handles the button press in u and answers it exactly once, even after a panic. The answer is a task of answers.
func (l listener) press(ctx context.Context, u update, answers *sync.WaitGroup) {
	c := u.Callback
	var reply chat.Reply
	leave, came := l.presses.begin(u.chat()), time.Now()
	l.mu.Lock()
	l.turns++
	turn := l.turns // answers are concurrent, so a number orders them
	l.mu.Unlock()
	defer answers.Go(func() {
		defer leave()
		l.answerPress(ctx, *c, turn, reply)
		if l.options.Answered != nil {
			l.options.Answered(time.Since(came))
		}
	})
	if c.Message == nil || c.Data == "" {
		return // another bot's button
	}
	m := *c.Message
	ev := l.event(u.ID, m, c.From)
	ev.Press, ev.On = c.Data, refID(m.Chat.ID, m.ID)
	reply = l.core.Handle(ctx, ev)
}

// runCommand passes the command said in message m to the core and sends the answer, if any, below m if that has a
// number. id is the number of the update.
func (l listener) runCommand(ctx context.Context, id int64, m message, said typedCommand) {
	ev := l.event(id, m, m.From)
	// Greetings have two possible causes: the update that the bot was added, which has no message number, and a /start
	// written by the link. Both get the same event id.
	typed, ok := readCommand(m.Text)
	if said.Name == hello && m.Date != 0 && (m.ID == 0 || ok && typed.Name == "start") {
		ev.ID = greetingID(l.me.ID, m.Chat.ID, m.Date)
	}
	ev.Command, ev.Text = said.Name, said.Text
	ev.Mentions = m.mentions()
	if m.SenderChat != nil { // an anonymous admin or a channel
		ev.User, ev.Name, ev.Locale = "", "", ""
	}
	if ev.Aloud && ev.User != "" {
		l.mutes.ask(ev)
	}
	switch r := l.core.Handle(ctx, ev); {
	case r.Private != nil && r.Private.File != nil:
		l.working.Go(func() {
			if text := l.sendFile(ctx, m.Chat, m.From.ID, r); text != "" {
				l.send(ctx, m, chat.Message{Head: text}, m.receiver(r))
			}
		})
	case r.Private != nil:
		l.send(ctx, m, *r.Private, m.receiver(r))
	case r.Toast == "":
	case r.Receipt && !r.Refused && m.Chat.Type != "private" && m.ID != 0:
		l.receipt(ctx, m, r)
	default:
		l.send(ctx, m, chat.Message{Head: r.Toast}, m.receiver(r))
	}
}

// commandIn returns the command in message m; ok is false if there is none for this bot. A text that mentions the bot,
// and any other text in a private chat, is the command hello.
func (l listener) commandIn(m message) (said typedCommand, ok bool) {
	private := m.Chat.Type == "private"
	said, ok = readCommand(m.Text)
	switch {
	case ok && said.To != "" && !strings.EqualFold(said.To, l.me.Username):
		return said, false
	case ok && said.Name == "start" && !private:
		if !l.greetings.Add(m.Chat.ID, l.options.Clock.Now(), greeted) {
			return said, false
		}
		return typedCommand{Name: hello, To: l.me.Username}, true
	case ok && said.Name == "start": // the first visit, or a link with a payload
		payload := said.Text
		if said.Name, said.Text = "help", ""; payload == "mydata" {
			said.Name = "mydata"
		}
		return said, true
	case ok:
		return said, true
	case strings.TrimSpace(m.Text) == "" || strings.HasPrefix(m.Text, "/"):
		return said, false
	}
	name := l.me.Username
	return typedCommand{Name: hello, To: name}, private || slices.ContainsFunc(m.entities(), func(e entity) bool {
		return e.User != nil && e.User.ID == l.me.ID || e.Type == "mention" && strings.EqualFold(e.said, "@"+name)
	})
}

// event returns the event of update id, by the person who in the place of message m, still without a command or press.
func (l listener) event(id int64, m message, who person) chat.Event {
	ev := chat.Event{
		ID: eventID(l.me.ID, id), Chat: chatID(m.Chat.ID), Place: placeID(m.Chat.ID, m.topic()),
		User: userID(who.ID), Name: who.called(), Locale: who.Language,
		Traits: chat.Traits{Own: m.Chat.Type == "private", Aloud: m.Chat.Type != "private", Threads: m.Chat.Forum},
	}
	switch { // the bot opens no topics: people do that
	case m.Chat.Forum:
		ev.NoThread = games.Say("bot.thread.topics", nil)
	case strings.HasSuffix(m.Chat.Type, "group"):
		ev.NoThread = games.Say("bot.thread.no-topics", nil)
	default:
		ev.NoThread = games.Say("bot.thread.alone", nil)
	}
	if ev.Own {
		ev.Invite = "https://t.me/" + l.me.Username + "?startgroup=" + hello
	}
	ev.Missing = l.mutes.missing(ev.Place)
	ev.Admin = func(ctx context.Context) bool {
		if m.Chat.Type == "private" {
			return true
		}
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		var member tg.ChatMember
		of := tg.Params{"chat_id": decimal(m.Chat.ID), "user_id": decimal(who.ID)}
		if err := l.ask(ctx, "getChatMember", of, &member); err != nil {
			l.log.Warn("look up administrator failed", "error", err)
			return false
		}
		return member.IsCreator() || member.IsAdministrator()
	}
	if !ev.Own {
		ev.Confide = func(ctx context.Context, m chat.Message) bool { return l.sendPrivately(ctx, who.ID, m) }
	}
	return ev
}

// migrate moves the data of a group that became a supergroup to its new id, once: Telegram reports it up to three
// times.
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
	chat.LogFailure(ctx, t.log.Error, "a group that became a supergroup could not be followed", err)
}
