// Package web is the browser table: chat rooms in pages, on this machine or behind a secret, one permanent and others
// that people make. It is a platform like any other, except that one visitor may play for several people at one screen.
package web

import (
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

// The main room.
const (
	roomChat  chat.Chat  = "web:room"
	roomPlace chat.Place = "web:room"
)

// DefaultListen is the default listen address.
const DefaultListen = "127.0.0.1:8080"

// Config configures the browser table. With Store alone it serves this machine at port 8080, and visitors are lost at
// the end.
type Config struct {
	// Listen is the address to listen on; "" means DefaultListen.
	Listen string
	// Listener is served instead of Listen if not nil. It is closed in the end.
	Listener net.Listener
	// Secret is the password of visitors. It may be empty only on loopback without a proxy.
	Secret string
	// Proxies are trusted for client addresses. Without them all clients behind a proxy share one limit.
	Proxies Proxies
	// Key signs cookies, 32 bytes. The same key recognises visitors after a restart; nil draws a new one.
	Key []byte
	// Store is the database of rooms, of what they show, and of links by which visitors move to another browser.
	Store *store.Store
	// Alone reports whether no other replica uses the database now; nil means there never is one.
	Alone func() bool
	// Call returns a sent call by its number, for rooms that are opened later; ok is false if it is over.
	Call func(ctx context.Context, number int64) (p chat.Ping, ok bool, err error)
	// Record returns the record of a finished table of a chat, one JSON line, or nil without an error if there is no
	// such table; nil means there are none.
	Record func(ctx context.Context, chat chat.Chat, table int64) ([]byte, error)
	// GuardRooms asks for the secret in rooms that people make, too; otherwise their address is enough.
	GuardRooms bool
	// Reach returns the addresses for others in the network of a page that this machine opens at own, the best first;
	// nil means none.
	Reach func(own string) []string
	// Listening is called with the page's address once it is served.
	Listening func(url string)
	// Failed is called when the page cannot be served, such as on a taken port, and should end the program; Run then
	// returns nil. If nil, Run returns the error and is called again.
	Failed func(error)
	// Ready answers /readyz: whether all that is configured works, with platforms if asked. Only an operator sees why
	// not; nil means that the database answers.
	Ready func(ctx context.Context, platforms bool) (ready bool, why string)
	// Operator holds further handlers by pattern for the operator alone: with the secret as a bearer token or, if there
	// is none, from this machine.
	Operator map[string]http.Handler
	// Broke is called for each request that fails by a fault of ours before it reaches the bot; nil ignores them.
	Broke func(*http.Request)
	// Answered is called with the time that the answer to a press took; nil ignores it.
	Answered func(time.Duration)
	// Also holds further handlers by pattern, served without any check.
	Also map[string]http.Handler
	// Words holds the page's sentences, under "web"; nil means the bot's own.
	Words *words.Words
	// Log is the logger; nil means the default.
	Log *slog.Logger
}

// Web is the browser table. Its feeds are in memory and follow the database. Each replica has its own.
type Web struct {
	chat.Basics
	config    Config
	bot       chat.Core       // set by handler, as closing
	closing   <-chan struct{} // closed when streams must end
	room      *room           // the main room
	rooms     *rooms
	pages     *pages
	knocks    *limits // attempts of the secret, by address
	makers    *limits // rooms made, by address
	reacts    *limits // signs shown, by address
	guesses   *limits // wrong addresses of rooms, by address
	comers    *limits // opened pages of rooms and new visitors, by address
	acts      *limits // presses and commands, by address
	asks      *limits // requests for records and lists, by address
	streams   *streams
	name      string      // of this replica
	box       cipher.AEAD // of hints, the same on all replicas
	hints     chan hint   // to be sent to other replicas
	toSync    chan *room  // to be synced
	syncFails atomic.Bool // the last sync has failed
	began     time.Time
	dropped   time.Time      // when idle rooms were last deleted; for the loop alone
	warns     rate.Sometimes // of proxies that are not configured
}

// ownWords returns the bot's own sentences, read once.
var ownWords = sync.OnceValue(func() *words.Words { return must(words.New()) })

// New returns a browser table.
func New(c Config) *Web {
	if c.Listen == "" {
		c.Listen = DefaultListen
	}
	if c.Key == nil {
		c.Key = make([]byte, 32)
		rand.Read(c.Key) // never fails
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Words == nil {
		c.Words = ownWords()
	}
	w := &Web{
		config:  c,
		pages:   loadPages(c.Words),
		knocks:  newLimits(rate.Limit(0.2), 5),
		makers:  newLimits(rate.Every(time.Minute), 10),
		reacts:  newLimits(1, 6),
		guesses: newLimits(rate.Limit(0.2), 20),
		comers:  newLimits(20, 120),
		acts:    newLimits(20, 60),
		asks:    newLimits(20, 120),
		streams: newStreams(maxStreams, maxStreamsEach),
		began:   time.Now(),
		warns:   rate.Sometimes{First: 1, Interval: time.Hour},
		name:    rand.Text(),
		box:     boxOf("knobel line " + string(c.Key)),
		hints:   make(chan hint, maxHints),
		toSync:  make(chan *room, maxHints),
	}
	w.room = w.newRoom(roomChat)
	w.rooms = &rooms{by: map[chat.Place]*room{w.room.place: w.room}}
	return w
}

// The browser table as a platform.

// Name returns "web".
func (w *Web) Name() string { return "web" }

// Traits says that pages replay the steps that they have not shown yet.
func (w *Web) Traits() chat.Traits { return chat.Traits{Steps: true, Pages: true} }

// Run serves the page until ctx is done, then closes it within seconds and returns nil. It returns an error at once if
// the address cannot be used, or needs a secret.
func (w *Web) Run(ctx context.Context, b chat.Core) error {
	if w.config.Secret == "" && len(w.config.Proxies) > 0 {
		return errors.New("a proxy leads strangers to the browser table: set KNOBEL_WEB_SECRET, or leave " +
			"KNOBEL_PROXIES out")
	}
	if w.config.Secret == "" && !Loopback(w.config.Listen) {
		return fmt.Errorf("the browser table on %s can be reached from other machines: set KNOBEL_WEB_SECRET, or "+
			"listen on %s",
			w.config.Listen, DefaultListen)
	}
	h := w.handler(ctx, b)
	var rooms sync.WaitGroup
	defer rooms.Wait()
	keeping, closes := context.WithCancel(ctx)
	defer closes()
	rooms.Go(func() { w.keeping(keeping) })
	rooms.Go(func() { w.following(keeping) })
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

// Call shows a notice in one person's browser alone.
func (w *Web) Call(ctx context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("call to %q: %w", place, err)
	}
	return r.call(s, "", false), nil
}

// Post adds a board to the bottom of the feed.
func (w *Web) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return "", fmt.Errorf("post to %q: %w", place, err)
	}
	defer w.hint(hint{Room: place, Look: true})
	return r.post(m), nil
}

// Edit replaces a board in the feed.
func (w *Web) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("edit in %q: %w", place, err)
	}
	defer w.hint(hint{Room: place, Look: true})
	return r.edit(ref, m)
}

// Viewers returns the viewers of a table's last board.
func (w *Web) Viewers(place chat.Place, table int64) (all []chat.Viewer) {
	r := w.rooms.at(place)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := r.last(chat.Message{Table: table}); i >= 0 {
		for _, v := range r.entries[i].views {
			if v.asked {
				all = append(all, v.by)
			}
		}
	}
	return all
}

// Retire removes a board's buttons, and the board if its table has a newer one; or it removes a notice.
func (w *Web) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	r, err := w.roomAt(ctx, place)
	if err != nil {
		return fmt.Errorf("retire in %q: %w", place, err)
	}
	r.retire(ref)
	return nil
}
