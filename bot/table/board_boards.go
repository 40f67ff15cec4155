package table

// Boards: how tables look, as a function of what is stored of them.

import "knobel/bot"

// Boards draw tables.
type Boards struct {
	*bot.Bot
	// Result add to the board of a table that is over, and report whether it has been
	// reviewed.
	Result []func(s *BoardView) (reviewed bool, err error)
}

// NewBoards returns the boards of a bot.
func NewBoards(b *bot.Bot) *Boards { return &Boards{Bot: b} }
