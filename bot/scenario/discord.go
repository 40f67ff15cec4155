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
	guest  bool // the bot is no member of the channel's place

	activity discord.Activity
}

// OnDiscord returns a channel of a new Discord server.
func OnDiscord(t *testing.T, n Net) *Channel {
	n.Discord.Listener = n.listener("discord:80")
	n.Discord.Accounts = true
	v := &Channel{Server: discordtest.Start(t, n.Discord), People: &[]*discordtest.Person{}, net: n}
	v.Guild = v.Server.Guild("The Dice")
	v.Channel = v.Guild.Channel("table")
	return v
}

// Connect returns a new adapter.
func (c *Channel) Connect(log *slog.Logger, _ *wiring.Bot) chat.Platform {
	o := discord.Options{Token: c.Server.Token(), URL: c.Server.URL(), Log: log, Letters: !c.net.Emoji,
		Activity: c.activity}
	if dial := c.net.dial("discord:80"); dial != nil {
		o.Dial, o.Hear = dial, c.Server.Follow
	}
	return discord.New(o)
}

// Listening reports whether the bot is connected and has registered its commands.
func (c *Channel) Listening() bool { return c.Server.Listening() && len(c.commands()) > 0 }

// Wait returns once holds returns true, checking at each event of the server, or returns ctx's error.
func (c *Channel) Wait(ctx context.Context, holds func() bool) error {
	return c.Server.Wait(ctx, holds)
}

// Meet adds a person and returns their number.
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

// Messages returns the messages in the channel and, behind them, those private to person number who (-1: none).
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

// Write sends a command.
func (c *Channel) Write(who int, line string) Deed {
	name, given := c.parseLine(line)
	return replyTo(c.Slash((*c.People)[who], name, given...), true)
}

// Mention sends a command whose last option is a person: chosen if Discord lists people there, else mentioned.
func (c *Channel) Mention(who int, line string, other int) Deed {
	chosen := (*c.People)[other]
	if name, sub, isSubcommand := c.subcommand(line); isSubcommand {
		return replyTo(c.Slash((*c.People)[who], name,
			discordtest.Option{Name: sub.Options[0].Name, Value: chosen}), true)
	}
	name, given := c.parseLine(line)
	last := &given[len(given)-1]
	if last.Value = chosen; c.optionType(name, last.Name) == 3 {
		last.Value = strings.TrimSpace(strings.SplitAfter(line, last.Name+"=")[1] + " <@" + chosen.ID + ">")
	}
	return replyTo(c.Slash((*c.People)[who], name, given...), true)
}

// parseLine returns a line's command and options: options by their names, or the words of a subcommand in their order.
func (c *Channel) parseLine(line string) (name string, given []discordtest.Option) {
	if name, sub, isSubcommand := c.subcommand(line); isSubcommand {
		words := strings.Fields(line)[min(2, len(strings.Fields(line))):]
		for _, o := range sub.Options {
			if len(words) == 0 {
				break
			}
			var value any
			if n, err := strconv.Atoi(words[0]); o.Type == 4 && err == nil {
				value, words = n, words[1:]
			} else {
				value, words = c.personOr(o.Type, strings.Join(words, " ")), nil
			}
			given = append(given, discordtest.Option{Name: o.Name, Value: value})
		}
		return name, given
	}
	name, options := splitOptions(line)
	command, known := findItem(c.commands(), name)
	for i, o := range options {
		if _, listed := findItem(command.Options, o.name); known && !listed && i > 0 { // a text that has "=" in it
			last := &given[len(given)-1]
			last.Value = fmt.Sprint(last.Value, " ", o.name, "=", o.value)
			continue
		}
		given = append(given, discordtest.Option{Name: o.name, Value: c.typedValue(name, o)})
	}
	return name, given
}

// personOr returns the person with the name text if the option type kind is a person, else text.
func (c *Channel) personOr(kind int, text string) any {
	for _, p := range *c.People {
		if kind == 6 && p.Name == text {
			return p
		}
	}
	return text
}

// typedValue returns the value of o in the type that the command's menu has for it.
func (c *Channel) typedValue(command string, o option) any {
	kind := c.optionType(command, o.name)
	if n, err := strconv.Atoi(o.value); kind == 4 && err == nil {
		return n
	}
	if kind == 5 {
		return o.value == "true"
	}
	return c.personOr(kind, o.value)
}

// menuItem is a registered command, subcommand or option.
type menuItem struct {
	Name    string
	Names   map[string]string `json:"name_localizations"`
	Type    int
	Options []menuItem
}

// findItem returns the item with a name in any language, and false if there is none.
func findItem(all []menuItem, name string) (menuItem, bool) {
	i := slices.IndexFunc(all, func(l menuItem) bool {
		return l.Name == name || slices.Contains(slices.Collect(maps.Values(l.Names)), name)
	})
	if i < 0 {
		return menuItem{}, false
	}
	return all[i], true
}

func (c *Channel) commands() (all []menuItem) {
	if json.Unmarshal(c.Server.Commands(), &all) != nil {
		return nil
	}
	return all
}

// subcommand returns the subcommand named by a line's second word, else the first, and its full name; !ok: none.
func (c *Channel) subcommand(line string) (name string, sub menuItem, ok bool) {
	words := strings.Fields(strings.TrimPrefix(line, "/"))
	command, _ := findItem(c.commands(), words[0])
	if len(command.Options) == 0 || command.Options[0].Type != 1 {
		return "", menuItem{}, false
	}
	sub = command.Options[0]
	if len(words) > 1 {
		sub, _ = findItem(command.Options, words[1])
	}
	return command.Name + " " + sub.Name, sub, true
}

// optionType returns Discord's number for the type of an option; 3 is text, also for an unknown option.
func (c *Channel) optionType(command, name string) int {
	found, _ := findItem(c.commands(), command)
	if o, known := findItem(found.Options, name); known {
		return o.Type
	}
	return 3
}

// Talk posts a text.
func (c *Channel) Talk(who int, text string) { c.Say((*c.People)[who], text) }

// Press presses the button with this data in the message with the id on, or chooses data from a select there.
func (c *Channel) Press(who int, on, data string) Deed {
	for _, m := range c.Private((*c.People)[who]) {
		if s, chooses := m.Select(data); chooses && m.ID == on {
			return replyTo(c.Pick((*c.People)[who], on, s.CustomID, data), false)
		}
	}
	return replyTo(c.Channel.Press((*c.People)[who], on, data), false)
}

// replyTo returns the answer to an interaction: private messages, and public ones if the person wrote a command.
func replyTo(i *discordtest.Interaction, wrote bool) Deed {
	return func() (string, bool) {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		a, err := i.Answer(ended)
		if err != nil {
			return "", false
		}
		var told []string
		for n, m := range append([]discordtest.Message{a.Message}, a.Further...) {
			if wrote || (a.Type != 7 || n > 0) && m.Private() {
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

// Writes returns how often the bot has posted or edited a message without an interaction.
func (c *Channel) Writes() int {
	return len(c.Server.Requests("POST /channels")) + len(c.Server.Requests("PATCH /channels"))
}

// Sent returns the visible texts of all requests of the bot.
func (c *Channel) Sent() (all []string) {
	for _, r := range c.Server.Requests("") {
		var body any
		if !strings.Contains(r.Path, "/commands") && json.Unmarshal(r.Body, &body) == nil {
			all = append(all, visibleTexts(body)...)
		}
	}
	return all
}

// visibleTexts returns the visible texts in the JSON value body, without custom emoji.
func visibleTexts(body any) (all []string) {
	switch body := body.(type) {
	case map[string]any:
		for key, value := range body {
			if text, isText := value.(string); isText && (key == "content" || key == "label" || key == "placeholder") {
				all = append(all, customEmoji.ReplaceAllString(text, ""))
			} else {
				all = append(all, visibleTexts(value)...)
			}
		}
	case []any:
		for _, part := range body {
			all = append(all, visibleTexts(part)...)
		}
	}
	return all
}

// customEmoji matches a custom emoji in a text.
var customEmoji = regexp.MustCompile(`<a?:\w+:\d+>`)

// Menu returns the registered commands of all languages as JSON, "" if language is not among them.
func (c *Channel) Menu(language string) string {
	if menu := string(c.Server.Commands()); strings.Contains(menu, `"`+language+`":"`) {
		return menu
	}
	return ""
}

// Vanish deletes the channel.
func (c *Channel) Vanish() { c.Delete() }

// Mute removes or restores the bot's right to write.
func (c *Channel) Mute(on bool) {
	if on {
		c.Deny(discordtest.SendMessages)
	} else {
		c.Allow(discordtest.SendMessages)
	}
}

// LockOut removes the bot from the server, or adds it again.
func (c *Channel) LockOut(on bool) {
	if on {
		c.Guild.Remove()
	} else {
		c.Guild.Return()
	}
}

// Secrets returns the bot's token and the prefix of interaction tokens.
func (c *Channel) Secrets() []string { return []string{c.Server.Token(), discordtest.TokenMark} }

// Storm makes the next answers to interactions fail in several ways.
func (c *Channel) Storm() {
	c.Server.Fail(
		discordtest.Fault{On: "POST /interactions", Status: 500},
		discordtest.Fault{On: "POST /interactions", Cut: true, After: true},
		discordtest.Fault{On: "POST /interactions", Status: 502, HTML: true},
		discordtest.Fault{On: "POST /interactions", Status: 429, RetryAfter: 0.2},
	)
}
