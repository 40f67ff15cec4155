// Package standings shows leaderboards, seasons and statistics.
package standings

import (
	"sync"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// Standings is the part of the bot with the leaderboards and statistics of all chats.
type Standings struct {
	*table.Tables
	shapes  map[string][]games.Shape // by the name of the game, the ways in which it can be settled
	mu      sync.Mutex
	chances map[string]chance         // by game and rules, guarded by mu
	faces   counter[store.Faces]      // counts rolled faces
	tallies counter[map[string]int64] // counts the sums that games.Tallied defines
	// renewals wakes the loop that begins seasons.
	renewals loop.Waker
}

// New returns the leaderboards and statistics for the games and chats of t.
func New(t *table.Tables) *Standings {
	b := &Standings{Tables: t, shapes: map[string][]games.Shape{}, chances: map[string]chance{},
		renewals: loop.NewWaker()}
	for _, g := range t.Games {
		b.shapes[g.Name()] = games.ShapesOf(g)
	}
	b.faces = counter[store.Faces]{subject: "dice", count: b.FacesAt, save: store.Scores.AddFaces}
	b.tallies = counter[map[string]int64]{subject: "moves", count: b.TalliesAt, save: store.Scores.AddTallies}
	t.Ended = append(t.Ended, func(v *table.Visit, t store.Table, _ games.Game) error {
		return (&Visit{v, b}).finalEnded(t)
	})
	t.BrokenOff = append(t.BrokenOff, func(v *table.Visit, t store.Table) error { return (&Visit{v, b}).finalLost(t) })
	return b
}

// Visit handles one event (a command or the press of a button), with the methods for leaderboards and statistics.
type Visit struct {
	*table.Visit
	bot *Standings
}

// Visit returns v with the methods for leaderboards and statistics.
func (b *Standings) Visit(v *bot.Visit) *Visit { return &Visit{b.Tables.Visit(v), b} }

// companion is a player who has finished games with other players in a chat.
type companion struct {
	player string         // the id
	name   string         // as shown, unique within the chat
	called string         // the name as stored, which may not be unique
	off    store.Unlisted // whether and why the player is not listed
}

// chance is the probability, from 0 to 1, that a turn played at random shuts the box. It is only set if known is true.
type chance struct {
	shut  float64
	known bool
}

// Limits of leaderboards.
const (
	maxLeast         = 999 // the highest minimum number of games that a user can ask for
	maxRanked        = 10  // players on one page of a leaderboard
	maxNames         = 5   // names listed when an unknown name is refused
	maxSeasonButtons = 8
	maxFriends       = 12
	maxUnits         = 5
	maxVariants      = 12
)

// Limits of statistics.
const (
	maxPlayed   = 100_000 // games of one player that are read, newest first
	maxCounted  = 150     // tables counted for one answer: each takes some milliseconds
	keptAtOnce  = 64      // tables whose counts are stored in one transaction
	maxChances  = 4096    // size of the cache Standings.chances; when it is full, it is cleared
	maxTallied  = 3       // games on one page of the tallies by game
	maxAsked    = 8       // buttons to the statistics of other players
	maxFaces    = 6       // dice with more sides have no list of faces
	leastDice   = 5       // dice per face that a test result needs: the usual bound of Pearson's test
	minRivalry  = 3       // games not tied between two players before one is called a favourite or dreaded opponent
	fewEvenings = 8       // with at least so many evenings, a chart has one step per evening, else one per game
	maxBins     = 12      // bars in a bar chart of scores
)

// Feature returns the commands of leaderboards, seasons and statistics.
func (b *Standings) Feature() bot.Feature {
	voided := []bot.Option{{Name: "game", Type: chat.TypeNumber, Min: 1,
		About: games.Say("bot.option.voided-game", nil)}}
	return bot.Feature{Loops: []bot.Loop{{Wake: b.renewals, Waits: "begin seasons failed", Look: b.beginSeasons}},
		Zone: func(v *bot.Visit, _, after bot.Settings) error { return b.Visit(v).zoneChanged(after) },
		Commands: []bot.Command{
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
				Run: bot.As(b.Visit, (*Visit).seasonCommand), Options: b.seasonOptions()},
			{Name: "void", Subject: bot.ToCount, Hosted: "bot.hosted.void", Equals: "bot.equals.void",
				How: "bot.void.how", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).askVoid),
				Subs: []bot.Command{ // these have no help text: only buttons send them
					{Name: "agree", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).agreeVoid)},
					{Name: "keep", Needs: 1, Options: voided, Run: bot.As(b.Visit, (*Visit).keepGame)},
				}},
			{Hidden: true, Name: "renew", Run: bot.As(b.Visit, (*Visit).renewCommand),
				Needs: 1, How: "bot.no-such-button",
				Options: []bot.Option{{Name: "before", Type: chat.TypeNumber}, {Name: "name", Type: chat.TypeText}}},
		}}
}
