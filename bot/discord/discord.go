// Package discord meets people on Discord: it hears of slash commands and
// presses over the gateway, hands them to the bot as events, answers each
// within three seconds and exactly once, and draws boards as messages.
//
// # Layouts
//
// Boards are layouts ("Components V2"): one container with the colour of the
// seat that is to move, texts, and rows of buttons. A plain message with rows
// of buttons says the same, but its text stands apart from its buttons, it
// cannot bear a seat's colour without an embed, which screen readers and
// phones treat as an attachment, and its rows end at five. Toasts and refusals
// are plain messages for one person.
//
// # Beside the library
//
// Types, addresses and the gateway are discordgo's. Its rate limiter holds up
// all answers behind one slow route and does not end with a context, its
// types panic over components that they do not know, and its reconnecting
// never gives up a token that is refused; so requests (rest), the reading of
// interactions (readInteraction) and the staying connected (Run) are our own.
package discord

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"knobel/bot"
)

// Options say how to reach Discord.
type Options struct {
	// Token is the bot's token. It never shows in a log or an error.
	Token string
	// URL stands in place of Discord's scheme and host; "" leaves them.
	URL string
	// Log is where trouble is told; nil is slog's default.
	Log *slog.Logger
}

// Discord is the adapter for one bot. It implements bot.Platform.
type Discord struct {
	rest   rest
	log    *slog.Logger
	broken error // an address that cannot be read
	paces  paces
	clock  clock
	// patience is how long a connection may take to be of use, and silence
	// how long it may leave heartbeats unanswered.
	patience, silence time.Duration

	registering sync.Mutex // held by whoever writes the commands
}

// core is what this adapter needs of the bot.
type core interface {
	Handle(context.Context, bot.Event) bot.Reply
	Draw(ctx context.Context, table int64, fresh bool, by bot.Drawer) error
	Commands() []bot.Command
	Complete(ctx context.Context, ev bot.Event, option, typed string) []bot.CommandChoice
}

var (
	_ bot.Platform = (*Discord)(nil)
	_ bot.Examined = (*Discord)(nil)
)

// New makes the adapter. It does not speak to Discord yet.
func New(o Options) *Discord {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	d := &Discord{
		log: o.Log.With("platform", name), patience: 20 * time.Second, silence: 100 * time.Second,
		paces: paces{channels: map[string]*paced{}},
	}
	client, err := newHTTP(o.URL)
	if err != nil {
		client, d.broken = http.DefaultClient, err
	}
	d.rest = rest{http: client, token: o.Token}
	return d
}

// Name is what all ids of Discord begin with.
func (d *Discord) Name() string { return name }

// lingering is how long interactions that were accepted may go on after the
// end.
const lingering = 3 * time.Second

// Run listens until ctx is done. It never gives up on a Discord that is away.
func (d *Discord) Run(ctx context.Context, b *bot.Bot) error { return d.run(ctx, b) }

func (d *Discord) run(ctx context.Context, core core) error {
	if d.broken != nil {
		return d.broken
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &shift{ctx: ctx, work: work, core: core}
	d.stay(s)
	stop := time.AfterFunc(lingering, cancel)
	defer stop.Stop()
	s.close()
	return nil
}
