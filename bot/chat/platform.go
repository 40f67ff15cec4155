package chat

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"knobel/games"
)

// Platform is one way to meet people: Discord, Telegram, the browser table.
// Its Run turns what happens there into events for Core.Handle and answers
// each; the other methods draw boards. All are safe for concurrent use, stop
// when their context is done, and never put a token into an error.
//
// platformtest.Run checks what is promised here. Basics answer for a platform that has
// little of this; package plain draws boards for one that has nothing but text.
type Platform interface {
	// Name is what all ids of this platform begin with, before the colon: those of
	// chats, places, people and events. A Ref is spelt as the platform likes.
	Name() string
	// Run listens until ctx is done and then returns nil, having handled
	// what it had accepted. That the platform cannot be reached is no reason
	// to return: Run tries again, ever more slowly. Buttons of boards that
	// were posted before it are answered, too: a platform that forgets boards or
	// buttons with each end calls Core.Redraw for its places when it begins.
	Run(ctx context.Context, core Core) error
	// Ready waits until one more board may be drawn in place, or one more
	// person called, without breaking the platform's limits. What is drawn is
	// rendered afterwards, so whatever changed during the wait is drawn at once.
	// Only where several wait for the same limit need says who goes first; who has
	// no limits returns at once.
	Ready(ctx context.Context, place Place, need Need) error
	// Post draws a board as a new message. What the adapter itself draws, as events
	// with Carries say, comes by Core.Draw: of all other replies Board and Fresh are
	// the core's business, by Post and Edit. One that is Silent notifies nobody, if that can be. One that is Unnoted
	// is drawn over the newest board of its table among the last messages of the place that stand below Below, if
	// the platform can find it.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit draws a board over an earlier message. Redrawing what is already
	// there succeeds. ErrGone has the board posted anew; a platform on which nothing
	// can be drawn over always returns it.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire takes a call away, or an earlier board or its buttons, because a newer
	// one stands below it. ErrGone, or nil, where it is not there any more.
	Retire(ctx context.Context, place Place, ref Ref) error
	// Since returns how many messages stand below one of the bot's boards, whoever wrote them, counted up
	// to limit: by what the platform has told anyway, or by one request now and then. 0 also means that it
	// cannot be known, or that nothing ever stands below a board.
	Since(ctx context.Context, place Place, ref Ref, limit int) (int, error)
	// Call posts a short message that notifies one person and nobody else, as a board
	// that changes notifies nobody; one with an Offer notifies nobody. The error wraps ErrUnsure
	// where they may have been called all the same; after any other, they have not been. Where
	// nobody can be called, it is ErrAway.
	Call(ctx context.Context, place Place, s Ping) (Ref, error)
	// Link tells how the platform is connected. It asks nobody and keeps nobody waiting.
	// While people are not heard, no turn at their tables is over.
	Link() Link
	// Heard sets what is called whenever people are heard again. It returns at once.
	Heard(back func())
	// Traits tells what is alike in all places of the platform. It never changes.
	Traits() Traits
	// Viewers returns who has seen the last board of a table in a way of their own: the next one is drawn for
	// them, too.
	Viewers(place Place, table int64) []Viewer
	// Budget tells what was written in the chat of a place, and what may be; of the place "" what was written on the
	// platform as a whole. It is the zero Budget where nothing is limited.
	Budget(place Place) Budget
	// Consult asks the platform what keeps the bot from its work in a chat and in some
	// of its places, and changes nothing there. Each finding has a Line; nil where there
	// is nothing to ask, an error where the platform cannot be asked. Of the chat "" it finds, for the operator,
	// whether the platform is reached, knows the token and permits what the bot needs; no token shows in that.
	Consult(ctx context.Context, chat Chat, at []Place) ([]Finding, error)
	// OtherAdmin reports whether the platform knows of a person besides one who may change the chat, bots left out; an
	// error where it cannot be asked.
	OtherAdmin(ctx context.Context, chat Chat, besides User) (bool, error)
}

// Basics are for a platform to embed that has no connection to lose, keeps no budget,
// calls nobody and has nobody to ask. Whatever it has of these it says itself.
type Basics struct{}

// Since counts nothing: no talk pushes a board away.
func (Basics) Since(context.Context, Place, Ref, int) (int, error) { return 0, nil }

// Call calls nobody.
func (Basics) Call(context.Context, Place, Ping) (Ref, error) { return "", ErrAway }

// Viewers returns none: all see the same.
func (Basics) Viewers(Place, int64) []Viewer { return nil }

// Link tells of a connection that cannot be lost.
func (Basics) Link() Link { return Link{Up: true} }

// Heard never calls back: people are heard all the time.
func (Basics) Heard(func()) {}

// Traits are none.
func (Basics) Traits() Traits { return Traits{} }

// Budget is none.
func (Basics) Budget(Place) Budget { return Budget{} }

// Consult finds nothing.
func (Basics) Consult(context.Context, Chat, []Place) ([]Finding, error) { return nil, nil }

// OtherAdmin knows of none.
func (Basics) OtherAdmin(context.Context, Chat, User) (bool, error) { return false, nil }

// Core is the bot as platforms know it. All methods are safe for concurrent use.
type Core interface {
	// Handle carries out what a person did and returns what to tell them.
	Handle(ctx context.Context, ev Event) Reply
	// Sorry returns what to tell them where the event is not to be carried out, as another replica might do that.
	Sorry(ev Event) Reply
	// Draw draws the newest state of a table through the adapter's own means: the
	// answer to the event whose Reply named the table.
	Draw(ctx context.Context, table int64, fresh bool, by Drawer) error
	// DrawPuzzle draws a puzzle that a Reply named in the same way.
	DrawPuzzle(ctx context.Context, puzzle int64, by Drawer) error
	// View draws the newest board of a table for one who looks, in one reading transaction. It changes
	// nothing; whether the viewer may see that table is the adapter's to know. ErrGone: there is no such table.
	View(ctx context.Context, table int64, by Viewer) (Message, error)
	// Puzzle draws a puzzle in a language in the same way.
	Puzzle(ctx context.Context, puzzle int64, lang string) (Message, error)
	// Redraw posts the board of a place's table, or of its last one, anew.
	Redraw(ctx context.Context, place Place) error
	// Commands returns the command table, with labels and descriptions in all
	// languages.
	Commands() []Command
	// Complete returns at most 25 values for an option that somebody is typing.
	Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice
	// Languages returns the languages that there are sentences in, that of people
	// who have agreed on none first.
	Languages() []Language
	// Lacks is what whoever has written a command reads elsewhere about ev.Missing.
	Lacks(ev Event) Message
	// Noted returns what a platform has noted under a name that begins with its own, "" for nothing.
	Noted(ctx context.Context, name string) (string, error)
	// Note keeps a text for a platform, over restarts; "" forgets it.
	Note(ctx context.Context, name, value string) error
	// Lost remembers that a place cannot be reached any more, "" for every place of
	// the chat.
	Lost(ctx context.Context, chat Chat, place Place) error
	// Migrate moves a chat to a new id; place tells the new id of each of its places.
	Migrate(ctx context.Context, from, to Chat, place func(Place) Place) error
}

// Need is why somebody waits to write, the most urgent first. What is less
// urgent is put off, never for good.
type Need int

const (
	// ToShow: a new board that somebody has asked for.
	ToShow Need = iota
	// ToMove: nothing goes on at a table before its board is seen.
	ToMove
	// ToSee: a board at which nobody is to move: a lobby, a result.
	ToSee
	// ToCall: a call.
	ToCall
)

// PutOff is how long after somebody who comes with the need ToMove one with
// this need is served, where both wait for the same limit.
func (n Need) PutOff() time.Duration {
	switch n {
	case ToShow:
		return -2 * putOff
	case ToMove:
		return 0
	}
	return putOff
}

// putOff is long enough to let some five boards of a Telegram group pass, and
// short enough for a lobby to fill.
const putOff = 20 * time.Second

// Ping is what a call says.
type Ping struct {
	// Once is the same for every try at the same call.
	Once string
	// To is who is called, and Name how they are shown where the platform lets
	// the bot choose: hostile text.
	To   User
	Name string
	// Before and After are the sentence around the name.
	Before, After string
	// In returns the whole sentence, and what Off is called, in another language: for whoever shows them in the
	// reader's own. nil: there is no other.
	In func(lang string) (said, off string)
	// Board is the message of the board that they are called to, "": none.
	Board Ref
	// Off is a button by which whoever presses it is called no more.
	Off Button
	// Offer is shown to all in place of a call to To: which seats of a table are offered, as one who looks at it by
	// themselves sees it by Core.View with Viewer.Offers. nil: it is a call.
	Offer *Message
}

// What Post, Edit, Retire and Call return, wrapped or bare, where the core has to
// act on it. Every other error is tried again later.
var (
	// ErrGone: the message is not there any more or cannot be edited any
	// longer; the board is posted anew.
	ErrGone = errors.New("message is gone")
	// ErrAway: the bot cannot write to the place (removed, blocked, channel
	// deleted). The table is kept and drawn again when an event comes from
	// there.
	ErrAway = errors.New("place cannot be reached")
	// ErrUnsure: nobody knows whether the platform has done what was asked.
	ErrUnsure = errors.New("no word whether it was done")
)

// Later is an error of any of them that says when to try again.
type Later struct{ After time.Duration }

// Error says how long to wait.
func (l Later) Error() string { return "platform asks to wait " + l.After.String() }

// Unheard wraps the error of a request with ErrUnsure, unless the platform has
// refused it or could not even be dialled: all else may have arrived.
func Unheard(err error, refused bool) error {
	dialling, ok := errors.AsType[*net.OpError](err)
	if err == nil || refused || ok && dialling.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Drawer draws a board by other means than Post and Edit: as the answer to an
// event. ref is the message of the table's present board, "" if there is
// none; it returns the message that now holds the board.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, error)

// Finding is one sentence of an examination.
type Finding struct {
	Text  string     // for the operator, in English, without the full stop ...
	Line  games.Line // ... or for whoever reads it, in their language
	Wrong bool       // something has to be done about it
}
