// Package web is the browser table: chat rooms in pages, on this machine or behind a secret, one permanent and others
// that people make. It is a platform like any other, except that one visitor may play for several people at one screen.
package web

import (
	"context"
	"crypto/cipher"
	"crypto/rand"
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
	config  Config
	bot     core            // set by handler, as closing
	closing <-chan struct{} // closed when streams must end
	room    *room           // the main room
	rooms   *rooms
	pages   *pages
	knocks  *limits // attempts of the secret, by address
	makers  *limits // rooms made, by address
	reacts  *limits // signs shown, by address
	guesses *limits // wrong addresses of rooms, by address
	comers  *limits // opened pages of rooms and new visitors, by address
	acts    *limits // presses and commands, by address
	asks    *limits // requests for records and lists, by address
	streams *streams
	name    string      // of this replica
	box     cipher.AEAD // of hints, the same on all replicas
	hints   chan hint   // to be sent to other replicas
	looks   chan *room  // to be read
	blind   atomic.Bool // the last look has failed
	began   time.Time
	dropped time.Time      // when idle rooms were last deleted; for the loop alone
	warns   rate.Sometimes // of proxies that are not configured
}

// core is the part of the bot that the browser table uses.
type core interface {
	Handle(context.Context, chat.Event) chat.Reply
	View(ctx context.Context, table int64, by chat.Viewer) (chat.Message, error)
	Puzzle(ctx context.Context, puzzle int64, lang string) (chat.Message, error)
	Commands() []chat.Command
	Complete(ctx context.Context, ev chat.Event, option, typed string) []chat.CommandChoice
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
		looks:   make(chan *room, maxHints),
	}
	w.room = w.newRoom(roomChat)
	w.rooms = newRooms(w.room)
	return w
}
