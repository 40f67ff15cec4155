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
	// Name returns the prefix, before the colon, of all ids of this platform: chats, places, people and events. A Ref
	// may look different.
	Name() string
	// Run listens until ctx is done, handles all accepted events, and then returns nil. While the platform cannot be
	// reached it retries with backoff. Buttons of older boards keep working: a platform that forgets boards or buttons
	// when it ends calls Core.Redraw for its places when it begins.
	Run(ctx context.Context, core Core) error
	// Ready blocks until one more board or ping may be written in place within the platform's limits; without limits it
	// returns at once. need orders those who wait for the same limit. The caller renders the board afterwards, so that
	// it shows changes during the wait.
	Ready(ctx context.Context, place Place, need Need) error
	// Post draws a board as a new message. The core calls Post and Edit for all boards except those of events with
	// Carries, which Core.Draw draws. A Silent message should notify nobody. If a message is Unnoted and the platform
	// finds its table's board among the messages of the place after Below, it redraws that one.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit redraws a board in its message. Redrawing without a change succeeds. After ErrGone the core posts the board
	// again; a platform without edits always returns that.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire deletes a ping, or an earlier board or its buttons, because a newer one is below it. It returns ErrGone or
	// nil if the message does not exist any more.
	Retire(ctx context.Context, place Place, ref Ref) error
	// Since returns how many messages, of all people, are below one of the bot's boards, counted up to limit: from
	// known events, or by an occasional request. 0 also means that the number is unknown, or that boards never move up.
	Since(ctx context.Context, place Place, ref Ref, limit int) (int, error)
	// Call posts a ping: a short message that asks one person to come to their table, and notifies only that person. A
	// ping with an Offer notifies nobody. The error wraps ErrUnsure if the message may have been posted, ErrAway where
	// pings are impossible. After any error but ErrUnsure it was not posted.
	Call(ctx context.Context, place Place, s Ping) (Ref, error)
	// Link returns the state of the connection, without a request. While it is down, no turn times out.
	Link() Link
	// Heard sets a function that is called whenever the connection is up again. It must not block.
	Heard(callback func())
	// Traits returns the traits that all places of the platform share. They never change.
	Traits() Traits
	// Viewers returns the viewers of a table's last board who see boards of their own. These are drawn with the next
	// board.
	Viewers(place Place, table int64) []Viewer
	// Budget returns the writes and limits of a place's chat; for the place "" those of the whole platform. It is zero
	// if nothing is limited.
	Budget(place Place) Budget
	// Consult asks the platform for problems of the bot in a chat and some of its places, such as missing permissions.
	// Each finding has a Line. The result is nil if there is nothing to ask; the error means that the platform cannot
	// be asked. For the chat "" it checks for the operator that the platform is reachable, accepts the token and
	// permits all that the bot needs. It never shows a token.
	Consult(ctx context.Context, chat Chat, places []Place) ([]Finding, error)
	// OtherAdmin reports whether the platform lists a person other than except, and no bot, who may change the chat.
	// The error means that it cannot be asked.
	OtherAdmin(ctx context.Context, chat Chat, except User) (bool, error)
}

// Basics holds defaults for a platform without connection, limits, pings or admins. The platform embeds it and
// overrides the methods for features that it has.
type Basics struct{}

// Ready returns at once: there are no limits.
func (Basics) Ready(ctx context.Context, _ Place, _ Need) error { return ctx.Err() }

// Since returns 0: no messages push a board away.
func (Basics) Since(context.Context, Place, Ref, int) (int, error) { return 0, nil }

// Call returns ErrAway: there are no pings.
func (Basics) Call(context.Context, Place, Ping) (Ref, error) { return "", ErrAway }

// Viewers returns none: all see the same board.
func (Basics) Viewers(Place, int64) []Viewer { return nil }

// Link returns a connection that cannot be lost.
func (Basics) Link() Link { return Link{Up: true} }

// Heard never calls back: the connection is never lost.
func (Basics) Heard(func()) {}

// Traits returns the zero value: the platform has no special abilities.
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
	// Sorry returns the reply to an event that must not be run here, because another replica may run it.
	Sorry(ev Event) Reply
	// Draw renders the newest state of a table and calls draw to post it, as the answer to the event whose Reply named
	// the table; fresh: as a new message.
	Draw(ctx context.Context, table int64, fresh bool, draw Drawer) error
	// DrawPuzzle renders a puzzle that a Reply named and calls draw to post it.
	DrawPuzzle(ctx context.Context, puzzle int64, draw Drawer) error
	// View renders the newest board of a table for a viewer. The adapter checks that the viewer may see that table. The
	// error wraps ErrGone if there is no such table.
	View(ctx context.Context, table int64, viewer Viewer) (Message, error)
	// Puzzle renders a puzzle in a language. The error wraps ErrGone if there is no such puzzle.
	Puzzle(ctx context.Context, puzzle int64, lang string) (Message, error)
	// Redraw posts the board of a place's current or last table again, as a new message.
	Redraw(ctx context.Context, place Place) error
	// Commands returns all commands for menus, in all languages.
	Commands() []Command
	// Complete returns at most 25 values for an option while a person types it; typed is the text so far.
	Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice
	// Languages returns the bot's languages, the default first.
	Languages() []Language
	// Lacks returns the private message about ev.Missing for the person who has written a command.
	Lacks(ev Event) Message
	// Noted returns the text that a platform has stored by Note under this name, "" for none. The name begins with the
	// platform's.
	Noted(ctx context.Context, name string) (string, error)
	// Note stores a text for a platform across restarts; "" deletes it.
	Note(ctx context.Context, name, value string) error
	// Lost stores that the bot can no longer reach a place, or with the place "" the whole chat.
	Lost(ctx context.Context, chat Chat, place Place) error
	// Migrate moves a chat from one id to another; newPlace returns the new id of each of its places.
	Migrate(ctx context.Context, from, to Chat, newPlace func(Place) Place) error
}

// Need is the urgency of a write that waits for a limit, the most urgent first. Less urgent writes wait longer, but not
// for ever.
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

// Ping is a message that asks a player to come to their table.
type Ping struct {
	// Once is the same for every attempt to post the same ping.
	Once string
	// To is the player, and Name their name if the bot chooses it: hostile text.
	To   User
	Name string
	// Before and After are the sentence before and after the name.
	Before, After string
	// In returns the whole sentence (said) and the label of the button Off (off) in a language, for adapters that show
	// a ping in the reader's own language. nil: there is no other language.
	In func(lang string) (said, off string)
	// Board is the message of the table's board, "": none.
	Board Ref
	// Off is the button that turns off the player's pings.
	Off Button
	// Offer is a post for all people instead of a ping to To: the seats of a table that players want to hand over, as
	// Core.View renders them with Viewer.Offers. nil: it is a ping.
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

// Unheard returns err, wrapped with ErrUnsure if the request may have arrived. It may not if the platform has refused
// it (refused), or could not be dialled.
func Unheard(err error, refused bool) error {
	dialling, ok := errors.AsType[*net.OpError](err)
	if err == nil || refused || ok && dialling.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Drawer posts a board as the answer to an event. ref is the message of the table's current board, "" if there is none.
// It returns the message that now holds the board.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, error)

// Finding is one result of a check, in a sentence.
type Finding struct {
	Text  string     // for the operator, in English, without the full stop ...
	Line  games.Line // ... or for any reader, in their language
	Wrong bool       // a problem that must be solved
}

// Dialer opens connections like net.Dialer's DialContext.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// HTTPClient returns a client for a platform's API that follows no redirects. dial opens connections; nil: the default.
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

// Link is the state of the connection to a platform. If it is up and Since is zero, it cannot be lost.
type Link struct {
	Up    bool          // events arrive
	Since time.Time     // the last change; zero: it was never tried
	Away  time.Duration // how long it was down before; 0: never, or it is down now
	Why   string        // why it is not retried any more, for the operator; "": it is
}

// Condition is the last known state of a platform.
type Condition struct {
	Link Link
	// Budget is Platform.Budget; nil if the platform does not run.
	Budget func(Place) Budget
}

// Lasting reports whether the connection cannot be lost: the platform is this program itself.
func (l Link) Lasting() bool { return l.Up && l.Since.IsZero() }

// Linking tracks the state of a platform's connection. The zero value is one that was never tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // sum of recent outages and the short connections between them
	up      time.Duration // how long it was up before the current outage
	back    func()        // called when it is up again; may be nil
}

// maxMoment is the longest connection between two outages that count as one outage, as periodic checks may miss it.
const maxMoment = 5 * time.Second

// Link returns the current state.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Heard sets a function that is called whenever the connection is up again, once Link shows that.
func (l *Linking) Heard(callback func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = callback
}

// Turn sets whether the connection is up. changed reports whether it was not so before, and before is how long the
// previous state lasted; 0 if there was none.
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

// GiveUp stores the reason why a lost connection is not retried any more, for Link.Why.
func (l *Linking) GiveUp(reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = reason
}
