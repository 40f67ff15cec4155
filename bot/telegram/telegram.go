// Package telegram is the Telegram adapter: it polls the Bot API or serves a webhook, passes updates to the bot as
// events, answers each button press and command, and draws boards as messages with inline keyboards.
//
// An update is acknowledged only after it was handled. All writes into a chat stay within its budget, so that
// Telegram never has to throttle the bot.
package telegram

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// DefaultURL is Telegram's own Bot API.
const DefaultURL = "https://api.telegram.org"

// Options configure the adapter.
type Options struct {
	// Token is the bot's token. It never shows in a log or an error.
	Token string
	// URL replaces Telegram's scheme and host; "" is DefaultURL.
	URL string
	// Webhook is the public address to which Telegram delivers updates: https, at port 443, 80, 88 or 8443. "": updates
	// are polled.
	Webhook string
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Answered is called with the time from a button press's arrival to its answer; nil: it is not measured.
	Answered func(time.Duration)
	// Ephemeral sends private answers as ephemeral messages if the server supports them.
	Ephemeral bool
	// NoEphemeral is called once if the server does not support them, unless it is nil.
	NoEphemeral func()
	// Clock paces writes and retries; nil is the real time.
	Clock chat.Clock
	// Dial opens connections; nil is the default.
	Dial chat.Dialer
	// Leases decide what this replica holds and how replicas share Telegram's limits; nil: it is the only replica.
	Leases chat.Leases
}

// Telegram is the adapter for one bot. It implements chat.Platform.
type Telegram struct {
	chat.Linking
	options Options

	http     *http.Client
	endpoint string // of the Bot API, with %s for token and method
	log      *slog.Logger
	budget   *budget
	tally    chat.Tally
	presses  presses
	talk     talk
	// greetings holds the groups that were greeted in the last minute.
	greetings chat.Recent[int64]
	hookRun   atomic.Pointer[hookRun] // the last run with a webhook, nil: none

	mu   sync.Mutex
	core chat.Core // nil unless Run runs
	pages
	mutes   mutes
	unliked chat.Recent[int64] // chats without reactions
	// lacks holds the features that the server has refused.
	lacks struct{ reactions, tables, markup atomic.Bool }
	// ephemeral is whether private answers are ephemeral messages.
	ephemeral atomic.Bool
	working   sync.WaitGroup
}

var _ chat.Platform = (*Telegram)(nil)

// Name returns "telegram", the prefix of all ids of Telegram.
func (t *Telegram) Name() string { return name }

// Traits returns Sparing: a chat allows few writes a minute, so boards are drawn sparingly.
func (t *Telegram) Traits() chat.Traits { return chat.Traits{Sparing: true} }

// Viewers returns nil: all people see the same board.
func (t *Telegram) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// me requests the bot's identity from Telegram.
func (t *Telegram) me(ctx context.Context) (person, error) {
	var me person
	return me, t.ask(ctx, "getMe", nil, &me)
}

// lingering is how long work that has begun may take after the context of Run is done.
const lingering = 3 * time.Second

// linger returns a context that ends d after ctx does, to finish running work, and a function that ends it at once.
func linger(ctx context.Context, d time.Duration) (context.Context, func()) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(d, cancel) })
	return work, func() {
		stop()
		cancel()
	}
}

// retry calls do with growing pauses until it succeeds or ctx is done. It logs the first failure and the recovery of
// the task what.
func (t *Telegram) retry(ctx context.Context, what string, do func() error) {
	pause := chat.Pauses()
	for troubled := false; ctx.Err() == nil; {
		err := do()
		if err == nil {
			if troubled {
				t.log.Info("retry succeeded", "task", what)
			}
			return
		}
		if !troubled && ctx.Err() == nil {
			t.log.Warn("retrying", "task", what, "error", err)
			troubled = true
		}
		_ = t.budget.wait(ctx, pause.NextBackOff())
	}
}

// listener is one call of Run: the bot's identity, and the names of its commands and their aliases.
type listener struct {
	*Telegram
	core     chat.Core
	me       person
	commands map[string]bool
}

// mutes holds the places where the bot may not write, with the missing permissions, and the last unanswered request in
// each place.
type mutes struct {
	mu    sync.Mutex
	known map[chat.Place]chat.MissingPermissions
	asked map[chat.Place]chat.Event
}

// pages holds the bot's answers, guarded by Telegram.mu.
type pages struct {
	pending map[int64]int // waiting answers by chat
	turns   int64         // button presses so far
	answers answers
	// shown are the last pages, by chat and each message that has shown them: a press contains the page as it was when
	// it was pressed, which may have changed since.
	shown map[[2]int64]*page
}

// page is an answer whose buttons replace its content. It is shown by one message after another, with or without a
// picture, and by none (0) for a moment. All but to and topic is guarded by Telegram.mu.
type page struct {
	message   int64
	photo     bool    // a picture with a caption; else a text
	above     int64   // the picture above a text too long for a caption, 0: none
	turn      int64   // the button press that made its content, 0: none
	asker     int64   // the only person who may turn it, 0: all may
	to, topic int64   // the message that it answers, 0: none, and its topic
	public    bool    // it is for all, and no answer replaces it
	waiting   *letter // the next content, nil: none waits
}

// letter is an answer waiting to be sent.
type letter struct {
	chat     int64
	pressed  int64        // the message with the pressed button, 0: none, it is a new message
	page     *page        // where it is shown
	turn     int64        // the number of its button press, 0: none
	above    int64        // the picture sent before its text, 0: none
	receiver *receiver    // nil: all in the chat
	m        chat.Message // the newest content; guarded by Telegram's lock
}

// presses holds the unanswered button presses, so that a board is drawn only after the toasts.
type presses struct {
	mu   sync.Mutex
	open map[int64][]chan struct{} // by chat, closed once the press is answered
}

// New returns an adapter that has not connected yet.
func New(o Options) *Telegram {
	if o.URL == "" {
		o.URL = DefaultURL
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Clock == nil {
		o.Clock = chat.SystemClock{}
	}
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	base := strings.ReplaceAll(strings.TrimRight(o.URL, "/"), "%", "%%")
	t := &Telegram{
		options: o, http: chat.HTTPClient(o.Dial), endpoint: base + "/bot%s/%s", log: o.Log.With("platform", name),
		budget: newBudget(o.Clock), presses: presses{open: map[int64][]chan struct{}{}},
		pages: pages{pending: map[int64]int{}, answers: answers{}, shown: map[[2]int64]*page{}},
		mutes: mutes{known: map[chat.Place]chat.MissingPermissions{}, asked: map[chat.Place]chat.Event{}},
	}
	t.budget.part = o.Leases.Part
	t.ephemeral.Store(o.Ephemeral)
	return t
}

// Run requests the bot's identity, registers its commands and handles updates until ctx is done, finishes work that has
// begun within lingering, and returns nil. While Telegram is unreachable it retries.
func (t *Telegram) Run(ctx context.Context, core chat.Core) error {
	work, stop := linger(ctx, lingering)
	defer stop()
	if t.options.Leases.Part("").Holds {
		introduced, err := core.Noted(ctx, profileNote)
		t.budget.recall(ctx, core, err == nil && introduced == "")
		defer t.budget.spending.end(ctx)
	} else {
		t.retry(ctx, "forget what was spent", func() error { return ForgetSpent(ctx, core) })
	}
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
	t.working.Go(func() {
		t.retry(ctx, "register the commands", func() error { return t.register(ctx, core) })
	})
	t.working.Go(func() { t.retry(ctx, "write the profile", func() error { return t.introduce(ctx, core) }) })
	l := listener{t, core, me, map[string]bool{}}
	for _, c := range core.Commands() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			l.commands[name] = true
		}
	}
	if t.options.Webhook != "" {
		l.await(ctx, work)
	} else {
		l.poll(ctx, work)
	}
	t.mu.Lock()
	t.core = nil // nothing new starts
	t.mu.Unlock()
	t.working.Wait()
	return nil
}
