// Package books is who owes whom what, why, and what was paid.
package books

import (
	"knobel/bot"
)

// Books are who owes whom what, and what was paid.
type Books struct{ *bot.Bot }

// visit is a visit that looks at them.
type visit struct {
	*bot.Visit
	bot *Books
}

// Visit makes a visit one that looks at the books.
func (b *Books) Visit(v *bot.Visit) *visit { return &visit{v, b} }
