package standings

import (
	"knobel/bot"
	"knobel/games"
)

// Feature returns what they add to the bot.
func (b *Standings) Feature() bot.Feature {
	return bot.Feature{Commands: []bot.Command{
		b.leaderboardCommand(),
		{Hidden: true, Name: "lb", Run: bot.As(b.Visit, (*Visit).queryCommand), Text: "query"},
		{Name: "stats", Subject: bot.ToCount, Run: bot.As(b.Visit, (*Visit).statsCommand), Text: "player", Options: []bot.Option{{
			Name: "player", About: games.Say("bot.option.player", nil), Open: true, More: bot.Offers(b.Visit, (*Visit).companionChoices),
		}}},
		{Name: "season", Subject: bot.ToCount, Run: bot.As(b.Visit, (*Visit).seasonCommand), Text: "name",
			Options: []bot.Option{{Name: "name", About: games.Say("bot.option.season", nil), Open: true}}},
		{Hidden: true, Name: "renew", Run: bot.As(b.Visit, (*Visit).renewCommand), Text: "season"},
	}}
}
