// Package standings is leaderboards, seasons and statistics.
package standings

import (
	"sync"

	"knobel/bot"
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

// Visit is a visit that looks at them.
type Visit struct {
	*table.Visit
	bot *Standings
}

// Visit makes a visit one that looks at leaderboards and statistics.
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

// How much the menus of a leaderboard offer.
const (
	maxSeasonButtons = 8
	maxFriends       = 12
	maxUnits         = 5
	maxVariants      = 12
)
