package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/discord/discordtest"
	"knobel/bot/standin"
	"knobel/bot/telegram"
	"knobel/bot/telegram/telegramtest"
)

// inChannel is a channel of a Discord server.
type inChannel struct {
	c      *company
	server *discordtest.Server
	guild  *discordtest.Guild
	hall   *discordtest.Channel
	people []*discordtest.Person
	pages  map[int]discordtest.Message // what each has last been told alone
}

func onDiscord(t *testing.T, c *company) venue {
	v := &inChannel{c: c, server: discordtest.Start(t, discordtest.Options{Pace: -1, Within: time.Minute, Repeats: true}), pages: map[int]discordtest.Message{}}
	v.server.Advance(40 * time.Second) // interactions come from so much later: a busy machine has more time for answers
	v.guild = v.server.Guild("The Dice")
	v.hall = v.guild.Channel("table")
	for _, name := range []string{"Anna", "Ben", "Clara"} {
		v.people = append(v.people, v.server.Person(name, "en-US"))
	}
	v.people[0].Permissions |= discordtest.ManageGuild
	return v
}

func (v *inChannel) platform() chat.Platform {
	return discord.New(discord.Options{Token: v.server.Token(), URL: v.server.URL(), Log: slog.New(slog.DiscardHandler)})
}

func (v *inChannel) alike() (venue, []string) {
	there := onDiscord(v.c.T, v.c).(*inChannel)
	return there, []string{"KNOBEL_DISCORD_TOKEN=" + there.server.Token(), "KNOBEL_DISCORD_API_URL=" + there.server.URL()}
}

func (v *inChannel) listens() { v.until("the bot listens", v.server.Listening) }

func (v *inChannel) until(what string, holds func() bool) {
	v.c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if v.server.Wait(ctx, holds) != nil {
		text, _ := v.board()
		v.c.Fatalf("never: %s\n%s", what, text)
	}
}

func (v *inChannel) write(who int, command string) string {
	v.c.Helper()
	words := strings.Fields(strings.TrimPrefix(command, "/"))
	var options []discordtest.Option
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		o := discordtest.Option{Name: name, Value: strings.ReplaceAll(value, "_", " ")}
		if name == "stake" {
			o.Value = int(value[0] - '0')
		}
		options = append(options, o)
	}
	return v.told(who, v.hall.Slash(v.people[who], words[0], options...))
}

// told waits for what an interaction is answered with.
func (v *inChannel) told(who int, i *discordtest.Interaction) string {
	v.c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a, err := i.Answer(ctx)
	if err != nil {
		v.c.Fatal(err)
	}
	text := a.Message.Text()
	if a.Message.Private() {
		v.pages[who] = a.Message
	}
	for _, m := range a.Further {
		text += "\n" + m.Text()
		if m.Private() {
			v.pages[who] = m
		}
	}
	return text
}

// find is the newest message with a button that carries something.
func (v *inChannel) find(who int, ends string) (message, data string) {
	all := v.hall.Messages()
	if page, told := v.pages[who]; told {
		all = append(all, page)
	}
	for i := len(all) - 1; i >= 0; i-- {
		for _, b := range all[i].Buttons() {
			if strings.HasSuffix(b.CustomID, ends) {
				return all[i].ID, b.CustomID
			}
		}
	}
	return "", ""
}

func (v *inChannel) carried(ends string) string {
	_, data := v.find(-1, ends)
	return data
}

func (v *inChannel) press(who int, ends string) string {
	v.c.Helper()
	v.until("there is a button "+ends, func() bool { _, data := v.find(who, ends); return data != "" })
	return v.attempt(who, ends)
}

func (v *inChannel) attempt(who int, ends string) string {
	v.c.Helper()
	message, data := v.find(who, ends)
	if data == "" {
		return ""
	}
	return v.told(who, v.hall.Press(v.people[who], message, data))
}

func (v *inChannel) twice(one, other int, ends string) [2]string {
	v.c.Helper()
	v.until("there is a button "+ends, func() bool { return v.carried(ends) != "" })
	message, data := v.find(-1, ends)
	first, second := v.hall.Press(v.people[one], message, data), v.hall.Press(v.people[other], message, data)
	return [2]string{v.told(one, first), v.told(other, second)}
}

func (v *inChannel) calls(who int) (n int) {
	for _, m := range v.hall.Messages() {
		if slices.Contains(m.Called, v.people[who].ID) {
			n++
		}
	}
	return n
}

func (v *inChannel) id(who int) string { return "discord:" + v.people[who].ID }

func (v *inChannel) file(who int) (file []byte) {
	for _, m := range v.hall.Private(v.people[who]) {
		for _, a := range m.Attachments {
			file = a.Content
		}
	}
	return file
}

func (v *inChannel) board() (string, int) {
	all := v.hall.Messages()
	for i := len(all) - 1; i >= 0; i-- {
		if len(all[i].Buttons()) > 0 {
			return all[i].Text(), len(all)
		}
	}
	return "", len(all)
}

func (v *inChannel) elsewhere() venue {
	there := *v
	there.hall, there.pages = v.guild.Channel("another"), map[int]discordtest.Message{}
	return &there
}

func (v *inChannel) alone(who int) string {
	var told []string
	for _, m := range v.hall.Private(v.people[who]) {
		told = append(told, m.Text())
	}
	return strings.Join(told, "\n")
}

func (v *inChannel) heard(part string) bool {
	return slices.ContainsFunc(v.hall.Messages(), func(m discordtest.Message) bool { return strings.Contains(m.Text(), part) })
}

func (v *inChannel) lacks() {
	v.write(0, "/table")
	v.until("Anna reads what is missing", func() bool { return strings.Contains(v.alone(0), "Missing: Send Messages.") })
}

func (v *inChannel) deny() { v.hall.Deny(discordtest.SendMessages) }

// inGroup is a Telegram group, or a topic of it.
type inGroup struct {
	c      *company
	server *telegramtest.Server
	clock  *standin.Clock
	group  *telegramtest.Chat
	topic  int64
	people []telegramtest.Person
	own    []*telegramtest.Chat // with the bot alone
}

func onTelegram(t *testing.T, c *company) venue {
	clock := standin.NewClock(true)
	return inGroupOf(t, c, clock, telegramtest.Options{Now: clock.Now})
}

func inGroupOf(t *testing.T, c *company, clock *standin.Clock, o telegramtest.Options) *inGroup {
	v := &inGroup{c: c, clock: clock, server: telegramtest.Start(t, o)}
	v.group = v.server.Supergroup("Friends", true)
	for i, name := range []string{"Anna", "Ben", "Clara"} {
		v.people = append(v.people, telegramtest.Person{ID: int64(11 + i), First: name, Language: "en"})
		v.own = append(v.own, v.server.Private(v.people[i]))
	}
	v.group.Admin(v.people[0])
	return v
}

func (v *inGroup) platform() chat.Platform {
	return telegram.New(telegram.Options{Token: v.server.Token(), URL: v.server.URL(), Log: slog.New(slog.DiscardHandler), Clock: v.clock})
}

func (v *inGroup) alike() (venue, []string) {
	there := inGroupOf(v.c.T, v.c, v.clock, telegramtest.Options{})
	return there, []string{"KNOBEL_TELEGRAM_TOKEN=" + there.server.Token(), "KNOBEL_TELEGRAM_API_URL=" + there.server.URL()}
}

func (v *inGroup) listens() {
	v.until("the bot polls", func() bool { return len(v.server.Calls("getUpdates")) > 0 })
}

func (v *inGroup) until(what string, holds func() bool) {
	v.c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if v.server.Wait(ctx, holds) != nil {
		text, _ := v.board()
		v.c.Fatalf("never: %s\n%s", what, text)
	}
}

func (v *inGroup) messages() (here []telegramtest.Message) {
	for _, m := range v.group.Messages() {
		if m.Thread == v.topic {
			here = append(here, m)
		}
	}
	return here
}

func (v *inGroup) write(who int, command string) string {
	v.c.Helper()
	line, rest, _ := strings.Cut(command, " ")
	if name, value, named := strings.Cut(rest, "="); named && (name == "what" || name == "language" || name == "answer" || name == "calls") {
		rest = strings.ReplaceAll(value, "_", " ") // a command with one option has it as its text
	}
	newest := int64(0)
	if all := v.messages(); len(all) > 0 {
		newest = all[len(all)-1].ID
	}
	v.group.SayIn(v.topic, v.people[who], strings.TrimSpace(line+" "+rest))
	told := ""
	v.until(command+" is answered", func() bool {
		for _, m := range v.messages() {
			if m.ID > newest {
				told = m.Text
			}
		}
		return told != ""
	})
	return told
}

func (v *inGroup) find(ends string) (message int64, data string) {
	all := v.messages()
	for i := len(all) - 1; i >= 0; i-- {
		for _, row := range all[i].Keyboard {
			for _, b := range row {
				if strings.HasSuffix(b.Data, ends) {
					return all[i].ID, b.Data
				}
			}
		}
	}
	return 0, ""
}

func (v *inGroup) carried(ends string) string {
	_, data := v.find(ends)
	return data
}

func (v *inGroup) press(who int, ends string) string {
	v.c.Helper()
	v.until("there is a button "+ends, func() bool { return v.carried(ends) != "" })
	return v.attempt(who, ends)
}

func (v *inGroup) attempt(who int, ends string) string {
	v.c.Helper()
	message, data := v.find(ends)
	if data == "" {
		return ""
	}
	return v.answer(v.group.PressData(v.people[who], message, data))
}

// answer waits for what a press is answered with.
func (v *inGroup) answer(query string) string {
	v.c.Helper()
	v.until("a press is answered", func() bool { q, _ := v.server.Query(query); return len(q.Answers) > 0 })
	q, _ := v.server.Query(query)
	return q.Answers[0].Text
}

func (v *inGroup) twice(one, other int, ends string) [2]string {
	v.c.Helper()
	v.until("there is a button "+ends, func() bool { return v.carried(ends) != "" })
	message, data := v.find(ends)
	first, second := v.group.PressData(v.people[one], message, data), v.group.PressData(v.people[other], message, data)
	return [2]string{v.answer(first), v.answer(second)}
}

func (v *inGroup) calls(who int) (n int) {
	for _, m := range v.messages() {
		if strings.Contains(m.HTML, fmt.Sprintf(`"tg://user?id=%d"`, v.people[who].ID)) {
			n++
		}
	}
	return n
}

func (v *inGroup) id(who int) string { return fmt.Sprintf("telegram:%d", v.people[who].ID) }

func (v *inGroup) file(who int) (file []byte) {
	for _, m := range v.own[who].Messages() {
		if m.Document != nil {
			file = m.Document
		}
	}
	return file
}

func (v *inGroup) board() (string, int) {
	all := v.messages()
	for i := len(all) - 1; i >= 0; i-- {
		if len(all[i].Keyboard) > 0 {
			return all[i].Text, len(all)
		}
	}
	return "", len(all)
}

func (v *inGroup) elsewhere() venue {
	there := *v
	there.topic = v.group.Topic("another")
	return &there
}

func (v *inGroup) alone(who int) string {
	var told []string
	for _, m := range v.own[who].Messages() {
		told = append(told, m.Text)
	}
	return strings.Join(told, "\n")
}

func (v *inGroup) heard(part string) bool {
	return slices.ContainsFunc(v.messages(), func(m telegramtest.Message) bool { return strings.Contains(m.Text, part) })
}

func (v *inGroup) lacks() {
	v.group.SayIn(v.topic, v.people[0], "/rules")
	v.until("Anna reads what is missing", func() bool { return strings.Contains(v.alone(0), "Missing there: Send Messages.") })
}

func (v *inGroup) deny() { v.group.Restrict(true) }
