package person

import (
	"knobel/bot"
	"knobel/bot/chat"
)

// Feature returns what they add to the bot.
func (b *People) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.forgetting, Waits: "what was forgotten cannot be erased", Look: b.forgets()}},
		Commands: []bot.Command{
			{Name: "privacy", Subject: bot.OfSelf, Run: bot.As(b.Visit, (*visit).privacyCommand)},
			{Name: "mydata", Subject: bot.OfSelf, Run: bot.As(b.Visit, (*visit).mydataCommand)},
			{Name: "forget", Subject: bot.OfSelf, Run: bot.As(b.Visit, (*visit).forgetCommand),
				How: "bot.forget.how",
				Subs: []bot.Command{
					{Name: "no", Run: bot.As(b.Visit, (*visit).keepMe)},
					{Name: "yes", Needs: 1, Options: []bot.Option{{Name: "word", Type: chat.TypeWord}},
						Run: bot.As(b.Visit, (*visit).reallyForget)},
				}},
		},
	}
}
