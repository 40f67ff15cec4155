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
// for Core.Handle and answers each; most other methods write boards and pings. All methods are safe for concurrent use,
// stop when their context is done, and never put a token into an error.
//
// platformtest.Run tests the rules of this interface. Basics has defaults for simple platforms; package plain draws
// boards as text.
type Platform interface {
	// Name returns the name before the colon in all ids of this platform: of chats, places, people and events. A Ref
	// need not begin with this name.
	Name() string
	// Run receives events until ctx is done, finishes those that have begun, and then returns nil. While the platform
	// is unreachable it retries with growing pauses. Buttons of older boards keep working: if a platform loses its
	// boards or buttons when it stops, its Run calls Core.Redraw for its places first.
	Run(ctx context.Context, core Core) error
	// Ready blocks until the platform's limits allow one more board or ping in this place; without limits it returns at
	// once. need is the urgency among writes that wait for the same limit. The caller renders the board after Ready has
	// returned, so that the board shows changes during the wait.
	Ready(ctx context.Context, place Place, need Need) error
	// Post draws a board or another message (m.Table is 0) as a new message. If m.Silent, it should notify no one but
	// the people in m.Call. If m.Unnoted and the platform finds the same message (by its table or its buttons) below
	// the message m.Below, it redraws that one instead. So it does with a message of the same m.Once, if it can. Post
	// and Edit draw all boards except, if Traits.Carries is set, the answers to events: the adapter draws these by
	// Core.Draw.
	Post(ctx context.Context, place Place, m Message) (Ref, error)
	// Edit redraws a board in its message. An unchanged board is not an error. After ErrGone the core posts the board
	// again; a platform that cannot edit always returns ErrGone.
	Edit(ctx context.Context, place Place, ref Ref, m Message) error
	// Retire removes a ping, or a board that has a newer one below it: the message, or only its buttons. If the message
	// does not exist any more, it returns ErrGone or nil.
	Retire(ctx context.Context, place Place, ref Ref) error
	// Since returns how many messages are below a board of the bot, at most limit. It counts known events or
	// sometimes makes a request. 0 also means: unknown, or boards never move up on this platform.
	Since(ctx context.Context, place Place, ref Ref, limit int) (int, error)
	// Call posts a ping: a short message that asks one person to come to their table, and notifies only that person.
	// With s.Offer it notifies no one. If the message may or may not have been posted, the error wraps ErrUnsure; where
	// pings are impossible it wraps ErrAway. After other errors nothing was posted.
	Call(ctx context.Context, place Place, s Ping) (Ref, error)
	// Link returns the state of the connection without a request. While the connection is down, no turn times out.
	Link() Link
	// Heard sets the function to call whenever the connection is up again. That function must not block.
	Heard(callback func())
	// Traits returns the abilities of a place, as far as its id shows them, or those of the whole platform for "". Only
	// Invite and Install may change: they are "" until the platform has told the bot its name.
	Traits(place Place) Traits
	// Viewers returns the viewers of the table's newest board who see separate boards. The core draws such boards
	// together with the next board.
	Viewers(place Place, table int64) []Viewer
	// Budget returns the writes and limits of the chat of a place; for the place "" those of the whole platform. It is
	// zero if the platform has no limits.
	Budget(place Place) Budget
	// Consult asks the platform for problems of the bot in a chat and in some of its places, such as missing
	// permissions. Each finding has a Line. It returns nil if the platform has nothing to check, an error if it cannot
	// be asked. For the chat "" the findings are for the operator: whether the platform is reachable, accepts the token
	// and permits all that the bot needs. No finding shows a token.
	Consult(ctx context.Context, chat Chat, places []Place) ([]Finding, error)
	// OtherAdmin reports whether a person other than except may change the chat's settings, as far as the platform
	// lists such people; bots do not count. The error means that the platform cannot be asked.
	OtherAdmin(ctx context.Context, chat Chat, except User) (bool, error)
}

// Basics holds default methods for a platform without connection, limits, pings or admins. A platform embeds it and
// overrides the methods for its abilities.
type Basics struct{}

// Ready returns at once: there are no limits.
func (Basics) Ready(ctx context.Context, _ Place, _ Need) error { return ctx.Err() }

// Since returns 0: no messages move a board up.
func (Basics) Since(context.Context, Place, Ref, int) (int, error) { return 0, nil }

// Call returns ErrAway: pings are impossible.
func (Basics) Call(context.Context, Place, Ping) (Ref, error) { return "", ErrAway }

// Viewers returns nil: all people see the same board.
func (Basics) Viewers(Place, int64) []Viewer { return nil }

// Link returns a connection that cannot be lost.
func (Basics) Link() Link { return Link{Up: true} }

// Heard does nothing: the connection is never lost, so it never comes back.
func (Basics) Heard(func()) {}

// Traits returns the zero value: the platform has no special abilities.
func (Basics) Traits(Place) Traits { return Traits{} }

// Budget returns zero: there are no limits.
func (Basics) Budget(Place) Budget { return Budget{} }

// Consult returns no findings: there is nothing to check.
func (Basics) Consult(context.Context, Chat, []Place) ([]Finding, error) { return nil, nil }

// OtherAdmin returns false: the platform knows no admins.
func (Basics) OtherAdmin(context.Context, Chat, User) (bool, error) { return false, nil }

// Core is the bot as adapters see it. All methods are safe for concurrent use.
type Core interface {
	// Handle runs an event and returns the answer to it.
	Handle(ctx context.Context, ev Event) Reply
	// Sorry returns an apology as the reply to an event that this replica does not run, because another may run it.
	Sorry(ev Event) Reply
	// Draw renders the newest board of a table and calls draw to post it. The adapter calls it for the table that a
	// Reply has named in Board. fresh: the board is posted as a new message, not edited.
	Draw(ctx context.Context, table int64, fresh bool, draw Drawer) error
	// DrawPuzzle renders a puzzle and calls draw to post it. The adapter calls it if a Reply has named a Puzzle.
	DrawPuzzle(ctx context.Context, puzzle int64, draw Drawer) error
	// View renders the newest board of a table for a viewer. The adapter checks that the viewer may see that table. The
	// error wraps ErrGone if there is no such table.
	View(ctx context.Context, table int64, viewer Viewer) (Message, error)
	// Puzzle renders a puzzle in a language. The error wraps ErrGone if there is no such puzzle.
	Puzzle(ctx context.Context, puzzle int64, lang string) (Message, error)
	// Redraw posts a board in a place again, as a new message: of the open table, or else of the newest one.
	Redraw(ctx context.Context, place Place) error
	// Commands returns all commands for the platform's menus, in all languages.
	Commands() []Command
	// Complete returns at most 25 values to suggest for an option while a person types it. typed is the text so far.
	Complete(ctx context.Context, ev Event, option, typed string) []CommandChoice
	// Languages returns the bot's languages, the default first.
	Languages() []Language
	// Brief answers without the database. If ev.Missing is set, the message says to the author of a command which
	// permissions the bot lacks. Otherwise it answers ev.Text, a command or words, in a chat in which the bot may write
	// only this one message: its buttons open a table or run the command.
	Brief(ev Event) Message
	// Noted returns the text that Note has stored under name, "" if none. name begins with the platform's name.
	Noted(ctx context.Context, name string) (string, error)
	// Note stores the text value under name for Noted, also across restarts; "" deletes it.
	Note(ctx context.Context, name, value string) error
	// Lost stores that the bot can no longer write to a place or, with the place "", to the whole chat.
	Lost(ctx context.Context, chat Chat, place Place) error
	// Migrate moves a chat from oldID to newID. newPlace returns the new id for the old id of a place in the chat.
	Migrate(ctx context.Context, oldID, newID Chat, newPlace func(Place) Place) error
}

// Need is how urgent a waiting write is. The first value is the most urgent. Less urgent writes wait longer, but not
// for ever.
type Need int

const (
	// ToShow: a new board that a person has asked for.
	ToShow Need = iota
	// ToMove: a board on which a player must move.
	ToMove
	// ToSee: a board on which no person must move, such as a lobby or a result.
	ToSee
	// ToCall: a ping that asks a player to come to their table.
	ToCall
)

// Ping is a message that asks a player to come to their table.
type Ping struct {
	// Once is an id of the ping. It is the same for every try to post this ping.
	Once string
	// Turn is an id of the turn that the ping is about, the same for a second ping of that turn. Lasts is how long the
	// turn may take, 0 for any time.
	Turn  string
	Lasts time.Duration
	// To is the player. Name is the player's name (hostile text), "" if the platform adds the name.
	To   User
	Name string
	// Before and After are the parts of the sentence before and after the player's name.
	Before, After string
	// In returns, in the language lang, the whole sentence (said) and the label of the button Off (off), for adapters
	// that show a ping in the reader's own language. nil: only one language is known.
	In func(lang string) (said, off string)
	// Board is the message with the table's board, "" if there is none.
	Board Ref
	// Off is the button by which the player turns pings off.
	Off Button
	// Offer, unless nil, is posted for all people instead of a ping to the player To. It shows the seats of a table
	// that players want to hand over to others, as Core.View renders it with Viewer.Offers.
	Offer *Message
}

// Errors of Post, Edit, Retire and Call, maybe wrapped, to which the core reacts. After others it tries again later.
var (
	// ErrGone: the message was deleted or can no longer be edited. The core posts the board again.
	ErrGone = errors.New("message is gone")
	// ErrAway: the bot cannot write to the place (removed, blocked, channel deleted). The core keeps the table, and
	// draws the board again after an event from that place.
	ErrAway = errors.New("place cannot be reached")
	// ErrUnsure: the platform may or may not have carried out the request.
	ErrUnsure = errors.New("it is unknown whether it was done")
)

// Later is an error that says how long to wait before the next try.
type Later struct{ After time.Duration }

// Error returns a text that names the time to wait.
func (l Later) Error() string { return "platform asks to wait " + l.After.String() }

// Unheard returns err, wrapped with ErrUnsure if the request may have reached the platform. It cannot have been carried
// out if the platform refused it (refused is true) or no connection was opened.
func Unheard(err error, refused bool) error {
	dialling, ok := errors.AsType[*net.OpError](err)
	if err == nil || refused || ok && dialling.Op == "dial" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnsure, err)
}

// Drawer posts board m as the answer to an event. ref is the message with the table's present board, "" if there is
// none. The results are the message that now shows the board and, where boards are perishable, what permits to edit it.
type Drawer func(ctx context.Context, m Message, ref Ref) (Ref, Permit, error)

// Permit permits to edit one message in a chat of which the bot is no member. The zero value is for a message that the
// bot can always edit.
type Permit struct {
	Token   string // a secret of the platform; "": the message cannot be edited any more
	Expires int64  // when the platform no longer accepts Token, in Unix milliseconds; 0: the bot is a member
}

// Finding is one result of a check of the platform, in a sentence.
type Finding struct {
	Text  string     // for the operator, in English, without the full stop; "": Line is set
	Line  games.Line // instead of Text: for any reader, in their language
	Wrong bool       // a problem that must be solved
}

// Dialer opens a network connection, like the method DialContext of net.Dialer.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// HTTPClient returns a client for a platform's API, without redirects. dial opens connections; nil: the default.
func HTTPClient(dial Dialer) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 256
	if dial != nil {
		transport.DialContext = dial
	}
	// A redirect would carry the token to another host, so the client does not follow it.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// Link is the state of the connection to a platform. Up with a zero Since means that the connection cannot be lost.
type Link struct {
	Up    bool          // events arrive
	Since time.Time     // when Up last changed; zero: no connection was tried yet, or it cannot be lost
	Away  time.Duration // how long it was down before; 0: never, or it is down now
	Why   string        // why it is no longer retried, for the operator; "": it is retried
}

// Condition is the connection and the limits of a platform.
type Condition struct {
	Link Link
	// Budget is the platform's method Budget; nil if the platform does not run.
	Budget func(Place) Budget
}

// Lasting reports whether the connection cannot be lost, because the platform is a part of this program.
func (l Link) Lasting() bool { return l.Up && l.Since.IsZero() }

// Linking tracks the state of a platform's connection. The zero value is a connection that was never tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // sum of recent outages and the short connections between them
	up      time.Duration // how long it was up before the current outage
	back    func()        // called when it is up again; may be nil
}

// maxMoment is the time for which a connection must last to end an outage. Checks at intervals miss shorter ones.
const maxMoment = 5 * time.Second

// Link returns the current state.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Heard sets the function to call whenever the connection is up again. Link already returns the new state then.
func (l *Linking) Heard(callback func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = callback
}

// Turn stores whether the connection is up. changed reports whether the state is new. before is how long the previous
// state lasted, 0 if there was none or nothing has changed.
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

// GiveUp stores why the adapter no longer retries a lost connection. Link returns that as Why.
func (l *Linking) GiveUp(reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = reason
}
