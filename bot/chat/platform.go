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

// Platform is one way to play: Discord, Telegram, the browser, a terminal. Its Run turns people's actions into events
// for Core.Handle and answers each; the other methods draw boards. All are safe for concurrent use, stop when their
// context is done, and never put a token into an error.
//
// platformtest.Run checks these promises. Basics is for platforms with few of these features; package plain draws
// boards as text.
type Platform interface {
	// Name returns the prefix of all ids of this platform, before the colon: those of chats, places, people and
	// events. A Ref may be spelt otherwise.
	Name() string
	// Run listens until ctx is done and then returns nil, once it has handled all accepted events. While the platform
	// cannot be reached it retries with backoff. Buttons of older boards are answered, too: a platform that forgets
	// boards or buttons when it ends calls Core.Redraw for its places when it begins.
	Run(ctx context.Context, core Core) error
	// Ready blocks until one more board or call may be written in place within the platform's limits. The board is
	// rendered afterwards, so that changes during the wait are drawn at once. If several wait for the same limit, need
	// is their order; without limits Ready returns at once.
	Ready(ctx context.Context, place Place, need Need) error
	// Post draws a board as a new message. Core.Draw draws boards of events with Carries; for all other replies the
	// core calls Post and Edit with Board and Fresh. A Silent message should notify no person. An Unnoted one is drawn
	// over the newest board of its table among the last messages of the place after Below, if the platform can find it.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit redraws a board in its message. Redrawing without a change succeeds. After ErrGone the board is posted
	// again; a platform without edits always returns it.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire deletes a call, or an earlier board or its buttons, because a newer one is below it. It returns ErrGone,
	// or nil, if the message does not exist any more.
	Retire(ctx context.Context, place Place, ref Ref) error
	// Since returns how many messages, of all people, are below one of the bot's boards, counted up to limit: from
	// known events, or by an occasional request. 0 also means that it is unknown, or that boards never move up.
	Since(ctx context.Context, place Place, ref Ref, limit int) (int, error)
	// Call posts a ping: a short message that asks one person to come to their table, and notifies only them; with an
	// Offer it notifies none. The error wraps ErrUnsure if the message may have been posted, and ErrAway where pings
	// are impossible; after any error but ErrUnsure it was not posted.
	Call(ctx context.Context, place Place, s Ping) (Ref, error)
	// Link returns the state of the connection, without a request. While it is down, no turn times out.
	Link() Link
	// Heard sets a function that is called whenever the connection is up again; it must not block.
	Heard(back func())
	// Traits returns the traits that all places of the platform share. They never change.
	Traits() Traits
	// Viewers returns the viewers of a table's last board whose boards differ from it: their boards are drawn with the
	// next one.
	Viewers(place Place, table int64) []Viewer
	// Budget returns the writes and limits of a place's chat; for the place "" those of the whole platform. It is the
	// zero Budget if nothing is limited.
	Budget(place Place) Budget
	// Consult asks the platform for problems of the bot in a chat and some of its places, such as missing permissions.
	// Each finding has a Line; nil if there is nothing to ask, an error if the platform cannot be asked. For the chat
	// "" it checks for the operator that the platform is reachable, accepts the token and permits all that the bot
	// needs; it never shows a token.
	Consult(ctx context.Context, chat Chat, at []Place) ([]Finding, error)
	// OtherAdmin reports whether the platform lists another person, not a bot, who may change the chat. The error means
	// that it cannot be asked.
	OtherAdmin(ctx context.Context, chat Chat, besides User) (bool, error)
}

// Basics holds defaults for a platform without connection, budget, calls or administration. The platform embeds it and
// overrides the methods for features that it has.
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

// Core is the bot as platforms use it. All methods are safe for concurrent use.
type Core interface {
	// Handle runs an event and returns the reply.
	Handle(ctx context.Context, ev Event) Reply
	// Sorry returns the reply to an event that must not be run here, because another replica might run it.
	Sorry(ev Event) Reply
	// Draw renders the newest state of a table and calls by to post it, as the answer to the event whose Reply named
	// the table; fresh: as a new message.
	Draw(ctx context.Context, table int64, fresh bool, by Drawer) error
	// DrawPuzzle renders a puzzle that a Reply named and calls by to post it.
	DrawPuzzle(ctx context.Context, puzzle int64, by Drawer) error
	// View renders the newest board of a table for a viewer. The adapter checks that the viewer may see that table. The
	// error wraps ErrGone if there is no such table.
	View(ctx context.Context, table int64, by Viewer) (Message, error)
	// Puzzle renders a puzzle in a language, with the same error.
	Puzzle(ctx context.Context, puzzle int64, lang string) (Message, error)
	// Redraw posts the board of a place's current or last table again, as a new message.
	Redraw(ctx context.Context, place Place) error
	// Commands returns the command table in all languages.
	Commands() []Command
	// Complete returns at most 25 values for an option that is being typed.
	Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice
	// Languages returns the bot's languages, the default first.
	Languages() []Language
	// Lacks returns the private message about ev.Missing for the person who has written a command.
	Lacks(ev Event) Message
	// Noted returns the text that a platform has stored by Note, "" for none. The name begins with the platform's.
	Noted(ctx context.Context, name string) (string, error)
	// Note stores a text for a platform across restarts; "" deletes it.
	Note(ctx context.Context, name, value string) error
	// Lost stores that a place cannot be reached any more, "" for every place of the chat.
	Lost(ctx context.Context, chat Chat, place Place) error
	// Migrate moves a chat from one id to another; place returns the new id of each of its places.
	Migrate(ctx context.Context, from, to Chat, place func(Place) Place) error
}

// Need is the urgency of a write that waits for a limit, the most urgent first. Less urgent writes wait longer, but
// never for ever.
type Need int

const (
	// ToShow: a new board that a person has asked for.
	ToShow Need = iota
	// ToMove: a board that the game cannot continue without.
	ToMove
	// ToSee: a board on which it is no person's turn: a lobby, a result.
	ToSee
	// ToCall: a ping that asks a player to come to their table.
	ToCall
)

// Ping is a call: a message that asks a player to come to their table.
type Ping struct {
	// Once is the same for every try at the same call.
	Once string
	// To is the called person, and Name their name if the bot chooses it: hostile text.
	To   User
	Name string
	// Before and After enclose the name in the sentence.
	Before, After string
	// In returns the whole sentence (said) and the label of the button Off (off) in a language, for adapters that show
	// them in the reader's own. nil: there is no other language.
	In func(lang string) (said, off string)
	// Board is the message of the table's board, "": none.
	Board Ref
	// Off is the button that turns off a person's calls.
	Off Button
	// Offer is a post for all people, which replaces the call to To: the offered seats of a table, as Core.View renders
	// them with Viewer.Offers. nil: it is a call.
	Offer *Message
}

// Errors of Post, Edit, Retire and Call, maybe wrapped, to which the core reacts. After any other it retries later.
var (
	// ErrGone: the message was deleted or cannot be edited any more; the board is posted again.
	ErrGone = errors.New("message is gone")
	// ErrAway: the bot cannot write to the place (removed, blocked, channel deleted). The table is kept and drawn
	// again after an event from there.
	ErrAway = errors.New("place cannot be reached")
	// ErrUnsure: it is unknown whether the platform has carried out the request.
	ErrUnsure = errors.New("no word whether it was done")
)

// Later is an error with the time to wait before a retry.
type Later struct{ After time.Duration }

// Error returns a text with the time to wait.
func (l Later) Error() string { return "platform asks to wait " + l.After.String() }

// Unheard wraps the error of a request with ErrUnsure, unless the platform has refused it or could not be dialled: any
// other request may have arrived.
func Unheard(err error, refused bool) error {
	dialling, ok := errors.AsType[*net.OpError](err)
	if err == nil || refused || ok && dialling.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Drawer posts a board as the answer to an event, instead of Post and Edit. ref is the message of the table's current
// board, "" if there is none; it returns the message that now holds the board.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, error)

// Finding is one result of a check, in a sentence.
type Finding struct {
	Text  string     // for the operator, in English, without the full stop ...
	Line  games.Line // ... or for any reader, in their language
	Wrong bool       // it is a problem to be solved
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

// Link is the state of a connection to a platform. One that is up with a zero Since cannot be lost.
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

// Linking tracks the state of a platform's connection. The zero value is one that was never tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // recent downtime, with short connections in between
	up      time.Duration // how long it was up before it was lost
	back    func()        // called when it is up again; may be nil
}

// maxMoment is the longest connection between two outages that are counted as one, because periodic checks may have
// missed it.
const maxMoment = 5 * time.Second

// Link returns the current state.
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

// Turn sets whether the connection is up. changed reports whether that is a change, and before is how long the state
// before it lasted.
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
