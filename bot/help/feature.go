// Package help has the commands that explain the bot: /help, /doctor, /language and the like.
package help

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
)

// Help explains the bot and its state.
type Help struct{ *table.Tables }

// Feature returns what help adds to the bot.
func (b *Help) Feature() bot.Feature {
	return bot.Feature{Commands: []bot.Command{
		{Name: "doctor", Subject: bot.OfChat, Admins: true, Hosted: "bot.hosted.doctor", Equals: "bot.equals.doctor",
			Run: bot.As(b.Visit, b.doctorCommand)},
		{Name: "help", Subject: bot.OfChat, Run: bot.As(b.Visit, b.helpCommand), Aliases: []string{"start"},
			Options: []bot.Option{{Name: "about", Type: chat.TypeText, About: games.Say("bot.option.help", nil),
				More: bot.Offers(b.Visit, b.helpChoices)}}},
		{Hidden: true, Name: "hello", Run: bot.As(b.Visit, b.helloCommand)},
		{Name: "language", Subject: bot.OfChat, Run: bot.As(b.Visit, b.languageCommand),
			Options: []bot.Option{{
				Name: "language", Type: chat.TypeChoice, About: games.Say("bot.option.language", nil),
				Choices: b.LanguageChoices(),
				Reads:   func(word string) bool { return b.Words.Called(word) != "" }, Refuse: b.noSuchLanguage,
			}}},
	}}
}
