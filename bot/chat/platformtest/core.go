package platformtest

import (
	"context"
	"errors"

	"knobel/bot/chat"
)

// Core is a bot whose methods are no-ops, for tests to embed and override.
type Core struct{}

var (
	_ chat.Core = Core{}

	errNothing = errors.New("this core has no store")
)

// Handle returns an empty reply.
func (Core) Handle(context.Context, chat.Event) chat.Reply { return chat.Reply{} }

// Sorry returns a refusal.
func (Core) Sorry(chat.Event) chat.Reply { return chat.Reply{Refused: true, Toast: "Sorry."} }

// Draw does nothing.
func (Core) Draw(context.Context, int64, bool, chat.Drawer) error { return nil }

// DrawPuzzle does nothing.
func (Core) DrawPuzzle(context.Context, int64, chat.Drawer) error { return nil }

// View returns an error: nothing is stored.
func (Core) View(context.Context, int64, chat.Viewer) (chat.Message, error) {
	return chat.Message{}, errNothing
}

// Puzzle returns an error: nothing is stored.
func (Core) Puzzle(context.Context, int64, string) (chat.Message, error) {
	return chat.Message{}, errNothing
}

// Redraw does nothing.
func (Core) Redraw(context.Context, chat.Place) error { return nil }

// Commands returns none.
func (Core) Commands() []chat.Command { return nil }

// Complete returns none.
func (Core) Complete(context.Context, chat.Event, string, string) []chat.CommandChoice { return nil }

// Languages returns English.
func (Core) Languages() []chat.Language { return []chat.Language{{Code: "en", Name: "English"}} }

// Lacks returns a message.
func (Core) Brief(chat.Event) chat.Message { return chat.Message{Head: "Something is missing."} }

// Noted returns none.
func (Core) Noted(context.Context, string) (string, error) { return "", nil }

// Note does nothing.
func (Core) Note(context.Context, string, string) error { return nil }

// Lost does nothing.
func (Core) Lost(context.Context, chat.Chat, chat.Place) error { return nil }

// Migrate does nothing.
func (Core) Migrate(context.Context, chat.Chat, chat.Chat, func(chat.Place) chat.Place) error {
	return nil
}

// Meaning returns a word for a platform's error: "none", "gone", "away" or "other", or the duration of a chat.Later.
func Meaning(err error) string {
	later, wait := errors.AsType[chat.Later](err)
	switch {
	case err == nil:
		return "none"
	case wait:
		return later.After.String()
	case errors.Is(err, chat.ErrGone):
		return "gone"
	case errors.Is(err, chat.ErrAway):
		return "away"
	}
	return "other"
}
