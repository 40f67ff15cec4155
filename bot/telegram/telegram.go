// Package telegram meets people on Telegram: it polls the Bot API for what
// they do, or is told at a webhook, hands it to the bot as events, answers each press and command, and
// draws boards as messages with inline keyboards.
//
// An update is acknowledged only after it was handled. Everything written into
// a chat keeps that chat's budget, so Telegram never has to slow the bot down.
package telegram

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// DefaultURL is the Bot API of Telegram itself.
const DefaultURL = "https://api.telegram.org"

// Options say how to reach Telegram.
type Options struct {
	// Token is the bot's token. It never shows in a log or an error.
	Token string
	// URL stands in place of Telegram's scheme and host; "" is DefaultURL.
	URL string
	// Webhook is where Telegram delivers updates; the zero Webhook has it
	// polled.
	Webhook Webhook
	// Log is where trouble is told; nil is slog's default.
	Log *slog.Logger
	// Answered is called with the time that a person waited for the answer to a press, from its
	// arrival; nil: it is not measured.
	Answered func(time.Duration)
	// Ephemeral has answers for one person sent so that nobody else sees them, where the server can.
	Ephemeral bool
	// NoEphemeral is called once when it turns out that the server cannot; nil: nobody is told.
	NoEphemeral func()
	// Clock paces writes and retries; nil is the real time.
	Clock chat.Clock
	// Dial opens connections, as net.Dialer does; nil is the usual way.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Leases say what this replica does of what one at a time may do, and how it shares Telegram's limits; nil: it
	// is the only one.
	Leases chat.Leases
}

// Telegram is the adapter for one bot. It implements chat.Platform.
type Telegram struct {
	chat.Linking
	answered func(time.Duration)

	client  client
	clock   chat.Clock
	log     *slog.Logger
	budget  *budget
	tally   chat.Tally
	presses presses
	talk    talk
	hook    Webhook
	leases  chat.Leases
	// greetings are those of groups that the bot has come into.
	greetings chat.Recent[int64]
	door      door

	mu       sync.Mutex
	core     chat.Core // while Run runs
	username string    // the bot's own, "" before it is known
	pages
	mutes   mutes
	unliked chat.Recent[int64] // the chats that take no reaction of the bot's
	lacking lacking
	// ephemeral says that answers for one person are sent so that nobody else sees them.
	ephemeral   atomic.Bool
	noEphemeral func()
	working     sync.WaitGroup
}

var _ chat.Platform = (*Telegram)(nil)

// Name is what all ids of Telegram begin with.
func (t *Telegram) Name() string { return name }

// Traits say that a chat takes few drawings a minute.
func (t *Telegram) Traits() chat.Traits { return chat.Traits{Sparing: true} }

// Viewers returns none: all see the same.
func (t *Telegram) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// me asks Telegram who the bot is.
func (t *Telegram) me(ctx context.Context) (person, error) {
	var me person
	return me, t.client.ask(ctx, "getMe", nil, &me)
}

// lingering is how long work that was begun may go on after the end.
const lingering = 3 * time.Second

// linger returns a context that outlives ctx by d, for what is not to be torn
// off in the middle.
func linger(ctx context.Context, d time.Duration) (context.Context, func()) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, cancel) })
	return work, func() {
		stop()
		cancel()
	}
}

// retry does something until it succeeds or ctx is done, ever more slowly. It
// tells of the trouble once, and once of its end.
func (t *Telegram) retry(ctx context.Context, what string, do func() error) {
	pause := chat.Pauses()
	for troubled := false; ctx.Err() == nil; {
		err := do()
		if err == nil {
			if troubled {
				t.log.Info("succeeded after all", "task", what)
			}
			return
		}
		if !troubled && ctx.Err() == nil {
			t.log.Warn("trying again, ever more slowly", "task", what, "error", err)
			troubled = true
		}
		_ = t.budget.wait(ctx, pause.NextBackOff())
	}
}

// listener is one run: who we are and which commands there are.
type listener struct {
	*Telegram
	core     chat.Core
	me       person
	commands map[string]bool
}

// mutes know the places where Telegram does not let the bot write, and who has
// last asked for something in a place.
type mutes struct {
	mu    sync.Mutex
	known map[chat.Place]chat.MissingPermissions
	asked map[chat.Place]chat.Event
}

// pages are the answers of the bot. Telegram's lock is held for them.
type pages struct {
	pending map[int64]int        // answers that wait, by chat
	turning map[[2]int64]*letter // pages that wait to be turned, by chat and message
	turns   int64                // presses so far
	answers answers
	became  became
	above   above
}

// page is an answer of the bot's whose buttons turn it.
type page struct {
	message int64
	photo   bool  // it is a picture with a caption; else a text
	turn    int64 // which press made it this, 0: unknown
	asker   int64 // whose alone it is, 0: everybody's
	to      int64 // the message that it answers
	topic   int64
}

// above knows the pictures that stand above a text too long for a caption, by
// chat and message. After a restart they are forgotten, and stay.
type above map[[2]int64]int64

// became knows what pages have become, by chat and message: the same message
// with or without a picture, another message, or none as yet. A press tells what
// a page was when it was pressed, and it may have been turned since.
type became map[[2]int64]page

// letter is an answer on its way into a chat.
type letter struct {
	chat, topic int64
	to          int64        // the message that it answers, 0: none
	from        int64        // the page that was pressed, 0: none
	turn        int64        // the number of its press among all that turn pages
	asker       int64        // whose page it is, 0: everybody's
	place       int64        // the message that was last in that page's place
	over        page         // what it takes the place of; none where its message is 0
	above       int64        // the picture that was sent before its text, 0: none
	receiver    *receiver    // the person that it is for, nil: all in the chat
	sent        int64        // the message that it has become, 0: none
	m           chat.Message // the newest; Telegram's lock is held for it
}

// presses knows which presses are not yet answered, so that a board is drawn
// after the toast that belongs to it.
type presses struct {
	mu   sync.Mutex
	open map[int64]map[chan struct{}]bool
}

// door is the open webhook: who listens behind it.
type door struct {
	mu       sync.Mutex
	secret   [sha256.Size]byte // of what Telegram says here
	listener *listener         // nil: closed
	work     context.Context
	inside   sync.WaitGroup
	chats    chat.Keyed[int64] // by number: its updates are handled one after the other
}
