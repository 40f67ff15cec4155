package books

import (
	"knobel/bot"
	"knobel/games"
)

// Feature returns what they add to the bot.
func (b *Books) Feature() bot.Feature {
	return bot.Feature{
		Zone: func(v *bot.Visit, was, now bot.Settings) error { return b.Visit(v).keepEvenings(was, now) },
		Commands: []bot.Command{{Name: "settle", Subject: bot.ToCount, Run: bot.As(b.Visit, (*visit).settleCommand), Text: "what",
			Options: []bot.Option{{Name: "what", About: games.Say("bot.option.what", nil), Open: true}}}},
	}
}
