package chat

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"knobel/games"
)

// Platform is one way to play: Discord, Telegram, the browser, a terminal. Its Run turns what happens there into
// events for Core.Handle and answers each; the other methods draw boards. All are safe for concurrent use, stop when
// their context is done, and never put a token into an error.
//
// platformtest.Run checks these promises. Basics is for platforms with few of these features; package plain draws
// boards as text.
type Platform interface {
	// Name returns the prefix of all ids of this platform, before the colon: those of chats, places, people and
	// events. A Ref may be spelt otherwise.
	Name() string
	// Run listens until ctx is done and then returns nil, having handled what it had accepted. While the platform
	// cannot be reached it retries with backoff. Buttons of boards that were posted before it are answered, too: a
	// platform that forgets boards or buttons at its end calls Core.Redraw for its places when it begins.
	Run(ctx context.Context, core Core) error
	// Ready waits until one more board or call may be written in place within the platform's limits. The board is
	// rendered afterwards, so whatever changed during the wait is drawn at once. If several wait for the same limit,
	// need says who goes first; without limits Ready returns at once.
	Ready(ctx context.Context, place Place, need Need) error
	// Post draws a board as a new message. Boards of events with Carries are drawn by Core.Draw; of all other replies
	// Board and Fresh are the core's business, by Post and Edit. A Silent one should notify no person. An Unnoted one
	// is drawn over the newest board of its table among the last messages of the place after Below, if the platform
	// can find it.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit redraws a board in its message. Redrawing the same succeeds. After ErrGone the board is posted again; a
	// platform without edits always returns it.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire deletes a call, or an earlier board or its buttons, because a newer one is below it. It returns ErrGone,
	// or nil, if the message does not exist any more.
	Retire(ctx context.Context, place Place, ref Ref) error
	// Since returns how many messages are below one of the bot's boards, other people's included, counted up to limit:
	// from known events, or by an occasional request. 0 also means that it is unknown, or that nothing is ever below
	// a board.
	Since(ctx context.Context, place Place, ref Ref, limit int) (int, error)
	// Call posts a short message that notifies one person only; with an Offer it notifies none. The error wraps
	// ErrUnsure if it may have been posted all the same; after any other, it was not. Where calls are impossible, it
	// is ErrAway.
	Call(ctx context.Context, place Place, s Ping) (Ref, error)
	// Link returns the state of the connection, without a request. While it is down, no turn times out.
	Link() Link
	// Heard sets a function that is called whenever the connection is up again. It returns at once.
	Heard(back func())
	// Traits returns what is alike in all places of the platform. It never changes.
	Traits() Traits
	// Viewers returns the viewers of a table's last board whose boards differ: the next one is drawn for them, too.
	Viewers(place Place, table int64) []Viewer
	// Budget returns the writes and limits of a place's chat; for the place "" those of the whole platform. It is the
	// zero Budget if nothing is limited.
	Budget(place Place) Budget
	// Consult asks the platform what keeps the bot from its work in a chat and some of its places. Each finding has a
	// Line; nil if there is nothing to ask, an error if the platform cannot be asked. For the chat "" it checks for
	// the operator that the platform is reachable, knows the token and permits what the bot needs; it never shows a
	// token.
	Consult(ctx context.Context, chat Chat, at []Place) ([]Finding, error)
	// OtherAdmin reports whether the platform knows of another person who may change the chat, bots left out; an
	// error if it cannot be asked.
	OtherAdmin(ctx context.Context, chat Chat, besides User) (bool, error)
}

// Basics is to be embedded by a platform without connection, budget, calls or administration. The platform overrides
// what it has.
type Basics struct{}

// Ready returns at once: there are no limits.
func (Basics) Ready(ctx context.Context, _ Place, _ Need) error { return ctx.Err() }

// Since returns 0: no messages push a board away.
func (Basics) Since(context.Context, Place, Ref, int) (int, error) { return 0, nil }

// Call returns ErrAway.
func (Basics) Call(context.Context, Place, Ping) (Ref, error) { return "", ErrAway }

// Viewers returns none: all see the same board.
func (Basics) Viewers(Place, int64) []Viewer { return nil }

// Link returns a connection that cannot be lost.
func (Basics) Link() Link { return Link{Up: true} }

// Heard never calls back: the connection is never lost.
func (Basics) Heard(func()) {}

// Traits returns none.
func (Basics) Traits() Traits { return Traits{} }

// Budget returns no limits.
func (Basics) Budget(Place) Budget { return Budget{} }

// Consult returns no findings.
func (Basics) Consult(context.Context, Chat, []Place) ([]Finding, error) { return nil, nil }

// OtherAdmin returns false.
func (Basics) OtherAdmin(context.Context, Chat, User) (bool, error) { return false, nil }

// Core is the bot for platforms. All methods are safe for concurrent use.
type Core interface {
	// Handle carries out an event and returns the reply.
	Handle(ctx context.Context, ev Event) Reply
	// Sorry returns the reply to an event that is not carried out, because another replica might do it.
	Sorry(ev Event) Reply
	// Draw draws the newest state of a table by the adapter's own means, as the answer to the event whose Reply named
	// the table.
	Draw(ctx context.Context, table int64, fresh bool, by Drawer) error
	// DrawPuzzle draws a puzzle that a Reply named in the same way.
	DrawPuzzle(ctx context.Context, puzzle int64, by Drawer) error
	// View draws the newest board of a table for a viewer, in one reading transaction. The adapter checks that the
	// viewer may see that table. ErrGone: there is no such table.
	View(ctx context.Context, table int64, by Viewer) (Message, error)
	// Puzzle draws a puzzle in a language in the same way.
	Puzzle(ctx context.Context, puzzle int64, lang string) (Message, error)
	// Redraw posts the board of a place's present or last table again.
	Redraw(ctx context.Context, place Place) error
	// Commands returns the command table in all languages.
	Commands() []Command
	// Complete returns at most 25 values for an option that is being typed.
	Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice
	// Languages returns the bot's languages, the default first.
	Languages() []Language
	// Lacks returns the private message about ev.Missing for the person who has written a command.
	Lacks(ev Event) Message
	// Noted returns a platform's stored text by a name that begins with the platform's, "" for none.
	Noted(ctx context.Context, name string) (string, error)
	// Note stores a text for a platform over restarts; "" deletes it.
	Note(ctx context.Context, name, value string) error
	// Lost records that a place cannot be reached any more, "" for every place of the chat.
	Lost(ctx context.Context, chat Chat, place Place) error
	// Migrate moves a chat to a new id; place maps its places.
	Migrate(ctx context.Context, from, to Chat, place func(Place) Place) error
}

// Need is the reason to wait for a write, the most urgent first. Less urgent ones are delayed, never for good.
type Need int

const (
	// ToShow: a new board that a person has asked for.
	ToShow Need = iota
	// ToMove: a board that the table waits for.
	ToMove
	// ToSee: a board without a mover: a lobby, a result.
	ToSee
	// ToCall: a call.
	ToCall
)

// Ping is a call.
type Ping struct {
	// Once is the same for every try at the same call.
	Once string
	// To is the called person, and Name their name where the bot chooses it: hostile text.
	To   User
	Name string
	// Before and After enclose the name in the sentence.
	Before, After string
	// In returns the whole sentence and the label of Off in another language, for adapters that show them in the
	// reader's own. nil: there is no other.
	In func(lang string) (said, off string)
	// Board is the message of the board that the call is about, "": none.
	Board Ref
	// Off is a button by which people turn off their calls.
	Off Button
	// Offer replaces a call to To by a post for all: the offered seats of a table, as Core.View draws them with
	// Viewer.Offers. nil: it is a call.
	Offer *Message
}

// Errors of Post, Edit, Retire and Call, maybe wrapped, that the core acts on. After any other it retries later.
var (
	// ErrGone: the message was deleted or cannot be edited any more; the board is posted again.
	ErrGone = errors.New("message is gone")
	// ErrAway: the bot cannot write to the place (removed, blocked, channel deleted). The table is kept and drawn
	// again after an event from there.
	ErrAway = errors.New("place cannot be reached")
	// ErrUnsure: it is unknown whether the platform has done it.
	ErrUnsure = errors.New("no word whether it was done")
)

// Later is an error that says when to retry.
type Later struct{ After time.Duration }

// Error says how long to wait.
func (l Later) Error() string { return "platform asks to wait " + l.After.String() }

// Unheard wraps the error of a request with ErrUnsure, unless the platform has refused it or could not be dialled:
// others may have arrived.
func Unheard(err error, refused bool) error {
	dialling, ok := errors.AsType[*net.OpError](err)
	if err == nil || refused || ok && dialling.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Drawer draws a board as the answer to an event instead of by Post and Edit. ref is the message of the table's
// present board, "" if there is none; it returns the message that now holds the board.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, error)

// Finding is one sentence of a check.
type Finding struct {
	Text  string     // for the operator, in English, without the full stop ...
	Line  games.Line // ... or for any reader, in their language
	Wrong bool       // something has to be done about it
}

// Dialer opens connections like net.Dialer's DialContext.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// HTTPClient returns a client for a platform's API; a nil dial is the default.
func HTTPClient(dial Dialer) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 256
	if dial != nil {
		transport.DialContext = dial
	}
	// A redirect would carry the token to another host.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// Link is the state of a connection to a platform. One that is up since the zero time cannot be lost.
type Link struct {
	Up    bool          // events arrive
	Since time.Time     // the last change; zero: it was never tried
	Away  time.Duration // how long it was down before; 0: never, or it is down
	Why   string        // why it is not retried any more, for the operator; ""
}

// Condition is the known state of a platform.
type Condition struct {
	Link Link
	// Budget is Platform.Budget; nil if the platform does not run.
	Budget func(Place) Budget
}

// Lasting reports whether the connection cannot be lost, because the platform is this program itself.
func (l Link) Lasting() bool { return l.Up && l.Since.IsZero() }

// Linking tracks the state of a platform's connection. The zero value was never tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // recent downtime, with short connections in between
	up      time.Duration // how long it was up before it was lost
	back    func()        // called when it is up again; may be nil
}

// maxMoment is the longest connection between two outages that still counts them as one: periodic checks may have
// missed it.
const maxMoment = 5 * time.Second

// Link returns the present state.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Heard sets a function that is called whenever the connection is up again, after Link shows it.
func (l *Linking) Heard(back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = back
}

// Turn sets whether the connection is up. It reports whether that is a change, and how long the state before lasted.
func (l *Linking) Turn(up bool) (changed bool, before time.Duration) {
	back := func() {}
	defer func() { back() }() // after the lock is released
	l.mu.Lock()
	defer l.mu.Unlock()
	if up == l.link.Up && !l.link.Since.IsZero() {
		return false, 0
	}
	now := time.Now()
	if !l.link.Since.IsZero() {
		before = now.Sub(l.link.Since)
	}
	l.link = Link{Up: up, Since: now}
	if !up {
		l.up = before
		return true, before
	}
	if l.up > maxMoment {
		l.outages, l.up = 0, 0
	}
	l.outages += before + l.up
	l.link.Away = l.outages
	if l.back != nil {
		back = l.back
	}
	return true, before
}

// GiveUp stores the reason why a lost connection is not retried any more.
func (l *Linking) GiveUp(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = why
}
