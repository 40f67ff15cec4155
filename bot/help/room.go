// Package help is what there is, how the bot stands in a chat, and in which language it speaks.
package help

import (
	"knobel/bot"
	"knobel/bot/table"
)

// Help explains the bot, and tells how it stands.
type Help struct{ *table.Tables }

// visit is a visit that asks for help.
type visit struct {
	*table.Visit
	bot *Help
}

// Visit makes a visit one that asks for help.
func (b *Help) Visit(v *bot.Visit) *visit { return &visit{b.Tables.Visit(v), b} }
