// Package person is what is stored of persons, and how they are forgotten.
package person

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
)

// People are what is stored of persons, and how they are forgotten.
type People struct {
	*table.Tables
	forgetting loop.Waker // the file may still hold data of forgotten people
}

// New returns what a bot stores of persons.
func New(b *table.Tables) *People { return &People{b, loop.NewWaker()} }

// Feature returns what they add to the bot.
func (b *People) Feature() bot.Feature {
	return bot.Feature{
		Loops: []bot.Loop{{Wake: b.forgetting, Waits: "what was forgotten cannot be erased", Look: b.forgets()}},
		Commands: []bot.Command{
			{Name: "privacy", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.privacyCommand)},
			{Name: "mydata", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.mydataCommand)},
			{Name: "forget", Subject: bot.OfSelf, Run: bot.As(b.Visit, b.forgetCommand),
				How: "bot.forget.how",
				Subs: []bot.Command{
					{Name: "no", Run: bot.As(b.Visit, b.keepMe)},
					{Name: "yes", Needs: 1, Options: []bot.Option{{Name: "word", Type: chat.TypeWord}},
						Run: bot.As(b.Visit, b.reallyForget)},
				}},
		},
	}
}
