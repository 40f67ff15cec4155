package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram"
	"knobel/bot/telegram/telegramtest"
	"knobel/cmd/wiring"
)

// Group is a group on Telegram, or a topic of it.
type Group struct {
	*telegramtest.Chat
	Server *telegramtest.Server
	Thread int64
	People *[]telegramtest.Person
	own    *[]*telegramtest.Chat // private chats with the bot, opened by Own
	net    Net
	t      *testing.T
	app    telegram.App // zero: there is no Mini App
	// windows are the answers that were shown in a window, which stays open until it is read.
	windows *sync.Map
}

// OnTelegram returns a group with topics on a new Telegram server.
func OnTelegram(t *testing.T, n Net) *Group {
	n.Telegram.Listener = n.listener("telegram:80")
	n.Telegram.Guest, n.Telegram.Inline = true, true
	g := &Group{
		Server: telegramtest.Start(t, n.Telegram), People: &[]telegramtest.Person{}, own: &[]*telegramtest.Chat{},
		net:     n,
		t:       t,
		windows: &sync.Map{},
	}
	g.Chat = g.Server.Supergroup("Friends", true)
	t.Cleanup(func() {
		if left := g.Server.Unanswered(); len(left) > 0 {
			t.Errorf("unanswered presses: %v", left)
		}
		for _, c := range g.Server.Calls() {
			if c.Status == 429 {
				t.Errorf("%s was too much for a chat", c.Method)
			}
		}
	})
	return g
}

// Connect returns a new adapter.
func (g *Group) Connect(log *slog.Logger, _ *wiring.Bot) chat.Platform {
	o := telegram.Options{Token: g.Server.Token(), URL: g.Server.URL(), Log: log, App: g.app}
	o.Dial = g.net.dial("telegram:80")
	return telegram.New(o)
}

// Listening reports whether the bot has polled for updates.
func (g *Group) Listening() bool { return len(g.Server.Calls("getUpdates")) > 0 }

// Wait returns once holds returns true, checking at each event of the server, or returns ctx's error.
func (g *Group) Wait(ctx context.Context, holds func() bool) error { return g.Server.Wait(ctx, holds) }

// Meet adds a person and returns their number.
func (g *Group) Meet(name, language string) int {
	n := len(*g.People)
	p := telegramtest.Person{ID: 7_081_726_300 + int64(n), First: name, Language: language}
	*g.People = append(*g.People, p)
	*g.own = append(*g.own, g.Server.Private(p))
	return n
}

// ID returns a person's id.
func (g *Group) ID(who int) string { return fmt.Sprintf("telegram:%d", (*g.People)[who].ID) }

// Appoint makes a person an administrator of the group.
func (g *Group) Appoint(who int) { g.Admin((*g.People)[who]) }

// Own returns a person's private chat with the bot.
func (g *Group) Own(who int) *telegramtest.Chat { return (*g.own)[who] }

// Messages returns the messages here and, behind them, those in the private chat of person number who (-1: none).
func (g *Group) Messages(who int) (all []Message) {
	add := func(before string, m telegramtest.Message) {
		a := Message{
			ID: before + strconv.FormatInt(m.ID, 10), Text: m.Text, Alone: before != "", File: m.Document,
			Edits:   m.Edits,
			Answers: strconv.FormatInt(m.ReplyTo, 10), Pictures: map[string]string{},
		}
		for _, called := range mention.FindAllStringSubmatch(m.HTML, -1) {
			a.Calls = append(a.Calls, "telegram:"+called[1])
		}
		for _, b := range slices.Concat(m.Keyboard...) {
			a.Buttons = append(a.Buttons, Button{Label: b.Text, Data: b.Data, Picked: b.Style == "success"})
		}
		if m.Photo != nil {
			a.Pictures["photo"] = m.Text
		}
		all = append(all, a)
	}
	for _, m := range g.Chat.Messages() {
		if m.Thread == g.Thread {
			add("", m)
		}
	}
	if who >= 0 {
		for _, m := range g.Own(who).Messages() {
			add(own, m)
		}
	}
	return all
}

var mention = regexp.MustCompile(`"tg://user\?id=(\d+)"`)

// own is the prefix of message ids in a private chat.
const own = "own "

// Write sends a command.
func (g *Group) Write(who int, line string) Deed {
	return g.answerTo(who, func() int64 { return g.SayIn(g.Thread, (*g.People)[who], line) })
}

// Mention sends a command that ends with a mention of a person without "@".
func (g *Group) Mention(who int, line string, other int) Deed {
	return g.answerTo(who, func() int64 { return g.Chat.Mention((*g.People)[who], line, (*g.People)[other]) })
}

// Talk posts a text.
func (g *Group) Talk(who int, text string) { g.SayIn(g.Thread, (*g.People)[who], text) }

// answerTo calls send, which sends a command and returns its id. The answer is a reaction or the next message to who.
func (g *Group) answerTo(who int, send func() int64) Deed {
	before := map[string]bool{}
	for _, m := range g.Messages(who) {
		before[m.ID] = true
	}
	command := send()
	return func() (string, bool) {
		if m, _ := g.Message(command); m.Reaction != "" {
			return m.Reaction, true
		}
		for _, m := range g.Messages(who) {
			if !before[m.ID] {
				return m.Text, true
			}
		}
		return "", false
	}
}

// Press presses the button with this data in the message with the id on.
func (g *Group) Press(who int, on, data string) Deed {
	chat := g.Chat
	on, alone := strings.CutPrefix(on, own)
	if alone {
		chat = g.Own(who)
	}
	return g.answer(chat.PressData((*g.People)[who], numberOf(on), data))
}

// answer returns the deed whose answer is that to a press, the query with this id.
func (g *Group) answer(query string) Deed {
	return func() (string, bool) {
		q, _ := g.Server.Query(query)
		if len(q.Answers) == 0 {
			return "", false
		}
		if len(q.Answers) > 1 {
			g.t.Errorf("a press has the answers %v", q.Answers)
		}
		if q.Answers[0].Alert {
			g.windows.Store(q.Answers[0].Text, true)
		}
		return q.Answers[0].Text, true
	}
}

// Window reports whether a press was answered with this text in a window, which stays open until it is read.
func (g *Group) Window(text string) bool {
	_, ok := g.windows.Load(text)
	return ok
}

// Elsewhere returns another topic of the group.
func (g *Group) Elsewhere() Place {
	there := *g
	there.Thread = g.Topic("another")
	return &there
}

// At returns another chat with the same people.
func (g *Group) At(chat *telegramtest.Chat) *Group {
	there := *g
	there.Chat, there.Thread = chat, 0
	return &there
}

// Name returns the platform's name.
func (g *Group) Name() string { return "Telegram" }

// Writes returns how often the bot has sent or edited a message.
func (g *Group) Writes() (n int) {
	for _, c := range g.Server.Calls() {
		if strings.HasPrefix(c.Method, "send") || strings.HasPrefix(c.Method, "editMessage") {
			n++
		}
	}
	return n
}

// Sent returns the texts and labels of all requests of the bot.
func (g *Group) Sent() (all []string) {
	for _, c := range g.Server.Calls() {
		if c.Method == "setMyCommands" {
			continue
		}
		all = append(all, html.UnescapeString(tagged.ReplaceAllString(c.Params["text"], "")), c.Params["caption"])
		var keys struct {
			Rows [][]telegramtest.Button `json:"inline_keyboard"`
		}
		_ = json.Unmarshal([]byte(c.Params["reply_markup"]), &keys) // "" for none
		for _, b := range slices.Concat(keys.Rows...) {
			all = append(all, b.Text)
		}
	}
	return all
}

var tagged = regexp.MustCompile(`</?[a-z-]+[^>]*>`)

// Menu returns the registered commands for groups, as JSON.
func (g *Group) Menu(language string) string { return g.Server.Commands("all_group_chats", language) }

// Remove deletes a message.
func (g *Group) Remove(message string) { g.Delete(numberOf(message)) }

// Vanish deletes the topic.
func (g *Group) Vanish() { g.DeleteTopic(g.Thread) }

// Mute removes or restores the bot's right to write.
func (g *Group) Mute(on bool) { g.Restrict(on) }

// LockOut removes the bot from the group, or adds it again.
func (g *Group) LockOut(on bool) {
	if on {
		g.Close()
	} else {
		g.Reopen()
	}
}

// Secrets returns the bot's token.
func (g *Group) Secrets() []string { return []string{g.Server.Token()} }

// Storm makes the next requests of the bot fail in several ways.
func (g *Group) Storm() {
	g.Server.Fail(
		telegramtest.Fault{On: "sendMessage", Status: 500, Message: "Internal Server Error"},
		telegramtest.Fault{On: "editMessageText", Cut: true},
		telegramtest.Fault{On: "getUpdates", Status: 502, HTML: true},
		telegramtest.Fault{On: "editMessageText", Status: 502, HTML: true},
		telegramtest.Fault{On: "editMessageText", Cut: true, After: true},
		telegramtest.Fault{On: "getUpdates", Cut: true},
		telegramtest.Fault{On: "sendMessage", Cut: true},
	)
}

// numberOf returns the number in a message's id, 0 if there is none.
func numberOf(id string) int64 {
	n, _ := strconv.ParseInt(id, 10, 64)
	return n
}
