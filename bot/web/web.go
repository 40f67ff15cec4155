// Package web is the browser table: chat rooms in pages, on this machine or
// behind a secret, one that is always there and those that people make. It posts the
// same boards and takes the same commands and presses as any other platform; what is
// special is that one visitor may play for several people who sit at one screen.
package web

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/bot/words"
)

// The room that every browser table has.
const (
	roomChat  chat.Chat  = "web:room"
	roomPlace chat.Place = "web:room"
)

// DefaultListen is where the browser table is found when nothing else is said.
const DefaultListen = "127.0.0.1:8080"

// Config says how the browser table is set up: without more than Rooms and Ways for this
// machine alone, at port 8080, with visitors that are forgotten at the end.
type Config struct {
	// Listen is the address to listen on; "" is DefaultListen.
	Listen string
	// Listener is served instead of what listens on Listen; nil: that is. It is closed in the end.
	Listener net.Listener
	// Secret is what a visitor must know to come in. It may be empty on
	// loopback only, and only where no proxy leads here.
	Secret string
	// Proxies are the proxies whose word on addresses is believed. Without them all clients behind
	// a proxy count as one for limits.
	Proxies Proxies
	// Key signs the visitors' cookies, 32 bytes. With the same key visitors are recognised after a
	// restart; nil: a new one is drawn.
	Key []byte
	// Alive reports whether the process can do its work, for /healthz; nil: yes.
	Alive func(context.Context) error
	// Record returns the record of a finished table of a chat, one JSON line, and
	// nil without an error where the chat has no such table; nil: there are none.
	Record func(ctx context.Context, chat chat.Chat, table int64) ([]byte, error)
	// Names returns the names of a chat's people, present or not, which are not proposed to
	// strangers; nil: there are none.
	Names func(ctx context.Context, chat chat.Chat) ([]string, error)
	// Past returns the newest finished tables of a chat but the one that Redraw draws, the newest first, as many as
	// most: their boards are shown again after a restart; nil: there are none.
	Past func(ctx context.Context, chat chat.Chat, most int) ([]PastTable, error)
	// GuardRooms asks for the secret also in rooms that people make; otherwise whoever has the address of
	// one is let in.
	GuardRooms bool
	// Rooms keep what is to be known of rooms that people make.
	Rooms Rooms
	// Replicas are what this process shares with others that serve the same rooms; nil: there are none.
	Replicas *replica.Others
	// Ways keep the links by which visitors take who they are to another browser.
	Ways Ways
	// Reach returns the addresses at which others in the network open a page that this machine opens at own, the
	// best first; nil: there are none.
	Reach func(own string) []string
	// Listening is told the page's address once it can be opened.
	Listening func(url string)
	// Failed is told why the page cannot be served, such as a port that is taken,
	// and should end the program. Run then returns nil; nil: Run returns the error
	// and is called again.
	Failed func(error)
	// Ready is GET /readyz: whether everything works that is configured, where it is asked for the platforms, too, and
	// whether the page itself does otherwise. Only to an operator it says what does not; nil: as Alive.
	Ready func(ctx context.Context, platforms bool) (ready bool, why string)
	// Operator holds further handlers by pattern that are the operator's alone:
	// they want the secret as a bearer token or, where there is none, to be asked
	// from this machine.
	Operator map[string]http.Handler
	// Broke is called with each request that fails by a fault of ours before the bot hears of it; nil: nothing counts
	// them.
	Broke func(*http.Request)
	// Answered is called with the time that a person waited for the answer to a press; nil: it is
	// not measured.
	Answered func(time.Duration)
	// Also holds further handlers by pattern, served beside the page with no
	// questions asked: they keep their own doors.
	Also map[string]http.Handler
	// Words are the sentences of the page, under "web"; nil: the bot's own.
	Words *words.Words
	// Log takes what goes wrong; nil: the default logger.
	Log *slog.Logger
}

// PastTable is a finished table and when it ended.
type PastTable struct {
	Table int64
	Ended time.Time
}

// Web is the browser table. It keeps its feed in memory: after a restart the
// boards are drawn anew. With replicas each has its own, which follows the database.
type Web struct {
	chat.Basics
	config  Config
	room    *room // that is always there
	rooms   *rooms
	pages   *pages
	knocks  *limits // tries of the secret, by address
	makers  *limits // rooms that are made, by address
	reacts  *limits // signs that are shown, by address
	guesses *limits // wrong addresses of rooms, by address
	comers  *limits // pages of rooms that are opened, and who comes in, by address
	acts    *limits // presses and commands, by address
	looks   *limits // at records and lists, by address
	streams *streams
	line    *replica.Line  // to other replicas
	notes   *replica.Notes // of rooms
	blind   atomic.Bool    // the last look has failed
	opened  opened         // the pages that visitors have open on boards
	began   time.Time
	dropped time.Time      // when idle rooms were forgotten; for the loop alone
	warns   rate.Sometimes // of proxies that nobody has named
}

// core is what the browser table needs of the bot.
type core interface {
	Redraw(ctx context.Context, place chat.Place) error
	Handle(context.Context, chat.Event) chat.Reply
	View(ctx context.Context, table int64, by chat.Viewer) (chat.Message, error)
	Puzzle(ctx context.Context, puzzle int64, lang string) (chat.Message, error)
	Commands() []chat.Command
	Complete(ctx context.Context, ev chat.Event, option, typed string) []chat.CommandChoice
}

// ownWords returns the bot's own sentences, read once.
var ownWords = sync.OnceValue(func() *words.Words { return must(words.New()) })

// New makes a browser table.
func New(c Config) *Web {
	if c.Listen == "" {
		c.Listen = DefaultListen
	}
	if c.Key == nil {
		c.Key = make([]byte, 32)
		rand.Read(c.Key) // never fails: the program ends where there is no chance
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Words == nil {
		c.Words = ownWords()
	}
	always := newRoom(roomChat)
	w := &Web{
		config:  c,
		room:    always,
		rooms:   newRooms(always),
		pages:   loadPages(c.Words),
		knocks:  newLimits(rate.Limit(0.2), 5),
		makers:  newLimits(rate.Every(time.Minute), 10),
		reacts:  newLimits(1, 6),
		guesses: newLimits(rate.Limit(0.2), 20),
		comers:  newLimits(20, 120),
		acts:    newLimits(20, 60),
		looks:   newLimits(20, 120),
		streams: newStreams(maxStreams, maxStreamsEach),
		began:   time.Now(),
		warns:   rate.Sometimes{First: 1, Interval: time.Hour},
		line:    replica.NewLine(c.Replicas, boxOf("knobel line "+string(c.Key)), c.Log),
		notes:   replica.NewNotes(),
	}
	w.shares(always)
	w.rooms.opens = w.shares
	return w
}
