// Package call sends calls, which notify people that it is their turn, and deletes them when it has passed.
package call

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
)

// Calls notifies people that it is their turn. It implements table.Notifier.
type Calls struct {
	*table.Tables
	pings *pings
}

// New returns the Calls of tables and registers it as their notifier.
func New(t *table.Tables) *Calls {
	b := &Calls{t, &pings{Tasks: loop.NewTasks(t.Clock, callAgain)}}
	t.Notifier = b
	return b
}

// Feature returns what calls add to the bot.
func (b *Calls) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.pings.Waker, Waits: "calls cannot be sent", Look: b.lookCalls, Ends: b.pings.Wait}},
		Settings: []bot.Setting{{
			Name: "calls", Values: [][2]string{{notifyOn, "bot.notify.on"}, {notifyOff, "bot.notify.off"}},
		}},
		Commands: []bot.Command{{Name: "notify", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.notifyCommand),
			Options: []bot.Option{{
				Name: "calls", Type: chat.TypeChoice, About: games.Say("bot.option.calls", nil),
				Choices: []bot.Choice{{Value: notifyOn, Label: games.Say("bot.notify.on", nil)},
					{Value: notifyOff, Label: games.Say("bot.notify.off", nil)}},
			}}}},
	}
}
