// Package person is what is stored of persons, and how they are forgotten.
package person

import (
	"knobel/bot"
	"knobel/bot/loop"
	"knobel/bot/table"
)

// People are what is stored of persons, and how they are forgotten.
type People struct {
	*table.Tables
	forgetting loop.Waker // the file may still hold data of forgotten people
}

// New returns what a bot stores of persons.
func New(b *table.Tables) *People { return &People{b, loop.NewWaker()} }

// visit is a visit about the person themselves.
type visit struct {
	*table.Visit
	bot *People
}

// Visit makes a visit one about the person themselves.
func (b *People) Visit(v *bot.Visit) *visit { return &visit{b.Tables.Visit(v), b} }
