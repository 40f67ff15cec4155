// Package bot is what the bot does, on no platform in particular: tables with
// a life, commands, presses, boards. Handle is the only door in; boards go out
// by drawing stored state, never by telling what changed.
package bot

import (
	"context"
	"errors"
)

// Bot plays games with people.
type Bot struct{}

// Handle carries out what a person did and returns what to tell them. It
// never fails: an error of ours is logged once, and the person reads one fixed
// sentence. It does not speak to a platform.
func (b *Bot) Handle(ctx context.Context, ev Event) Reply { return Reply{} }

// Draw draws the newest state of a table through an adapter's own means: the
// answer to the event whose Reply named the table. One board is drawn at a
// time for each table, so the newest state wins. It remembers what was drawn.
func (b *Bot) Draw(ctx context.Context, table int64, fresh bool, by Drawer) error {
	return errors.ErrUnsupported
}

// Redraw posts the board of a place's table, or of its last one, anew: for a
// platform that keeps its messages in memory and has started empty. A place
// without a table stays as it is.
func (b *Bot) Redraw(ctx context.Context, place Place) error { return errors.ErrUnsupported }

// Commands returns the command table.
func (b *Bot) Commands() []Command { return nil }

// Complete returns at most 25 values for an option that somebody is typing.
func (b *Bot) Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice {
	return nil
}

// Migrate moves a chat to a new id, with its tables, books and settings;
// place tells the new id of each of its places. Doing it twice does nothing.
func (b *Bot) Migrate(ctx context.Context, from, to Chat, place func(Place) Place) error {
	return errors.ErrUnsupported
}
