// Package standings shows leaderboards, seasons and statistics.
package standings

import (
	"sync"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Standings are the leaderboards and statistics of all chats.
type Standings struct {
	*table.Tables
	shapes  map[string][]games.Shape // that each game can have, by its name
	mu      sync.Mutex
	chances map[string]chance // by game and rules
	faces   counting[store.Faces]
	tallies counting[map[string]int64]
}

// New returns the leaderboards of a bot.
func New(t *table.Tables) *Standings {
	b := &Standings{Tables: t, shapes: map[string][]games.Shape{}, chances: map[string]chance{}}
	for _, g := range t.Games {
		b.shapes[g.Name()] = games.ShapesOf(g)
	}
	b.faces = counting[store.Faces]{of: "dice", count: b.FacesAt, keep: store.Scores.AddFaces}
	b.tallies = counting[map[string]int64]{of: "moves", count: b.TalliesAt, keep: store.Scores.AddTallies}
	return b
}

// Visit is a visit with leaderboards and statistics.
type Visit struct {
	*table.Visit
	bot *Standings
}

// Visit makes a visit one with leaderboards and statistics.
func (b *Standings) Visit(v *bot.Visit) *Visit { return &Visit{b.Tables.Visit(v), b} }

// companion is a player of a chat.
type companion struct {
	player string
	name   string // as it is shown, unlike all others of the chat
	called string // as they call themselves
	off    store.Unlisted
}

// chance is the share of turns that shut the box by chance alone, if that is known.
type chance struct {
	shut  float64
	known bool
}

// The limits of leaderboards.
const (
	maxLeast         = 999 // the largest least number of games
	maxRanked        = 10  // people on a page
	maxNames         = 5   // people in a refusal
	maxSeasonButtons = 8
	maxFriends       = 12
	maxUnits         = 5
	maxVariants      = 12
)

// The limits of statistics.
const (
	maxPlayed   = 100_000 // games of a player that are read, the newest
	maxCounted  = 150     // games that are counted for one answer: each takes some milliseconds
	keptAtOnce  = 64      // tables whose counts are stored in one transaction
	maxChances  = 4096    // chances that are cached before all are dropped: people choose the rules
	maxTallied  = 3       // games on a page with sums of single games
	maxAsked    = 8       // buttons for other players
	maxFaces    = 6       // sides of dice whose faces are listed
	leastDice   = 5       // dice for each face before a test says anything: the usual bound of Pearson's test
	minRivalry  = 3       // games that two players have decided between them before one is called a favourite
	fewEvenings = 8       // evenings from which a picture has a step for each evening, and not for each game
	maxBins     = 12      // stretches of scores
)

// Feature returns the commands of leaderboards, seasons and statistics.
func (b *Standings) Feature() bot.Feature {
	voided := []bot.Option{{Name: "game", Type: chat.TypeNumber, Min: 1,
		About: games.Say("bot.option.voided-game", nil)}}
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
		{Name: "void", Subject: bot.ToCount, Hosted: "bot.hosted.void", Equals: "bot.equals.void",
			How: "bot.void.how", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).askVoid),
			Subs: []bot.Command{ // without a word: they are asked for by buttons alone
				{Name: "agree", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).agreeVoid)},
				{Name: "keep", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).keepGame)},
			}},
		{Hidden: true, Name: "renew", Run: bot.As(b.Visit, (*Visit).renewCommand),
			Needs: 1, How: "bot.no-such-button",
			Options: []bot.Option{{Name: "before", Type: chat.TypeNumber}, {Name: "name", Type: chat.TypeText}}},
	}}
}
