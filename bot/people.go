package bot

import (
	"knobel/bot/loop"
)

// People are what is stored of persons, and how they are forgotten.
type People struct {
	*Bot
	forgetting loop.Waker // somebody may be in the file still
}

// NewPeople returns what a bot stores of persons.
func NewPeople(b *Bot) *People { return &People{b, loop.NewWaker()} }

// personVisit is a visit about the person themselves.
type personVisit struct {
	*visit
	bot *People
}

// Visit makes a visit one about the person themselves.
func (b *People) Visit(v *visit) *personVisit { return &personVisit{v, b} }
