package simulation

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// visit is a hall of which the bot is no member: all that it says there is one message.
type visit struct {
	group
	there *telegramtest.Foreign
	at    string // the message's inline id
}

// newVisit returns a hall with a message of the bot, which invites to a game.
func (w *town) newVisit() *visit {
	there := w.telegram.Foreign(-1)
	return &visit{group{w: w}, there, there.Invite("Who plays?", "Join", "1:0:0:/shutbox 5")}
}

func (v *visit) name() string { return "telegram:inline/" + v.at }

func (v *visit) messages(*person) []message {
	return []message{seenOnTelegram(v.at, v.there.Messages()[0])}
}

func (v *visit) press(p *person, _, data string) *deed {
	d := v.deedOf(p, data, v.there.PressData(p.telegram(), v.at, data))
	d.on = v
	return d
}

// say presses a button that sends a command.
func (v *visit) say(p *person, command string, options ...option) *deed {
	text := "1:0:0:/" + command
	for _, o := range options {
		text += " " + o.value
	}
	if len(text) > 64 || strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		text = "1:0:0:/shutbox 5"
	}
	v.there.PressData(p.telegram(), v.at, text)
	return nil
}

func (v *visit) appoint(*person) {}

func (v *visit) welcome() {}

func (v *visit) incidents() []incident {
	return []incident{
		{"Telegram is away", func() {
			v.w.cut("telegram", true)
			v.w.later(func() { v.w.cut("telegram", false) })
		}},
		{"the bot is told to end", func() { v.w.restart(time.Duration(1+v.w.chance.IntN(600)) * time.Second) }},
	}
}

// call is a channel of Discord where the bot is a guest. The first person has added it to their account.
type call struct {
	channel
	holder *person
}

// newCall returns such a channel in a server or, if group is set, a conversation of several people.
func (w *town) newCall(group bool) *call {
	if group {
		return &call{channel: channel{w: w, guild: &discordtest.Guild{ID: "@"}, Channel: w.discord.Group()}}
	}
	guild := w.discord.Foreign("Elsewhere")
	return &call{channel: channel{w: w, guild: guild, Channel: guild.Channel("games")}}
}

func (c *call) appoint(p *person) {
	c.holder = p
	c.w.discord.Install(p.discord(c.w))
}

// say sends a command that Discord offers to p, or presses a button of the newest message instead.
func (c *call) say(p *person, command string, options ...option) *deed {
	var all []struct {
		Name     string
		Installs []int `json:"integration_types"`
	}
	_ = json.Unmarshal(c.w.discord.Commands(), &all)
	for _, offered := range all {
		if p == c.holder && offered.Name == command && slices.Contains(offered.Installs, 1) {
			return c.channel.say(p, command, options...)
		}
	}
	if seen := c.messages(p); len(seen) > 0 {
		if m := seen[len(seen)-1]; len(m.buttons) > 0 {
			return c.press(p, m.id, m.buttons[p.chance.IntN(len(m.buttons))].data)
		}
	}
	return nil
}

// catchUp lets all tokens die and fails the test unless the board is right after a press on it.
func (c *call) catchUp(p *person) {
	c.w.Helper()
	c.w.discord.ExpireTokens()
	for _, m := range c.messages(nil) {
		refresh, ok := m.buttonFor("!refresh")
		if !ok {
			continue
		}
		c.w.note(p, c.press(p, m.id, refresh.data), refresh.label)
		c.w.live(time.Now().Add(time.Minute))
		number, _, _, _ := splitData(refresh.data)
		c.w.view(func(tx *store.Tx) error {
			t, err := tx.Tables.Table(number)
			if t.Board.Away || t.Board.Drawn != t.Version {
				c.w.Errorf("seed %d: after a press at %s, the board of table %d shows version %d of %d", c.w.seed,
					c.name(), number, t.Board.Drawn, t.Version)
			}
			return err
		})
	}
}

func (c *call) incidents() []incident {
	return append(c.channel.incidents(), incident{"all tokens die", c.w.discord.ExpireTokens},
		incident{"the bot is told to end", func() { c.w.restart(time.Duration(1+c.w.chance.IntN(600)) * time.Second) }})
}

// TestVisits lets people play where the bot is a guest, while requests and the disk fail, tokens and the bot die.
func TestVisits(t *testing.T) {
	seeds, games := uint64(2), 0
	if isLong() {
		seeds = 40
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) {
			w := newTown(t, seed, 0, trouble{lengthy: 0.4, requests: 0.06, disk: 0.01, deaths: 0.008})
			w.strict = checkInterval()
			until := time.Now().Add(40 * time.Minute)
			for n, at := range []hall{w.newVisit(), w.newVisit(), w.newCall(true), w.newCall(false)} {
				w.incidents(at, until)
				for _, p := range w.addPeople(at, 2+n%2) {
					p.attend(until)
				}
			}
			w.live(until)
			w.end()
			games += w.games
		})
	}
	if games == 0 {
		t.Error("no game was finished")
	}
}
