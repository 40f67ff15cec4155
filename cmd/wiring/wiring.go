// Package wiring puts the rooms of the house together. It is the one place that knows them all; the program and its
// tests
// have the same.
package wiring

import (
	"knobel/bot"
	"knobel/bot/books"
	"knobel/bot/call"
	"knobel/bot/help"
	"knobel/bot/person"
	"knobel/bot/review"
	"knobel/bot/standings"
	"knobel/bot/table"
)

// Bot is a bot with all its features.
type Bot struct {
	*review.Reviews
	Help *help.Help
}

// menu is the order of the commands in menus and in /help, behind those that open a
// table of a game.
var menu = []string{
	"table", "bring", "hint", "luck", "handover", "abandon",
	"rules", "fair", "review", "history", "puzzle",
	"leaderboard", "lb", "settle", "stats", "skill", "season", "renew",
	"notify",
	"doctor", "help", "news", "language", "privacy", "mydata", "forget", "house", "unit", "settings",
}

// New makes a bot of all rooms.
func New(c bot.Config) *Bot {
	b := bot.New(c)
	tables := table.New(b)
	calls := call.New(tables)
	standings := standings.New(tables)
	reviews := review.New(standings)
	books := &books.Books{Bot: b}
	people := person.New(tables)
	help := &help.Help{Tables: tables}
	b.Add(menu, tables.Feature(), calls.Feature(), standings.Feature(), reviews.Feature(), books.Feature(),
		people.Feature(), help.Feature())
	return &Bot{reviews, help}
}
