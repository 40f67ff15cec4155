package simulation

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/telegram/telegramtest"
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
	m := v.there.Messages()[0]
	seen := message{id: v.at, text: m.Text}
	for _, row := range m.Keyboard {
		for _, b := range row {
			if b.Data != "" {
				seen.buttons = append(seen.buttons, button{b.Text, b.Data})
			}
		}
	}
	return []message{seen}
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

// TestVisits lets people play where the bot is a guest, while requests and the disk fail and the bot dies.
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
			for n := range 2 {
				v := w.newVisit()
				w.incidents(v, until)
				for _, p := range w.addPeople(v, 2+n) {
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
