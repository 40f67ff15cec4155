package bot

import (
	"context"
	"errors"
	"time"
)

// Platform is one way to meet people: Discord, Telegram, the browser table.
// Its Run turns what happens there into events for Bot.Handle and answers
// each; the other methods draw boards. All are safe for concurrent use, stop
// when their context is done, and never put a token into an error.
type Platform interface {
	// Name is what all ids of this platform begin with, before the colon.
	Name() string
	// Run listens until ctx is done and then returns nil, having handled
	// what it had accepted. That the platform cannot be reached is no reason
	// to return: Run tries again, ever more slowly.
	Run(ctx context.Context, b *Bot) error
	// Ready waits until one more board may be drawn in place without
	// breaking the platform's limits. What is drawn is rendered afterwards,
	// so whatever changed during the wait is drawn at once.
	Ready(ctx context.Context, place Place) error
	// Post draws a board as a new message.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit draws a board over an earlier message. Redrawing what is already
	// there succeeds.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire takes an earlier board away, or its buttons, because a newer
	// one stands below it.
	Retire(ctx context.Context, place Place, ref Ref) error
}

// Sparing is a platform that can tell that drawing is dear there. While Sparing
// is true, a board is not drawn for dice that somebody has only picked to keep:
// their toast tells them at once, and the board shows it with its next change.
type Sparing interface {
	Sparing() bool
}

// What Post, Edit and Retire return, wrapped or bare, where the core has to
// act on it. Every other error is tried again later.
var (
	// ErrGone: the message is not there any more or cannot be edited any
	// longer; the board is posted anew.
	ErrGone = errors.New("message is gone")
	// ErrAway: the bot cannot write to the place (removed, blocked, channel
	// deleted). The table is kept and drawn again when an event comes from
	// there.
	ErrAway = errors.New("place cannot be reached")
)

// Later is an error of Post, Edit or Retire that says when to try again.
type Later struct{ After time.Duration }

// Error says how long to wait.
func (l Later) Error() string { return "platform asks to wait " + l.After.String() }

// Drawer draws a board by other means than Post and Edit: as the answer to an
// event. ref is the message of the table's present board, "" if there is
// none; it returns the message that now holds the board.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, error)

// Examined is a platform that can tell an operator how it stands: reachable,
// known by its token, permitted to do what it needs.
type Examined interface {
	// Examine asks the platform, changes nothing there, and returns at least
	// one finding. No token shows in it.
	Examine(ctx context.Context) []Finding
}

// Finding is one sentence of an examination, without the full stop.
type Finding struct {
	Text  string
	Wrong bool // something has to be done about it
}
