package call

import (
	"knobel/bot"
)

// Feature returns what calls add to the bot.
func (b *Calls) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.pings.Waker, Waits: "calls cannot be sent", Look: b.look(), Ends: b.pings.Wait}},
		Settings: []bot.Setting{{
			Name: "calls", Values: [][2]string{{notifyOn, "bot.notify.on"}, {notifyOff, "bot.notify.off"}},
		}},
		Commands: []bot.Command{{Name: "notify", Subject: bot.OfSelf, Run: bot.As(b.Visit, (*visit).notifyCommand),
			Options: notifyOptions()}},
	}
}
