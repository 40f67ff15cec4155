package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/discord/discordtest"
	"knobel/cmd/wiring"
)

// Channel is a channel of a Discord server.
type Channel struct {
	*discordtest.Channel
	Server *discordtest.Server
	Guild  *discordtest.Guild
	People *[]*discordtest.Person
	net    Net
}

// OnDiscord opens a channel of a new Discord server.
func OnDiscord(t *testing.T, n Net) *Channel {
	n.Discord.Listener = n.listener("discord:80")
	v := &Channel{Server: discordtest.Start(t, n.Discord), People: &[]*discordtest.Person{}, net: n}
	v.Guild = v.Server.Guild("The Dice")
	v.Channel = v.Guild.Channel("table")
	return v
}

// Connect returns a new adapter.
func (c *Channel) Connect(log *slog.Logger, _ *wiring.Bot) chat.Platform {
	o := discord.Options{Token: c.Server.Token(), URL: c.Server.URL(), Log: log, Letters: !c.net.Emoji}
	if dial := c.net.dial("discord:80"); dial != nil {
		o.Dial, o.Hear = dial, c.Server.Follow
	}
	return discord.New(o)
}

// Listening reports whether the bot has a connection, and its commands can be used.
func (c *Channel) Listening() bool { return c.Server.Listening() && len(c.menu()) > 0 }

// Wait waits for an event of the server.
func (c *Channel) Wait(ctx context.Context, holds func() bool) error {
	return c.Server.Wait(ctx, holds)
}

// Meet adds a person.
func (c *Channel) Meet(name, language string) int {
	if language == "en" {
		language = "en-US"
	}
	*c.People = append(*c.People, c.Server.Person(name, language))
	return len(*c.People) - 1
}

// ID returns a person's id.
func (c *Channel) ID(who int) string { return "discord:" + (*c.People)[who].ID }

// Appoint lets a person manage the server.
func (c *Channel) Appoint(who int) { (*c.People)[who].Permissions |= discordtest.ManageGuild }

// Messages returns the messages in the channel.
func (c *Channel) Messages(who int) (all []Message) {
	seen := c.Channel.Messages()
	if who >= 0 {
		seen = append(seen, c.Private((*c.People)[who])...)
	}
	for _, m := range seen {
		a := Message{
			ID: m.ID, Text: m.Text(), Alone: m.Private(), Edits: m.Edits, Answers: m.Answers,
			Pictures: map[string]string{},
		}
		for _, id := range m.Called {
			a.Calls = append(a.Calls, "discord:"+id)
		}
		for _, c := range m.Selects() {
			for _, o := range c.Options {
				a.Buttons = append(a.Buttons, Button{Label: o.Label, Data: o.Value, Picked: o.Default})
			}
		}
		for _, b := range m.Buttons() {
			a.Buttons = append(a.Buttons, Button{Label: b.Label, Data: b.CustomID, Picked: b.Style == 3})
		}
		for _, f := range m.Attachments {
			if strings.HasSuffix(f.Name, ".png") {
				a.Pictures[f.Name] = f.Description
			} else {
				a.File = f.Content
			}
		}
		all = append(all, a)
	}
	return all
}

// Write uses a command.
func (c *Channel) Write(who int, line string) Deed {
	name, given := c.given(line)
	return did(c.Slash((*c.People)[who], name, given...), true)
}

// Mention uses a command whose last option is a person, chosen if Discord lists people, or else mentioned.
func (c *Channel) Mention(who int, line string, other int) Deed {
	chosen := (*c.People)[other]
	if name, row, below := c.row(line); below {
		return did(c.Slash((*c.People)[who], name, discordtest.Option{Name: row.Options[0].Name, Value: chosen}), true)
	}
	name, given := c.given(line)
	last := &given[len(given)-1]
	if last.Value = chosen; c.kind(name, last.Name) == 3 {
		last.Value = strings.TrimSpace(strings.SplitAfter(line, last.Name+"=")[1] + " <@" + chosen.ID + ">")
	}
	return did(c.Slash((*c.People)[who], name, given...), true)
}

// given returns a line's command and options: options by their names, or the words of a subcommand in their order.
func (c *Channel) given(line string) (name string, given []discordtest.Option) {
	if name, row, below := c.row(line); below {
		words := strings.Fields(line)[min(2, len(strings.Fields(line))):]
		for _, o := range row.Options {
			if len(words) == 0 {
				break
			}
			var value any
			if n, err := strconv.Atoi(words[0]); o.Type == 4 && err == nil {
				value, words = n, words[1:]
			} else {
				value, words = c.meant(o.Type, strings.Join(words, " ")), nil
			}
			given = append(given, discordtest.Option{Name: o.Name, Value: value})
		}
		return name, given
	}
	name, options := parsed(line)
	command, known := find(c.menu(), name)
	for i, o := range options {
		if _, listed := find(command.Options, o.name); known && !listed && i > 0 { // a text that has "=" in it
			last := &given[len(given)-1]
			last.Value = fmt.Sprint(last.Value, " ", o.name, "=", o.value)
			continue
		}
		given = append(given, discordtest.Option{Name: o.name, Value: c.typed(name, o)})
	}
	return name, given
}

// meant returns a text, or the person of that name if a person is to be chosen.
func (c *Channel) meant(kind int, text string) any {
	for _, p := range *c.People {
		if kind == 6 && p.Name == text {
			return p
		}
	}
	return text
}

// typed returns a value of the type in the command's menu.
func (c *Channel) typed(command string, o option) any {
	kind := c.kind(command, o.name)
	if n, err := strconv.Atoi(o.value); kind == 4 && err == nil {
		return n
	}
	if kind == 5 {
		return o.value == "true"
	}
	return c.meant(kind, o.value)
}

// listed is a registered command, subcommand or option.
type listed struct {
	Name    string
	Names   map[string]string `json:"name_localizations"`
	Type    int
	Options []listed
}

// find returns the one with a name in any language.
func find(all []listed, name string) (listed, bool) {
	i := slices.IndexFunc(all, func(l listed) bool {
		return l.Name == name || slices.Contains(slices.Collect(maps.Values(l.Names)), name)
	})
	if i < 0 {
		return listed{}, false
	}
	return all[i], true
}

func (c *Channel) menu() (all []listed) {
	if json.Unmarshal(c.Server.Commands(), &all) != nil {
		return nil
	}
	return all
}

// row returns the subcommand of a line: by its second word, or the first subcommand.
func (c *Channel) row(line string) (name string, row listed, below bool) {
	words := strings.Fields(strings.TrimPrefix(line, "/"))
	command, _ := find(c.menu(), words[0])
	if len(command.Options) == 0 || command.Options[0].Type != 1 {
		return "", listed{}, false
	}
	row = command.Options[0]
	if len(words) > 1 {
		row, _ = find(command.Options, words[1])
	}
	return command.Name + " " + row.Name, row, true
}

// kind returns the type of an option by Discord's numbers; 3 is a text.
func (c *Channel) kind(command, name string) int {
	found, _ := find(c.menu(), command)
	if o, known := find(found.Options, name); known {
		return o.Type
	}
	return 3
}

// Talk posts a text.
func (c *Channel) Talk(who int, text string) { c.Say((*c.People)[who], text) }

// Press presses a button, or chooses from a select.
func (c *Channel) Press(who int, on, data string) Deed {
	for _, m := range c.Private((*c.People)[who]) {
		if s, chooses := m.Select(data); chooses && m.ID == on {
			return did(c.Pick((*c.People)[who], on, s.CustomID, data), false)
		}
	}
	return did(c.Channel.Press((*c.People)[who], on, data), false)
}

// did returns an interaction's answer: private messages, or public ones if the person wrote a command.
func did(i *discordtest.Interaction, wrote bool) Deed {
	return func() (string, bool) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		a, err := i.Answer(ended)
		if err != nil {
			return "", false
		}
		var told []string
		for _, m := range append([]discordtest.Message{a.Message}, a.Further...) {
			if wrote || a.Type != 7 && m.Private() {
				told = append(told, m.Text())
			}
		}
		return strings.Join(told, "\n"), true
	}
}

// Elsewhere returns another channel of the server.
func (c *Channel) Elsewhere() Place {
	return c.At(c.Guild.Channel("another"))
}

// At returns another channel with the same people.
func (c *Channel) At(channel *discordtest.Channel) *Channel {
	there := *c
	there.Channel = channel
	return &there
}

// Name returns the platform's name.
func (c *Channel) Name() string { return "Discord" }

// Writes returns how often a message was posted or edited without an interaction.
func (c *Channel) Writes() int {
	return len(c.Server.Requests("POST /channels")) + len(c.Server.Requests("PATCH /channels"))
}

// Sent returns the texts of all requests.
func (c *Channel) Sent() (all []string) {
	for _, r := range c.Server.Requests("") {
		var body any
		if !strings.Contains(r.Path, "/commands") && json.Unmarshal(r.Body, &body) == nil {
			all = append(all, said(body)...)
		}
	}
	return all
}

// said returns the visible texts of a request.
func said(body any) (all []string) {
	switch body := body.(type) {
	case map[string]any:
		for key, value := range body {
			if text, isText := value.(string); isText && (key == "content" || key == "label" || key == "placeholder") {
				all = append(all, pictured.ReplaceAllString(text, ""))
			} else {
				all = append(all, said(value)...)
			}
		}
	case []any:
		for _, part := range body {
			all = append(all, said(part)...)
		}
	}
	return all
}

// pictured matches a custom emoji in a text.
var pictured = regexp.MustCompile(`<a?:\w+:\d+>`)

// Menu returns the menu of all languages.
func (c *Channel) Menu(language string) string {
	if menu := string(c.Server.Commands()); strings.Contains(menu, `"`+language+`":"`) {
		return menu
	}
	return ""
}

// Vanish deletes the channel.
func (c *Channel) Vanish() { c.Delete() }

// Mute takes the right to write.
func (c *Channel) Mute(on bool) {
	if on {
		c.Deny(discordtest.SendMessages)
	} else {
		c.Allow(discordtest.SendMessages)
	}
}

// LockOut removes the bot from the server.
func (c *Channel) LockOut(on bool) {
	if on {
		c.Guild.Remove()
	} else {
		c.Guild.Return()
	}
}

// Secrets returns the bot's token and the prefix of interaction tokens.
func (c *Channel) Secrets() []string { return []string{c.Server.Token(), discordtest.TokenMark} }

// Storm makes answers fail.
func (c *Channel) Storm() {
	c.Server.Fail(
		discordtest.Fault{On: "POST /interactions", Status: 500},
		discordtest.Fault{On: "POST /interactions", Cut: true, After: true},
		discordtest.Fault{On: "POST /interactions", Status: 502, HTML: true},
		discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 0.2},
	)
}
