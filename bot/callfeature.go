package bot

// Feature returns what calls add to the bot.
func (b *Calls) Feature() Feature {
	return Feature{
		Loops: []Loop{{Wake: b.callers.Waker, Waits: "calls wait", Look: b.look(), Ends: b.callers.Wait}},
		Settings: []Setting{{
			Name: "calls", Label: "bot.settings.calls", About: "bot.settings.calls-about", How: "bot.settings.calls-how",
			Reads: readCalls, Says: sayCalls,
			Offers: []string{notifyOn, notifyOff},
		}},
		Commands: []Command{{Name: "notify", Subject: OfSelf, Run: As(b.Visit, (*callVisit).notifyCommand), Options: notifyOptions()}},
	}
}
