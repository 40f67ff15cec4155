// Package standings is leaderboards, seasons and statistics.
package standings

import (
	"knobel/bot"
	"knobel/bot/table"
)

// Standings are the leaderboards and statistics of all chats.
type Standings struct {
	*table.Tables
	chances chances // what chance alone shuts
}

// New returns the leaderboards of a bot.
func New(t *table.Tables) *Standings { return &Standings{Tables: t} }

// Visit is a visit that looks at them.
type Visit struct {
	*table.Visit
	bot *Standings
}

// Visit makes a visit one that looks at leaderboards and statistics.
func (b *Standings) Visit(v *bot.Visit) *Visit { return &Visit{b.Tables.Visit(v), b} }
