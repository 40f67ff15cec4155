package standings

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
)

// Feature returns what they add to the bot.
func (b *Standings) Feature() bot.Feature {
	return bot.Feature{Commands: []bot.Command{
		b.leaderboardCommand(),
		{Hidden: true, Name: "lb", Run: bot.As(b.Visit, (*Visit).queryCommand),
			Options: []bot.Option{{Name: "query", Type: chat.TypeText}}},
		{Name: "stats", Subject: bot.ToCount, OnPerson: "bot.menu.stats",
			Run: bot.Reads(bot.As(b.Visit, (*Visit).statsCommand)),
			How: "bot.no-such-button",
			Options: []bot.Option{
				{Name: "player", Type: chat.TypePerson, About: games.Say("bot.option.player", nil),
					More: bot.Offers(b.Visit, (*Visit).companionChoices)},
				{Name: "picture", Type: chat.TypeChoice,
					Choices: []bot.Choice{bot.TextChoice("scores"), bot.TextChoice(pageOfGames)}},
				{Name: "which", Type: chat.TypeNumber},
			},
			Subs: []bot.Command{{Name: "#balances", Options: []bot.Option{{Name: "unit", Type: chat.TypeText}},
				Run: bot.Reads(bot.As(b.Visit, (*Visit).balancePicture))}}},
		{Name: "season", Subject: bot.ToCount, Hosted: "bot.hosted.season", Equals: "bot.equals.season",
			Run:     bot.As(b.Visit, (*Visit).seasonCommand),
			Options: []bot.Option{{Name: "name", Type: chat.TypeText, About: games.Say("bot.option.season", nil)}}},
		b.voidCommand(),
		{Hidden: true, Name: "renew", Run: bot.As(b.Visit, (*Visit).renewCommand),
			Needs: 1, How: "bot.no-such-button",
			Options: []bot.Option{{Name: "before", Type: chat.TypeNumber}, {Name: "name", Type: chat.TypeText}}},
	}}
}
