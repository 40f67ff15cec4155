package standings

import (
	"knobel/bot"
)

// Standings are the leaderboards and statistics of all chats.
type Standings struct {
	*bot.Tables
	chances chances // what chance alone shuts
}

// New returns the leaderboards of a bot.
func New(t *bot.Tables) *Standings { return &Standings{Tables: t} }

// Visit is a visit that looks at them.
type Visit struct {
	*bot.TableVisit
	bot *Standings
}

// Visit makes a visit one that looks at leaderboards and statistics.
func (b *Standings) Visit(v *bot.Visit) *Visit { return &Visit{b.Tables.Visit(v), b} }
