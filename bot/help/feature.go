package help

import (
	"knobel/bot"
	"knobel/games"
)

// Feature returns what help adds to the bot.
func (b *Help) Feature() bot.Feature {
	return bot.Feature{Commands: []bot.Command{
		{Name: "doctor", Subject: bot.OfChat, Run: bot.As(b.Visit, (*visit).doctorCommand)},
		{Name: "help", Subject: bot.OfChat, Run: bot.As(b.Visit, (*visit).helpCommand), Aliases: []string{"start"}, Text: "about",
			Options: []bot.Option{{Name: "about", About: games.Say("bot.option.help", nil), Open: true, More: bot.Offers(b.Visit, (*visit).helpChoices)}}},
		{Name: "language", Subject: bot.OfChat, Run: bot.As(b.Visit, (*visit).languageCommand), Text: "language",
			Options: []bot.Option{{Name: "language", About: games.Say("bot.option.language", nil), Choices: b.LanguageChoices()}}},
	}}
}
