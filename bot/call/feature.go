package call

import (
	"knobel/bot"
)

// Feature returns what calls add to the bot.
func (b *Calls) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.pings.Waker, Waits: "calls cannot be sent", Look: b.look(), Ends: b.pings.Wait}},
		Settings: []bot.Setting{{
			Name: "calls", Label: "bot.settings.calls", About: "bot.settings.calls-about",
			How:   "bot.settings.calls-how",
			Reads: readCalls, Says: sayCalls,
			Offers: []string{notifyOn, notifyOff},
		}},
		Commands: []bot.Command{{Name: "notify", Subject: bot.OfSelf, Run: bot.As(b.Visit, (*visit).notifyCommand),
			Options: notifyOptions()}},
	}
}
