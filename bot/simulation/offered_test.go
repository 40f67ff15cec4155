package simulation

import (
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
)

// Whatever people of a town can ask for, a client of Discord can send: each command
// alone, and with each of its options.
func TestDiscordOffersWhatIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 1, trouble{})
		guild := w.discord.Guild("The Dice")
		at := &channel{w: w, guild: guild, Channel: guild.Channel("table")}
		p := w.settle(at, 2)[0]
		for _, c := range w.bot.Commands() {
			if c.Opens != nil {
				continue
			}
			p.says(c.Name)
			w.live(time.Now().Add(5 * time.Second))
			for _, o := range c.Options {
				if value, ok := anyOf(o); ok {
					p.says(c.Name, option{o.Name, value})
					w.live(time.Now().Add(5 * time.Second))
				}
			}
		}
		w.end()
	})
}

// anyOf is something that people say for an option, as they do in asks.
func anyOf(o chat.CommandOption) (value string, ok bool) {
	switch {
	case o.Type == chat.TypeAmount:
		return "", false
	case len(o.Choices) > 0:
		return o.Choices[0].Value, true
	}
	return said[0], o.Type != chat.TypeChoice
}
