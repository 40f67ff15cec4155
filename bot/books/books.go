// Package books is the command /settle: balances, their reasons, and payments that settle them.
package books

import (
	"knobel/bot"
)

// Books are the commands about balances and payments.
type Books struct{ *bot.Bot }

// visit is a visit that looks at them.
type visit struct {
	*bot.Visit
	bot *Books
}

// Visit makes a visit one that looks at the books.
func (b *Books) Visit(v *bot.Visit) *visit { return &visit{v, b} }
