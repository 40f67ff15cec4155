package standings

import (
	"knobel/bot"
)

// Standings are the leaderboards and statistics of all chats.
type Standings struct {
	*bot.Bot
	chances chances // what chance alone shuts
}

// New returns the leaderboards of a bot.
func New(b *bot.Bot) *Standings { return &Standings{Bot: b} }

// Visit is a visit that looks at them.
type Visit struct {
	*bot.Visit
	bot *Standings
}

// Visit makes a visit one that looks at leaderboards and statistics.
func (b *Standings) Visit(v *bot.Visit) *Visit { return &Visit{v, b} }
