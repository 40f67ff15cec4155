// Package web is the browser table: a chat room in a page, on this machine or
// behind a secret. It posts the same boards and takes the same commands and
// presses as any other platform; what is special is that one visitor may play
// for several people who sit at one screen.
package web

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/words"
)

// The one room that the browser table has.
const (
	roomChat  chat.Chat  = "web:room"
	roomPlace chat.Place = "web:room"
)

// DefaultListen is where the browser table is found when nothing else is said.
const DefaultListen = "127.0.0.1:8080"

// Config says how the browser table is set up. Its zero value works: this
// machine alone, port 8080, visitors that are forgotten at the end.
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
	// Ways keep the links by which visitors take who they are to another browser;
	// nil: they are forgotten at the end.
	Ways Ways
	// Listening is told the page's address once it can be opened.
	Listening func(url string)
	// Failed is told why the page cannot be served, such as a port that is taken,
	// and should end the program. Run then returns nil; nil: Run returns the error
	// and is called again.
	Failed func(error)
	// Ready is GET /readyz: whether everything works that is configured. Only to
	// an operator it says what does not; nil: as Alive.
	Ready func(context.Context) (ready bool, why string)
	// Operator holds further handlers by pattern that are the operator's alone:
	// they want the secret as a bearer token or, where there is none, to be asked
	// from this machine.
	Operator map[string]http.Handler
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

// Web is the browser table. It keeps its feed in memory: after a restart the
// boards are drawn anew.
type Web struct {
	chat.Basics
	config  Config
	room    *room
	pages   *pages
	guests  *guests // names that were proposed
	knocks  *limits // tries of the secret, by address
	comers  *limits // strangers, by address
	acts    *limits // presses and commands, by address
	looks   *limits // at records and lists, by address
	streams *streams
	warns   rate.Sometimes // of proxies that nobody has named
}

// core is what the browser table needs of the bot.
type core interface {
	Handle(context.Context, chat.Event) chat.Reply
	Commands() []chat.Command
	Complete(ctx context.Context, ev chat.Event, option, typed string) []chat.CommandChoice
}

// maxStreams is how many pages may follow the room at once, and maxStreamsEach
// how many of one address.
const (
	maxStreams     = 512
	maxStreamsEach = 64
)

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
	if c.Ways == nil {
		c.Ways = &shortWays{by: map[string]kept{}}
	}
	if c.Words == nil {
		c.Words = must(words.New())
	}
	return &Web{
		config:  c,
		room:    newRoom(),
		pages:   loadPages(c.Words),
		guests:  &guests{},
		knocks:  newLimits(rate.Limit(0.2), 5),
		comers:  newLimits(20, 60),
		acts:    newLimits(20, 60),
		looks:   newLimits(20, 120),
		streams: newStreams(maxStreams, maxStreamsEach),
		warns:   rate.Sometimes{First: 1, Interval: time.Hour},
	}
}

// Name is "web".
func (w *Web) Name() string { return "web" }

// Run serves the page until ctx is done, then closes it within seconds and
// returns nil. It returns an error at once where the address cannot be
// listened on, or may not be without a secret.
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
	listening := func(url string) {
		if err := b.Redraw(ctx, roomPlace); err != nil && ctx.Err() == nil {
			w.config.Log.Error("redraw the browser table", "error", err)
		}
		if w.config.Listening != nil {
			w.config.Listening(url)
		}
	}
	var err error
	if l := w.config.Listener; l != nil {
		listening(pageURL(l.Addr()))
		err = serveOn(ctx, l, w.handler(ctx, b))
	} else {
		err = Serve(ctx, w.config.Listen, "--listen or KNOBEL_LISTEN", w.handler(ctx, b), listening)
	}
	if err != nil && ctx.Err() == nil && w.config.Failed != nil {
		w.config.Failed(err)
		return nil
	}
	return err
}

// Ready never waits: the room is ours.
func (w *Web) Ready(ctx context.Context, _ chat.Place, _ chat.Need) error { return ctx.Err() }

// Call puts up a notice that the browser of one person alone shows.
func (w *Web) Call(_ context.Context, place chat.Place, s chat.Ping) (chat.Ref, error) {
	if place != roomPlace {
		return "", fmt.Errorf("call to %q: %w", place, chat.ErrAway)
	}
	return w.room.call(s), nil
}

// Dismiss takes a notice down.
func (w *Web) Dismiss(_ context.Context, _ chat.Place, ref chat.Ref) error {
	w.room.dismiss(ref)
	return nil
}

// Post puts a board at the bottom of the feed.
func (w *Web) Post(_ context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	if place != roomPlace {
		return "", fmt.Errorf("post to %q: %w", place, chat.ErrAway)
	}
	return w.room.post(m), nil
}

// Edit draws a board over one in the feed.
func (w *Web) Edit(_ context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	if place != roomPlace {
		return fmt.Errorf("edit in %q: %w", place, chat.ErrAway)
	}
	return w.room.edit(ref, m)
}

// Retire takes the buttons off a board, and the board away once the same table
// stands below it.
func (w *Web) Retire(_ context.Context, place chat.Place, ref chat.Ref) error {
	if place != roomPlace {
		return fmt.Errorf("retire in %q: %w", place, chat.ErrAway)
	}
	w.room.retire(ref)
	return nil
}
