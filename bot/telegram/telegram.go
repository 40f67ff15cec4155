// Package telegram meets people on Telegram: it polls the Bot API for what
// they do, or is told at a webhook, hands it to the bot as events, answers each press and command, and
// draws boards as messages with inline keyboards.
//
// An update is acknowledged only after it was handled. Everything written into
// a chat keeps that chat's budget, so Telegram never has to slow the bot down.
package telegram

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"sync"
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
	// Answered is told how long a person waited for the answer to a press, counted
	// from when it came; nil: nobody counts.
	Answered func(time.Duration)
	// Clock paces writes and retries; nil is the real time.
	Clock Clock
	// Dial opens connections, as net.Dialer does; nil is the usual way.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Telegram is the adapter for one bot. It implements bot.Platform.
type Telegram struct {
	chat.Linking
	answered func(time.Duration)

	client  client
	clock   Clock
	log     *slog.Logger
	budget  *budget
	tally   chat.Tally
	presses presses
	hook    Webhook
	door    door

	mu       sync.Mutex
	core     core                 // while Run runs
	username string               // the bot's own, "" before it is known
	pending  map[int64]int        // answers that wait, by chat
	turning  map[[2]int64]*letter // pages that wait to be turned, by chat and message
	turns    int64                // presses so far
	mutes    mutes
	became   became
	above    above
	working  sync.WaitGroup
}

// core is what this adapter needs of the bot.
type core interface {
	Handle(context.Context, chat.Event) chat.Reply
	Commands() []chat.Command
	Lacks(chat.Event) chat.Message
	Lost(context.Context, chat.Chat, chat.Place) error
	Migrate(ctx context.Context, from, to chat.Chat, place func(chat.Place) chat.Place) error
}

var (
	_ chat.Platform  = (*Telegram)(nil)
	_ chat.Examined  = (*Telegram)(nil)
	_ chat.Consulted = (*Telegram)(nil)
	_ chat.Sparing   = (*Telegram)(nil)
	_ chat.Budgeted  = (*Telegram)(nil)
)

// New makes the adapter. It does not speak to Telegram yet.
func New(o Options) *Telegram {
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = realClock{}
	}
	t := &Telegram{
		client: newClient(o), clock: o.Clock, hook: o.Webhook, log: o.Log.With("platform", name), answered: o.Answered,
		budget: newBudget(o.Clock), presses: presses{open: map[int64]map[chan struct{}]bool{}}, pending: map[int64]int{},
		turning: map[[2]int64]*letter{}, became: became{}, above: above{},
		mutes: mutes{lacks: map[chat.Place]chat.Lack{}, asked: map[chat.Place]chat.Event{}},
	}
	t.client.done = t.counted
	return t
}

// Name is what all ids of Telegram begin with.
func (t *Telegram) Name() string { return name }

// Sparing says that a chat takes few drawings a minute.
func (t *Telegram) Sparing() bool { return true }

// me asks Telegram who the bot is.
func (t *Telegram) me(ctx context.Context) (person, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var me person
	raw, err := t.client.call(ctx, "getMe", nil)
	if err != nil {
		return me, err
	}
	return me, json.Unmarshal(raw, &me)
}

// lingering is how long work that was begun may go on after the end.
const lingering = 3 * time.Second

// Run listens until ctx is done. It never gives up on a Telegram that is away.
func (t *Telegram) Run(ctx context.Context, b chat.Core) error { return t.run(ctx, b) }

func (t *Telegram) run(ctx context.Context, core core) error {
	work, stop := linger(ctx, lingering)
	defer stop()
	t.mu.Lock()
	t.core = core
	t.mu.Unlock()
	t.Turn(false)
	defer t.Turn(false)

	var me person
	t.retry(ctx, "reach telegram", func() (err error) {
		me, err = t.me(ctx)
		return err
	})
	if ctx.Err() != nil {
		return nil
	}
	t.Turn(true)
	t.log.Info("listening", "bot", me.Username)
	t.mu.Lock()
	t.username = me.Username
	t.mu.Unlock()
	t.working.Go(func() {
		t.retry(ctx, "register the commands", func() error { return t.register(ctx, core.Commands()) })
	})
	l := listener{t, core, me, t.known(core.Commands())}
	if t.hook.URL != "" {
		l.await(ctx, work)
	} else {
		l.poll(ctx, work)
	}
	t.mu.Lock()
	t.core = nil // nothing new is begun
	t.mu.Unlock()
	t.working.Wait()
	return nil
}

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
