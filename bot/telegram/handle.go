package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
	"knobel/games"
)

// hello is the name of the command by which the bot greets a chat.
const hello = "hello"

const (
	// greetedFor is how long a group that was greeted gets no answer to /start: the link that adds the bot sends one.
	greetedFor = time.Minute
	// reactionsOffFor is how long the bot sends no reactions to a chat after that chat has refused one.
	reactionsOffFor = time.Hour
)

// handle passes u to the core and answers a press in the background, in tasks; u is finished when tasks are done.
func (l listener) handle(ctx context.Context, u update, tasks *sync.WaitGroup) {
	if u.Message != nil {
		l.noteMessage(*u.Message)
	}
	switch {
	case u.Callback != nil:
		l.handlePress(ctx, u, tasks)
	case u.Guest != nil:
		l.answerMention(ctx, *u.Guest)
	case u.Query != nil:
		l.answerInline(ctx, *u.Query)
	case u.Membership != nil:
		l.memberChanged(ctx, u.ID, *u.Membership)
	case u.Message != nil && u.Message.MigrateTo != 0:
		l.migrate(ctx, u.Message.Chat.ID, u.Message.MigrateTo)
	case u.Message != nil && u.Message.MigrateFrom != 0:
		l.migrate(ctx, u.Message.MigrateFrom, u.Message.Chat.ID)
	case u.Message != nil && (len(u.Message.Joined) > 0 || u.Message.Left != nil):
		ev := l.event(u.ID, *u.Message, u.Message.From)
		for _, p := range u.Message.Joined {
			ev.Joined = append(ev.Joined, userID(p.ID))
		}
		came := u.Message.Joined
		if u.Message.Left != nil {
			ev.Left = append(ev.Left, userID(u.Message.Left.ID))
			came = append(came, *u.Message.Left)
		}
		l.forgetStandings(u.Message.Chat.ID, came...)
		l.core.Handle(ctx, ev)
	case u.Message != nil:
		said, ok := l.commandIn(*u.Message)
		if ours := l.commands[said.Name] || said.To != "" || u.Message.Chat.Type == "private"; ok && ours &&
			u.Message.From.ID != 0 && l.isFirst(*u.Message, false) {
			l.runCommand(ctx, u.ID, *u.Message, said)
		}
	}
}

// handlePress passes the press in u to the core. It answers once, in the background (in tasks), even after a panic.
func (l listener) handlePress(ctx context.Context, u update, tasks *sync.WaitGroup) {
	c := u.Callback
	var reply chat.Reply
	answered, arrived := l.presses.begin(u.chat()), time.Now()
	l.mu.Lock()
	l.pressCount++
	pressNumber := l.pressCount // answers are concurrent, so a number orders them
	l.mu.Unlock()
	defer tasks.Go(func() {
		defer answered()
		l.answerPress(ctx, *c, pressNumber, reply)
		if l.options.Answered != nil {
			l.options.Answered(time.Since(arrived))
		}
	})
	var ev chat.Event
	ok := c.Data != "" // else it is another bot's button
	if m := c.Message; m != nil {
		ev = l.event(u.ID, *m, c.From)
		ev.Press, ev.On = c.Data, refID(m.Chat.ID, m.ID)
		if !ev.Own {
			ev.Alias = instanceID(c.Instance)
		}
	} else if ok {
		ev, ok = l.inlinePress(u.ID, *c)
	}
	if !ok {
		return
	}
	reply = l.core.Handle(ctx, ev)
}

// runCommand passes command to the core; it is in message m of the update updateID. The answer, if there is one, is
// sent in the background, as a reply to m if m has an id.
func (l listener) runCommand(ctx context.Context, updateID int64, m message, command typedCommand) {
	ev := l.event(updateID, m, m.From)
	// Two updates may cause a greeting: one says that the bot was added, and has no message id; another is the /start
	// from the link that added it. Both get the same event id within a minute, so that the bot greets only once, even
	// if they reach different replicas.
	typed, ok := readCommand(m.Text)
	if command.Name == hello && m.Date != 0 && (m.ID == 0 || ok && typed.Name == "start") {
		ev.ID = fmt.Sprintf("%s:%d:%s:%d:%d", name, l.me.ID, hello, m.Chat.ID, m.Date/int64(greetedFor.Seconds()))
	}
	ev.Command, ev.Text = command.Name, command.Text
	ev.Mentions = m.mentions()
	if m.SenderChat != nil { // an anonymous admin or a channel
		ev.User, ev.Name, ev.Locale = "", "", ""
	}
	if ev.Aloud && ev.User != "" {
		l.mutes.storeRequest(ev)
	}
	switch reply := l.core.Handle(ctx, ev); {
	case reply.Private != nil && reply.Private.File != nil:
		l.working.Go(func() {
			if text := l.sendFile(ctx, m.Chat, m.From.ID, reply); text != "" {
				l.sendAnswer(ctx, m, chat.Message{Head: text}, m.replyReceiver(reply))
			}
		})
	case reply.Private != nil:
		l.sendAnswer(ctx, m, *reply.Private, m.replyReceiver(reply))
	case reply.Toast == "":
	case reply.Receipt && !reply.Refused && m.Chat.Type != "private" && m.ID != 0:
		l.confirm(ctx, m, reply)
	default:
		l.sendAnswer(ctx, m, chat.Message{Head: reply.Toast}, m.replyReceiver(reply))
	}
}

// commandIn returns the command in message m. A text that mentions the bot, and any other text in a private chat, is
// the command hello. ok is false if m is not for this bot.
func (l listener) commandIn(m message) (command typedCommand, ok bool) {
	private := m.Chat.Type == "private"
	command, ok = readCommand(m.Text)
	switch {
	case ok && command.To != "" && !strings.EqualFold(command.To, l.me.Username):
		return command, false
	case ok && command.Name == "start" && !private:
		if !l.greetings.Add(m.Chat.ID, l.options.Clock.Now(), greetedFor) {
			return command, false
		}
		return typedCommand{Name: hello, To: l.me.Username}, true
	case ok && command.Name == "start": // the first visit, or a link with a payload
		payload := command.Text
		if command.Name, command.Text = "help", ""; payload == "mydata" {
			command.Name = "mydata"
		}
		return command, true
	case ok:
		return command, true
	case strings.TrimSpace(m.Text) == "" || strings.HasPrefix(m.Text, "/"):
		return command, false
	}
	name := l.me.Username
	return typedCommand{Name: hello, To: name}, private || slices.ContainsFunc(m.entities(), func(e entity) bool {
		return e.User != nil && e.User.ID == l.me.ID || e.Type == "mention" && strings.EqualFold(e.said, "@"+name)
	})
}

// event returns an event for update updateID: what actor did in the chat and topic of m. The caller adds the command or
// press.
func (l listener) event(updateID int64, m message, actor person) chat.Event {
	ev := chat.Event{
		ID: eventID(l.me.ID, updateID), Chat: chatID(m.Chat.ID), Place: placeID(m.Chat.ID, m.topic()),
		User: userID(actor.ID), Name: actor.displayName(), Locale: actor.Language,
		Traits: chat.Traits{Own: m.Chat.Type == "private", Aloud: m.Chat.Type != "private", Threads: m.Chat.Forum},
	}
	switch { // why the bot opens no topic for a game
	case m.Chat.Forum:
		ev.NoThread = games.Say("bot.thread.topics", nil)
	case strings.HasSuffix(m.Chat.Type, "group"):
		ev.NoThread = games.Say("bot.thread.no-topics", nil)
	default:
		ev.NoThread = games.Say("bot.thread.alone", nil)
	}
	if ev.Own {
		ev.Invite = l.invitation()
	}
	ev.Missing = l.mutes.missing(ev.Place)
	ev.Admin = func(ctx context.Context) bool {
		if m.Chat.Type == "private" {
			return true
		}
		ctx, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		var member tg.ChatMember
		of := tg.Params{"chat_id": decimal(m.Chat.ID), "user_id": decimal(actor.ID)}
		if err := l.callInto(ctx, "getChatMember", of, &member); err != nil {
			l.log.Warn("check administrator rights failed", "error", err)
			return false
		}
		return member.IsCreator() || member.IsAdministrator()
	}
	if !ev.Own {
		ev.Confide = func(ctx context.Context, m chat.Message) bool { return l.sendPrivately(ctx, actor.ID, m) }
	}
	return ev
}

// migrate moves all data of a group when it becomes a supergroup, from the chat oldID to the chat newID. Telegram
// reports that up to three times; the second time nothing is left to move. If Run is not active, migrate does nothing.
func (t *Telegram) migrate(ctx context.Context, oldID, newID int64) {
	t.mu.Lock()
	core := t.core
	t.mu.Unlock()
	if core == nil {
		return
	}
	err := core.Migrate(ctx, chatID(oldID), chatID(newID), func(p chat.Place) chat.Place {
		if chat, topic, err := parsePlace(p); err == nil && chat == oldID {
			return placeID(newID, topic)
		}
		return p
	})
	chat.LogFailure(ctx, t.log.Error, "migrate group to supergroup failed", err)
}
