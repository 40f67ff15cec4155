// Package wiring builds the bot from its features, for the program and for tests.
package wiring

import (
	"context"
	"net/url"

	"knobel/bot"
	"knobel/bot/books"
	"knobel/bot/call"
	"knobel/bot/chat"
	"knobel/bot/evening"
	"knobel/bot/help"
	"knobel/bot/notice"
	"knobel/bot/person"
	"knobel/bot/recap"
	"knobel/bot/review"
	"knobel/bot/standings"
	"knobel/bot/table"
)

// Bot is a bot with all its features.
type Bot struct {
	*bot.Core
	*review.Reviews
	Help  *help.Help
	Calls *call.Calls
}

// AwaitHouse plays all due moves of computer players at the table with the id table. played reports whether any were.
func (b *Bot) AwaitHouse(ctx context.Context, table int64) (played bool, err error) {
	return b.Reviews.AwaitHouse(ctx, b.Core, table)
}

// AwaitReview computes the requested review, if any, of the finished table with the id table. It stops when ctx ends.
func (b *Bot) AwaitReview(ctx context.Context, table int64) error {
	return b.Reviews.AwaitReview(ctx, b.Core, table)
}

// menu holds the names of the commands in the order of menus and of /help. Commands that open a game come before these.
var menu = []string{
	"play", "table", "bring", "hint", "luck", "handover", "abandon",
	"rules", "fair", "review", "history", "puzzle",
	"leaderboard", "lb", "show", "recap", "settle", "stats", "skill", "season", "renew", "void",
	"notify",
	"evening", "doctor", "help", "news", "language", "privacy", "mydata", "forget", "house", "unit", "settings",
}

// New returns a bot with all features and the configuration c.
func New(c bot.Config) *Bot {
	b := bot.New(c)
	tables := table.New(b.Bot)
	calls := call.New(tables)
	standings := standings.New(tables)
	reviews := review.New(standings)
	notices := notice.New(b.Bot)
	people := person.New(tables)
	help := &help.Help{Tables: tables}
	b.Add(menu, tables.Feature(), calls.Feature(), standings.Feature(), reviews.Feature(), notices.Feature(),
		evening.New(standings, notices).Feature(), recap.New(reviews, notices).Feature(), books.Feature(b.Bot),
		people.Feature(), help.Feature())
	return &Bot{b, reviews, help, calls}
}

// Pages returns the functions for web.Config.Pages, by name.
func (b *Bot) Pages() map[string]func(context.Context, chat.Event, url.Values) (any, error) {
	return map[string]func(context.Context, chat.Event, url.Values) (any, error){
		"at":          page(b, b.PageAt),
		"evening":     page(b, b.tonight),
		"howto":       page(b, b.Howto),
		"leaderboard": page(b, b.leaderboard),
		"log":         page(b, b.PageLog),
		"options":     page(b, b.Options),
		"review":      b.PageReview,
	}
}

// leaderboard holds a leaderboard, the payments that settle all balances, and the latest games, as data for a page.
type leaderboard struct {
	*standings.Board
	Settle *books.Plan `json:"settle"`
	*review.Past
}

// leaderboard returns the leaderboard that query selects, with the payments and games of the chat of v.
func (b *Bot) leaderboard(v *bot.Visit, query url.Values) (all leaderboard, err error) {
	if all.Board, err = b.Standings.Visit(v).BoardData(query); err != nil {
		return all, err
	}
	if all.Settle, err = books.PlanOf(b.Bot, v); err != nil {
		return all, err
	}
	all.Past, err = b.Past(v)
	return all, err
}

// tonight holds the leaderboard of one evening, as data for a page that is no person's.
type tonight struct {
	Head string          `json:"head"` // the evening
	Unit string          `json:"unit"` // the head of the column of amounts
	Rows []standings.Row `json:"rows"`
}

// tonight returns the leaderboard of the present evening in the chat of v.
func (b *Bot) tonight(v *bot.Visit, _ url.Values) (tonight, error) {
	all, err := b.Standings.Visit(v).BoardData(url.Values{"period": {"evening"}})
	if err != nil {
		return tonight{}, err
	}
	return tonight{all.Periods[0].Label, all.Unit, all.Rows}, nil
}

// page returns read, which reads data for a page in a transaction, as a function for web.Config.Pages.
func page[T any](b *Bot, read func(*bot.Visit, url.Values) (T, error)) func(context.Context, chat.Event,
	url.Values) (any, error) {
	return func(ctx context.Context, ev chat.Event, query url.Values) (data any, err error) {
		err = b.Browse(ctx, ev, func(v *bot.Visit) (err error) {
			data, err = read(v, query)
			return err
		})
		return data, err
	}
}
