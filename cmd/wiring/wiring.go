// Package wiring puts the rooms of the house together. It is the one place that knows them all; the program and its tests
// have the same.
package wiring

import (
	"knobel/bot"

	"knobel/bot/books"
	"knobel/bot/person"
	"knobel/bot/review"
	"knobel/bot/standings"
)

// Bot is a bot with all its features.
type Bot struct{ *review.Reviews }

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
	standings := standings.New(b)
	reviews := review.New(standings)
	books := &books.Books{Bot: b}
	people := person.New(b)
	b.Add(menu, standings.Feature(), reviews.Feature(), books.Feature(), people.Feature())
	return &Bot{reviews}
}
