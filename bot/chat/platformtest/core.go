package platformtest

import (
	"context"
	"errors"

	"knobel/bot/chat"
)

// Core is a bot that does nothing: tests embed it, and write what they are about.
type Core struct{}

var (
	_ chat.Core = Core{}

	errNothing = errors.New("nothing is stored here")
)

// Handle says nothing.
func (Core) Handle(context.Context, chat.Event) chat.Reply { return chat.Reply{} }

// Sorry says so.
func (Core) Sorry(chat.Event) chat.Reply { return chat.Reply{Refused: true, Toast: "Sorry."} }

// Draw draws nothing.
func (Core) Draw(context.Context, int64, bool, chat.Drawer) error { return nil }

// DrawPuzzle draws nothing.
func (Core) DrawPuzzle(context.Context, int64, chat.Drawer) error { return nil }

// View finds nothing.
func (Core) View(context.Context, int64, chat.Viewer) (chat.Message, error) {
	return chat.Message{}, errNothing
}

// Puzzle finds nothing.
func (Core) Puzzle(context.Context, int64, string) (chat.Message, error) {
	return chat.Message{}, errNothing
}

// Redraw draws nothing.
func (Core) Redraw(context.Context, chat.Place) error { return nil }

// Commands are none.
func (Core) Commands() []chat.Command { return nil }

// Complete offers nothing.
func (Core) Complete(context.Context, chat.Event, string, string) []chat.CommandChoice { return nil }

// Languages are English alone.
func (Core) Languages() []chat.Language { return []chat.Language{{Code: "en", Name: "English"}} }

// Lacks says so.
func (Core) Lacks(chat.Event) chat.Message { return chat.Message{Head: "Something is missing."} }

// Noted is nothing.
func (Core) Noted(context.Context, string) (string, error) { return "", nil }

// Note keeps nothing.
func (Core) Note(context.Context, string, string) error { return nil }

// Lost does nothing.
func (Core) Lost(context.Context, chat.Chat, chat.Place) error { return nil }

// Migrate does nothing.
func (Core) Migrate(context.Context, chat.Chat, chat.Chat, func(chat.Place) chat.Place) error {
	return nil
}
