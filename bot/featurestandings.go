package bot

import "knobel/games"

// Feature returns what they add to the bot.
func (b *Standings) Feature() Feature {
	return Feature{Commands: []command{
		b.leaderboardCommand(),
		{hidden: true, name: "lb", run: as(b.Visit, (*standingsVisit).lensCommand), whole: "lens"},
		{name: "stats", subject: toCount, run: as(b.Visit, (*standingsVisit).statsCommand), whole: "player", options: []option{{
			name: "player", about: games.Say("bot.option.player", nil), open: true, more: offers(b.Visit, (*standingsVisit).companionChoices),
		}}},
		{name: "season", subject: toCount, run: as(b.Visit, (*standingsVisit).seasonCommand), whole: "name",
			options: []option{{name: "name", about: games.Say("bot.option.season", nil), open: true}}},
		{hidden: true, name: "renew", run: as(b.Visit, (*standingsVisit).renewCommand), whole: "season"},
	}}
}
