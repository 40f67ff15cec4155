package help

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
)

// Feature returns what help adds to the bot.
func (b *Help) Feature() bot.Feature {
	return bot.Feature{Commands: []bot.Command{
		{Name: "doctor", Subject: bot.OfChat, Admins: true, Hosted: "bot.hosted.doctor", Equals: "bot.equals.doctor",
			Run: bot.As(b.Visit, (*visit).doctorCommand)},
		{Name: "help", Subject: bot.OfChat, Run: bot.As(b.Visit, (*visit).helpCommand), Aliases: []string{"start"},
			Options: []bot.Option{{Name: "about", Type: chat.TypeText, About: games.Say("bot.option.help", nil),
				More: bot.Offers(b.Visit, (*visit).helpChoices)}}},
		{Hidden: true, Name: "hello", Run: bot.As(b.Visit, (*visit).helloCommand)},
		{Name: "language", Subject: bot.OfChat, Run: bot.As(b.Visit, (*visit).languageCommand),
			Options: []bot.Option{{
				Name: "language", Type: chat.TypeChoice, About: games.Say("bot.option.language", nil),
				Choices: b.LanguageChoices(),
				Reads:   func(word string) bool { return b.Words.Called(word) != "" }, Refuse: b.noSuchLanguage,
			}}},
	}}
}
