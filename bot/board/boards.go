// Package board is what a stored table means, and how it looks: pure functions of what the store holds.
package board

// Boards: how tables look, as a function of what is stored of them.

import "knobel/bot"

// Boards draw tables.
type Boards struct {
	*bot.Bot
	// Result add to the board of a table that is over, and report whether it has been
	// reviewed.
	Result []func(s *BoardView) (reviewed bool, err error)
}

// New returns the boards of a bot.
func New(b *bot.Bot) *Boards { return &Boards{Bot: b} }
