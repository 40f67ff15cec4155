// Package web is the browser table: a platform whose chats are rooms on web pages, one main room and others that people
// make. Without a secret only this machine can open it. One visitor may play for several people at one screen.
package web

import (
	"cmp"
	"context"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/store"
)

// The chat and the place of the main room.
const (
	roomChat  chat.Chat  = "web:room"
	roomPlace chat.Place = "web:room"
)

// DefaultListen is the default listen address.
const DefaultListen = "127.0.0.1:8080"

// Config configures the browser table. If only Store is set, it serves this machine at port 8080.
type Config struct {
	// Listen is the address to listen on; "" means DefaultListen.
	Listen string
	// Listener, if not nil, is used instead of Listen, and closed at the end.
	Listener net.Listener
	// Secret is the password of visitors. It may be empty only on loopback without a proxy.
	Secret string
	// Proxies are the networks of trusted proxies: their X-Forwarded-For counts. Clients behind others share a limit.
	Proxies Proxies
	// Key signs cookies, 32 bytes. With the same key, visitors are recognised after a restart; nil means a random key.
	Key []byte
	// Store is the database of rooms, of their messages, and of links that move visitors to another browser.
	Store *store.Store
	// Alone reports whether no other replica uses the database now; nil means there never is one.
	Alone func() bool
	// Call returns a sent call (a ping that asks a player to come) by its number, for rooms that are opened after it
	// was sent; ok is false if the call has ended.
	Call func(ctx context.Context, number int64) (p chat.Ping, ok bool, err error)
	// Record returns the record (moves) of a finished table of a chat, one JSON line, or nil without an error if there
	// is no such table. If Record is nil, there are no records.
	Record func(ctx context.Context, chat chat.Chat, table int64) ([]byte, error)
	// Pages holds the data that pages request, by the last part of its path below a room's path.
	Pages map[string]Page
	// GuardRooms requires the secret in rooms that people make, too; otherwise their address is enough.
	GuardRooms bool
	// Reach returns the URLs by which other devices open the page at ownURL on this machine, best first; nil: none.
	Reach func(ownURL string) []string
	// Open opens listeners for other devices in this network, and returns them with the password that everyone needs
	// from then on. If it is nil, the page cannot be opened while it is served.
	Open func(context.Context) (listeners []net.Listener, secret string, err error)
	// Command is the command that starts the program so that other devices can open the page.
	Command string
	// Listening is called with the page's address once it is served.
	Listening func(url string)
	// Failed is called when the address cannot be used, such as a taken port, and should end the program; Run then
	// returns nil. If Failed is nil, Run returns the error, and the bot calls Run again.
	Failed func(error)
	// Ready answers /readyz: ready is whether all that is configured works, including the platforms if platforms is
	// true; why gives the operator the details. If Ready is nil, only the database is checked.
	Ready func(ctx context.Context, platforms bool) (ready bool, why string)
	// Operator holds further handlers by URL pattern, for the operator alone: requests with the secret as a bearer
	// token or, if there is no secret, from this machine.
	Operator map[string]http.Handler
	// Broke, unless nil, is called for each request that fails by an internal error before it reaches the bot.
	Broke func(*http.Request)
	// Answered, unless nil, is called after each button press, with the time that the answer took.
	Answered func(time.Duration)
	// Also holds further handlers by URL pattern, served without any check.
	Also map[string]http.Handler
	// Words holds the page's sentences, whose keys begin with "web"; nil means the bot's own.
	Words *words.Words
	// Log is the logger; nil means the default.
	Log *slog.Logger
}

// Web is the browser table of one replica (running server). Its rooms are in memory, in step with the database.
type Web struct {
	chat.Basics
	config  Config
	bot     chat.Core       // set by the method handler, as is the field closing
	closing <-chan struct{} // closed when streams must end
	room    *room           // the main room
	rooms   *rooms
	pages   *pages
	door
	makers     *limits // for made rooms
	reacts     *limits // for signs (reactions)
	guesses    *limits // for wrong addresses of rooms
	comers     *limits // for opened pages of rooms and new visitors
	acts       *limits // for presses and commands
	asks       *limits // for requests of records and lists
	streams    *streams
	name       string         // random name of this replica
	hintCipher cipher.AEAD    // encrypts hints; its key is the same on all replicas
	hints      chan hint      // messages to be sent to other replicas
	toSync     chan *room     // rooms to be read from the database
	syncFails  atomic.Bool    // the last reading of a room has failed
	started    time.Time      // when this replica started
	dropped    time.Time      // when unused rooms were last deleted; used by upkeep alone
	warns      rate.Sometimes // limits warnings about untrusted proxies
}

// defaultWords returns the bot's own sentences, read once.
var defaultWords = sync.OnceValue(func() *words.Words { return must(words.New()) })

// New returns a browser table with the defaults filled into c. It serves nothing before Run.
func New(c Config) *Web {
	c.Listen = cmp.Or(c.Listen, DefaultListen)
	if c.Key == nil {
		c.Key = make([]byte, 32)
		rand.Read(c.Key) // never fails
	}
	c.Log = cmp.Or(c.Log, slog.Default())
	if c.Words == nil {
		c.Words = defaultWords()
	}
	w := &Web{
		config:     c,
		pages:      loadPages(c.Words),
		door:       door{knocks: newLimits(rate.Limit(0.2), 5)},
		makers:     newLimits(rate.Every(time.Minute), 10),
		reacts:     newLimits(1, 6),
		guesses:    newLimits(rate.Limit(0.2), 20),
		comers:     newLimits(20, 120),
		acts:       newLimits(20, 60),
		asks:       newLimits(20, 120),
		streams:    newStreams(maxStreams, maxStreamsEach),
		started:    time.Now(),
		warns:      rate.Sometimes{First: 1, Interval: time.Hour},
		name:       rand.Text(),
		hintCipher: newCipher("knobel line " + string(c.Key)),
		hints:      make(chan hint, maxHints),
		toSync:     make(chan *room, maxHints),
	}
	w.room = w.newRoom(roomChat)
	w.rooms = &rooms{byPlace: map[chat.Place]*room{w.room.place: w.room}}
	return w
}

// Methods that make the browser table a platform.

// Name returns "web".
func (w *Web) Name() string { return "web" }

// Traits reports that pages replay the steps of moves that they have not shown, and have boards drawn for each viewer.
func (w *Web) Traits(chat.Place) chat.Traits { return chat.Traits{Steps: true, Pages: true} }

// Run serves the page for core until ctx is done, then closes it within seconds and returns nil. It returns an error at
// once if the configuration needs a secret or, unless Config.Failed is set, if the address cannot be used.
func (w *Web) Run(ctx context.Context, core chat.Core) error {
	if w.config.Secret == "" && len(w.config.Proxies) > 0 {
		return errors.New("proxies make the browser page public: set KNOBEL_WEB_SECRET, or leave out " +
			"KNOBEL_PROXIES")
	}
	if w.config.Secret == "" && !Loopback(w.config.Listen) {
		return fmt.Errorf("the browser page on %s is open to other computers: set KNOBEL_WEB_SECRET, or "+
			"listen on %s",
			w.config.Listen, DefaultListen)
	}
	h := w.handler(ctx, core)
	var rooms sync.WaitGroup
	defer rooms.Wait()
	defer w.pushing.Wait()
	keeping, closes := context.WithCancel(ctx)
	defer closes()
	rooms.Go(func() { w.runUpkeep(keeping) })
	rooms.Go(func() { w.runSync(keeping) })
	w.serveAlso = func(l net.Listener) {
		rooms.Go(func() { chat.LogFailure(ctx, w.config.Log.Error, "serve page in network failed", Serve(ctx, l, h)) })
	}
	l, err := w.config.Listener, error(nil)
	if l == nil {
		l, err = Listen(ctx, w.config.Listen, "--listen or KNOBEL_LISTEN")
	}
	if err == nil {
		w.ensureSynced(ctx, w.room)
		if w.config.Listening != nil {
			w.config.Listening(pageURL(l.Addr()))
		}
		err = Serve(ctx, l, h)
	}
	if err != nil && ctx.Err() == nil && w.config.Failed != nil {
		w.config.Failed(err)
		return nil
	}
	return err
}

// Call shows ping, which asks a player to come, as a notice in the room at place, and returns the notice's id. It is on
// the pages of that player alone or, if it is about offered seats, on all pages. The error wraps chat.ErrAway if there
// is no such room.
func (w *Web) Call(ctx context.Context, place chat.Place, ping chat.Ping) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("call to %q: %w", place, err)
	}
	ref := r.showCall(ping, "", false)
	w.pushPing(r, ping, ref)
	return ref, nil
}

// Post shows m below all messages of the room at place, and returns its id. If another replica has shown a board of the
// same table, or a message with the same m.Once, m replaces that. The error wraps chat.ErrAway if there is no such
// room.
func (w *Web) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("post to %q: %w", place, err)
	}
	defer w.pushPost(r, m)
	if m.Table == 0 && m.Puzzle == 0 {
		return w.postNotice(ctx, r, m)
	}
	defer w.queueHint(hint{Room: place, Look: true})
	return r.post(m), nil
}

// Edit replaces the message ref in the room at place by m. The error wraps chat.ErrGone if there is no such message,
// chat.ErrAway if there is no such room.
func (w *Web) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("edit in %q: %w", place, err)
	}
	if m.Table == 0 && m.Puzzle == 0 {
		return w.editNotice(ctx, r, saidNumber(ref), &m)
	}
	defer w.queueHint(hint{Room: place, Look: true})
	return r.edit(ref, m)
}

// Viewers returns the viewers whose pages have requested the board of table at place since the board last changed.
func (w *Web) Viewers(place chat.Place, table int64) (viewers []chat.Viewer) {
	r := w.rooms.get(place)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.lastIndex(chat.Message{Table: table}); i >= 0 {
		for _, v := range r.entries[i].views {
			if v.requested {
				viewers = append(viewers, v.viewer)
			}
		}
	}
	return viewers
}

// Retire removes the buttons of the board ref, or the whole board if its table has a newer board. If ref is the id of a
// notice, it removes the notice.
func (w *Web) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("retire in %q: %w", place, err)
	}
	if number := saidNumber(ref); number != 0 {
		return w.editNotice(ctx, r, number, nil)
	}
	r.retire(ref)
	return nil
}
