package bot

import "knobel/games"

// Feature returns what help adds to the bot.
func (b *Help) Feature() Feature {
	return Feature{Commands: []Command{
		{Name: "doctor", Subject: OfChat, Run: As(b.Visit, (*helpVisit).doctorCommand)},
		{Name: "help", Subject: OfChat, Run: As(b.Visit, (*helpVisit).helpCommand), Aliases: []string{"start"}, Text: "about",
			Options: []Option{{Name: "about", About: games.Say("bot.option.help", nil), Open: true, More: Offers(b.Visit, (*helpVisit).helpChoices)}}},
		{Name: "language", Subject: OfChat, Run: As(b.Visit, (*helpVisit).languageCommand), Text: "language",
			Options: []Option{{Name: "language", About: games.Say("bot.option.language", nil), Choices: b.languageChoices()}}},
	}}
}
