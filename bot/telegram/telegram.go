// Package telegram is the Telegram adapter: it polls the Bot API or receives updates by a webhook, passes them to the
// bot as events, answers each button press and command, and draws boards as messages with rows of buttons.
//
// An update is acknowledged only after it was handled. The bot limits its writes into each chat by itself (the chat's
// budget), so that Telegram never has to reject them.
package telegram

import (
	"cmp"
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
	// URL replaces the scheme and host of Telegram's API; "" means DefaultURL.
	URL string
	// Webhook is the public address to which Telegram delivers updates: https, port 443, 80, 88 or 8443. "": the bot
	// polls for updates.
	Webhook string
	// App is the Mini App.
	App App
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Answered, unless nil, is called after each answered button press with how long the answer took.
	Answered func(time.Duration)
	// Ephemeral sends private answers as messages that only one person sees, if the server supports them.
	Ephemeral bool
	// NoEphemeral, unless nil, is called if the server turns out not to support ephemeral messages.
	NoEphemeral func()
	// Clock is the clock for waits between writes and tries; nil: the real time.
	Clock chat.Clock
	// Dial opens network connections; nil is the default of net/http.
	Dial chat.Dialer
	// Leases decide which chats this replica serves, and how replicas share Telegram's limits; nil: it is the only one.
	Leases chat.Leases
}

// Telegram is the adapter for one bot. It implements chat.Platform.
type Telegram struct {
	chat.Linking
	options Options

	http     *http.Client
	endpoint string // the format of request URLs, with %s for the token and the method
	log      *slog.Logger
	budget   *budget
	tally    chat.Tally
	presses  presses
	seen     seenMessages
	// greetings holds the groups that were greeted within greetedFor.
	greetings chat.Recent[int64]
	// mentions holds the mentions of the bot within twiceFor.
	mentions chat.Recent[mention]
	username atomic.Pointer[string]  // the bot's user name, nil: not known yet
	hookRun  atomic.Pointer[hookRun] // the last call of Run with a webhook, nil: none

	mu        sync.Mutex
	core      chat.Core // nil while Run is not active
	standings map[standingKey]knownStanding
	pages
	mutes        mutes
	reactionsOff chat.Recent[int64] // chats that have refused a reaction
	// lacks holds the features that the server has refused since the start.
	lacks struct{ reactions, tables, markup atomic.Bool }
	// ephemeral says whether private answers are sent as ephemeral messages.
	ephemeral atomic.Bool
	working   sync.WaitGroup
}

var _ chat.Platform = (*Telegram)(nil)

// Name returns "telegram", the prefix of all ids of Telegram.
func (t *Telegram) Name() string { return name }

// Traits returns the trait Sparing: Telegram allows few writes a minute, so boards are drawn seldom. In an inline
// message the bot is a guest. With a Mini App it returns Embeds, too.
func (t *Telegram) Traits(place chat.Place) chat.Traits {
	if _, ok := inlineOf(place); ok {
		return t.guestTraits()
	}
	return chat.Traits{Sparing: true, Embeds: t.options.App.on(), Pinner: t}
}

// Viewers returns nil: all people in a chat see the same board.
func (t *Telegram) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// me requests the bot's own name and id (method getMe).
func (t *Telegram) me(ctx context.Context) (person, error) {
	var me person
	return me, t.callInto(ctx, "getMe", nil, &me)
}

// lingering is how long tasks may still take after the context of Run is done.
const lingering = 3 * time.Second

// linger returns a context that ends when extra has passed since the end of ctx, and a function that ends it at once.
func linger(ctx context.Context, extra time.Duration) (context.Context, func()) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(extra, cancel) })
	return work, func() {
		stop()
		cancel()
	}
}

// retry calls try, with growing pauses, until it returns nil or ctx is done. It logs the first failure, and a success
// after that, with task as the name of the attempt.
func (t *Telegram) retry(ctx context.Context, task string, try func() error) {
	pause := chat.Pauses()
	for failed := false; ctx.Err() == nil; {
		err := try()
		if err == nil {
			if failed {
				t.log.Info("telegram task succeeded after retries", "task", task)
			}
			return
		}
		if !failed && ctx.Err() == nil {
			t.log.Warn("telegram task failed; retrying", "task", task, "error", err)
			failed = true
		}
		_ = t.budget.wait(ctx, pause.NextBackOff())
	}
}

// listener is one call of Run, with its core and the bot's identity. commands holds the names and aliases of all
// commands of the core.
type listener struct {
	*Telegram
	core     chat.Core
	me       person
	commands map[string]bool
}

// mutes holds, for each place (a chat or topic), the permissions that the bot lacks to write there, as far as it knows,
// and the last command that was not answered there.
type mutes struct {
	mu       sync.Mutex
	lacking  map[chat.Place]chat.MissingPermissions
	requests map[chat.Place]chat.Event
}

// pages holds the answers that the bot has posted or is about to post. Telegram.mu guards it.
type pages struct {
	pending    map[int64]int // number of answers that wait to be sent, by chat
	pressCount int64         // button presses since the start
	answers    answers
	// shown holds the pages by chat and by all messages that have shown them: a person may still press on an old one.
	shown map[[2]int64]*page
}

// page is an answer whose buttons give it another content. The messages that show it may change, because a text cannot
// become a picture by an edit. Telegram.mu guards all fields except to and topic.
type page struct {
	message     int64         // the message that shows it, 0: none at the moment
	photo       bool          // message is a picture with a caption, not a text
	above       int64         // the message with the picture above a text too long for a caption, 0: none
	pressNumber int64         // the button press that produced the content, 0: none
	asker       int64         // the only person whose presses may replace the content, 0: all may
	to, topic   int64         // the message that the page replies to, 0: none, and its topic
	public      bool          // it is for everyone in the chat, and later answers do not delete it
	waiting     *queuedAnswer // the next content, nil: none waits
}

// queuedAnswer is an answer that waits until it may be sent.
type queuedAnswer struct {
	chat        int64
	pressed     int64        // the message with the pressed button, 0: none
	page        *page        // the page whose content it becomes
	pressNumber int64        // the number of the button press, 0: none
	above       int64        // the message with its picture, which was sent before its text, 0: none
	receiver    *receiver    // the only person it is for, nil: everyone in the chat
	m           chat.Message // the newest content; guarded by Telegram.mu
}

// presses holds the button presses that are not answered yet. A chat's boards wait until they are.
type presses struct {
	mu   sync.Mutex
	open map[int64][]chan struct{} // by chat; each channel is closed once its press is answered
}

// New returns an adapter with these options. Run connects it.
func New(o Options) *Telegram {
	o.URL = cmp.Or(o.URL, DefaultURL)
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Clock = cmp.Or[chat.Clock](o.Clock, chat.SystemClock{})
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	base := strings.ReplaceAll(strings.TrimRight(o.URL, "/"), "%", "%%")
	t := &Telegram{
		options: o, http: chat.HTTPClient(o.Dial), endpoint: base + "/bot%s/%s", log: o.Log.With("platform", name),
		budget: newBudget(o.Clock), presses: presses{open: map[int64][]chan struct{}{}},
		pages: pages{pending: map[int64]int{}, answers: answers{}, shown: map[[2]int64]*page{}},
		mutes: mutes{lacking: map[chat.Place]chat.MissingPermissions{}, requests: map[chat.Place]chat.Event{}},
	}
	t.budget.part = o.Leases.Part
	t.ephemeral.Store(o.Ephemeral)
	return t
}

// Run requests the bot's identity, registers its commands and handles updates until ctx is done. Then it lets tasks
// finish within lingering and returns nil. While Telegram is unreachable it retries.
func (t *Telegram) Run(ctx context.Context, core chat.Core) error {
	work, stop := linger(ctx, lingering)
	defer stop()
	if t.options.Leases.Part("").Holds {
		introduced, err := core.Noted(ctx, profileNote)
		t.budget.recall(ctx, core, err == nil && introduced == "")
		defer t.budget.spending.storeExactly(ctx)
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
	t.username.Store(&me.Username)
	t.log.Info("connected to telegram", "bot", me.Username)
	t.working.Go(func() {
		t.retry(ctx, "register the commands", func() error { return t.registerCommands(ctx, core) })
	})
	t.working.Go(func() { t.retry(ctx, "write the profile", func() error { return t.writeProfile(ctx, core) }) })
	l := listener{t, core, me, map[string]bool{}}
	for _, c := range core.Commands() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			l.commands[name] = true
		}
	}
	if t.options.Webhook != "" {
		l.serveWebhook(ctx, work)
	} else {
		l.pollWithLease(ctx, work)
	}
	t.mu.Lock()
	t.core = nil // nothing new starts
	t.mu.Unlock()
	t.working.Wait()
	return nil
}
