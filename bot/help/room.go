// Package help has the commands that explain the bot: /help, /doctor, /language and the like.
package help

import (
	"knobel/bot"
	"knobel/bot/table"
)

// Help explains the bot and its state.
type Help struct{ *table.Tables }

// visit is a visit that asks for help.
type visit struct {
	*table.Visit
	bot *Help
}

// Visit makes a visit one that asks for help.
func (b *Help) Visit(v *bot.Visit) *visit { return &visit{b.Tables.Visit(v), b} }
