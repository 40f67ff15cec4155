package simulation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
)

// hall is a channel or group in which people meet the bot.
type hall interface {
	// name returns the id of the place.
	name() string
	// messages returns the bot's public messages and the private ones of p, oldest first; nil: only public ones.
	messages(p *person) []message
	// press presses a button by its data.
	press(p *person, on string, data string) *deed
	// say sends a command with options.
	say(p *person, command string, options ...option) *deed
	isTelegram() bool
	// repeat makes the platform deliver the next event twice.
	repeat()
	// appoint makes a person an administrator.
	appoint(p *person)
	// welcome gives the bot all permissions again.
	welcome()
	// incidents returns the faults that can happen here.
	incidents() []incident
}

// message is a message as people see it.
type message struct {
	id      string
	text    string
	buttons []button
	version int64 // of the table, if it is a board and the version is known
}

// button is a button's label and data.
type button struct{ label, data string }

// option is an option of a command.
type option struct{ name, value string }

// deed is a person's action and its answer.
type deed struct {
	who  *person
	data string // the pressed data, "" for a command
	paid int64  // the amount confirmed as paid, 0: none
	life int    // number of the bot's life in which it was done
	at   time.Time
	// query is the id of the press on Telegram, "": none.
	query string
	on    hall
	// answer returns the toast, "" for a silent answer; false: there is no answer yet.
	answer func() (string, bool)
}

// group is a group on Telegram, or a topic of one.
type group struct {
	w     *town
	chat  *telegramtest.Chat
	topic int64
	grows bool  // it can become a supergroup
	again bool  // the next command is delivered twice
	last  int64 // id of the update of the last press
}

func (g *group) name() string { return fmt.Sprintf("telegram:%d:%d", g.chat.ID(), g.topic) }

func (g *group) messages(*person) []message {
	var all []message
	for _, m := range g.chat.Messages() {
		if m.Thread != g.topic {
			continue
		}
		all = append(all, seenOnTelegram(decimal(m.ID), m))
	}
	return all
}

// seenOnTelegram returns m as people see it, without buttons that lead elsewhere.
func seenOnTelegram(id string, m telegramtest.Message) message {
	seen := message{id: id, text: m.Text}
	for _, b := range slices.Concat(m.Keyboard...) {
		if b.Data != "" {
			seen.buttons = append(seen.buttons, button{b.Text, b.Data})
		}
	}
	return seen
}

func (g *group) press(p *person, on, data string) *deed {
	id := g.chat.PressData(p.telegram(), parseInt(on), data)
	if q, ok := g.w.telegram.Query(id); ok {
		g.last = q.Update
	}
	return g.deedOf(p, data, id)
}

// deedOf returns the deed of a press, the query with this id.
func (g *group) deedOf(p *person, data, id string) *deed {
	return &deed{query: id, who: p, data: data, on: g, answer: func() (string, bool) {
		q, _ := g.w.telegram.Query(id)
		if len(q.Answers) == 0 {
			return "", false
		}
		return q.Answers[0].Text, true
	}}
}

func (g *group) say(p *person, command string, options ...option) *deed {
	g.chat.SayIn(g.topic, p.telegram(), typed(command, options))
	if g.again {
		g.again = false
		update := g.w.telegram.Newest()
		g.w.agenda.add(time.Now().Add(5*time.Second), func() { g.w.telegram.Again(update) })
	}
	return nil
}

// typed returns a command with options as people type it.
func typed(command string, options []option) string {
	text := "/" + command
	for _, o := range options {
		if o.name == "tiles" || o.name == "dice" || o.name == "match" || len(options) > 2 {
			text += " " + o.name + "=" + o.value
		} else {
			text += " " + o.value
		}
	}
	return text
}

func (*group) isTelegram() bool { return true }

func (*channel) isTelegram() bool { return false }

func (g *group) repeat() { g.again = true } // Telegram delivers the next command twice

// channel is a channel on Discord.
type channel struct {
	w     *town
	guild *discordtest.Guild
	*discordtest.Channel
	again bool // the next interaction is delivered twice
}

func (c *channel) name() string { return "discord:" + c.guild.ID + ":" + c.ID }

func (c *channel) messages(p *person) []message {
	var all []message
	seen := c.Messages()
	if p != nil {
		seen = append(c.Private(p.discord(c.w)), seen...)
	}
	for _, m := range seen {
		a := message{id: m.ID, text: m.Text()}
		for _, c := range m.Selects() {
			for _, o := range c.Options {
				a.buttons = append(a.buttons, button{o.Label, o.Value})
			}
		}
		for _, b := range m.Buttons() {
			a.buttons = append(a.buttons, button{b.Label, b.CustomID})
		}
		all = append(all, a)
	}
	return all
}

func (c *channel) press(p *person, on, data string) *deed {
	for _, m := range c.Private(p.discord(c.w)) {
		if list, chooses := m.Select(data); chooses && m.ID == on {
			return c.deedOf(p, data, c.Pick(p.discord(c.w), on, list.CustomID, data))
		}
	}
	return c.deedOf(p, data, c.Press(p.discord(c.w), on, data))
}

func (c *channel) say(p *person, command string, options ...option) *deed {
	var given []discordtest.Option
	if command == "house" { // on Discord, it has the subcommands list and show
		command = "house list"
		for _, o := range options {
			command, options = "house show", []option{{"name", o.value}}
		}
	}
	if command == "settle" {
		var words []string
		for _, o := range options {
			words = strings.Fields(o.value)
		}
		if len(words) == 0 {
			return c.deedOf(p, "", c.Slash(p.discord(c.w), "settle balances"))
		}
		for _, other := range c.w.people {
			if other.called == strings.Join(words[2:], " ") {
				given = []discordtest.Option{{Name: "amount", Value: int(parseInt(words[1]))},
					{Name: "who", Value: other.discord(c.w)}}
			}
		}
		return c.deedOf(p, "", c.Slash(p.discord(c.w), "settle "+words[0], given...))
	}
	for _, o := range options {
		value := any(o.value)
		switch o.name {
		case "stake":
			value = int(parseInt(o.value))
		case "against", "player": // clients offer people, and accept no other words
			i := slices.IndexFunc(c.w.people, func(other *person) bool { return other.called == o.value })
			if i < 0 {
				continue
			}
			value = c.w.people[i].discord(c.w)
		}
		given = append(given, discordtest.Option{Name: o.name, Value: value})
	}
	return c.deedOf(p, "", c.Slash(p.discord(c.w), command, given...))
}

func (c *channel) repeat() { c.again = true } // Discord delivers the next interaction twice

// deedOf returns a deed: p has sent i, with data. If repeat was called before, Discord delivers i a second time.
func (c *channel) deedOf(p *person, data string, i *discordtest.Interaction) *deed {
	if c.again {
		c.again = false
		life := c.w.lives
		c.w.agenda.add(time.Now().Add(300*time.Millisecond), func() {
			if c.w.lives == life { // after a restart of the bot, i is too old to answer
				i.Redeliver()
			}
		})
	}
	return &deed{who: p, data: data, on: c, answer: func() (string, bool) {
		if !i.Answered() {
			return "", false
		}
		a, err := i.Answer(over)
		if err != nil {
			return "", false
		}
		for _, m := range append(a.Further, a.Message) {
			if m.Private() {
				return m.Text(), true
			}
		}
		return "", true
	}}
}

// splitData splits a button's data into table, turn and action; ok is false for other data.
func splitData(data string) (table, turn int64, what string, ok bool) {
	parts := strings.SplitN(data, ":", 4)
	if len(parts) != 4 || parts[0] != "1" {
		return 0, 0, "", false
	}
	return parseInt(parts[1]), parseInt(parts[2]), parts[3], true
}
