// Package discord is the Discord adapter: it receives slash commands and presses over the gateway or by HTTP, passes
// them to the bot as events, answers each within three seconds and exactly once, and draws boards as messages.
//
// # Layouts
//
// Boards are layouts ("Components V2"): one container in the colour of the player whose turn it is, with texts and rows
// of buttons. A plain message would have its buttons apart from the text, show a colour only in an embed, which screen
// readers and phones treat as an attachment, and allow only five rows. Toasts and refusals are plain messages for one
// person.
//
// # Replaced parts of the library
//
// Types, addresses and the gateway are discordgo's. Its rate limiter holds up all answers behind one slow route and
// ignores contexts, its types panic over unknown components, and it reconnects for ever with a refused token; so
// requests (rest), parsing interactions (readInteraction) and staying connected (Run) are our own.
package discord

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// Options configure the adapter.
type Options struct {
	// Token is the bot's token. It never shows in a log or an error.
	Token string
	// URL replaces the scheme and host of Discord's API; "" keeps them.
	URL string
	// Answered, unless nil, is called after each answered interaction with how long the answer took.
	Answered func(time.Duration)
	// Key is the application's public key, by which Hook checks who signed an interaction; nil: Hook refuses all.
	Key ed25519.PublicKey
	// Shards is the number of gateway connections: 0 and 1 mean one, AutoShards as many as Discord recommends.
	Shards int
	// Letters makes boards text only: no emoji are uploaded.
	Letters bool
	// Activity is the activity that shows tables.
	Activity Activity
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Dial opens network connections; nil is a net.Dialer with a timeout.
	Dial chat.Dialer
	// Leases say which shards (gateway connections) this replica keeps, when a shard may start a session, and how the
	// replicas share Discord's limits; nil: there is only one replica.
	Leases chat.Leases
	// Hear, unless nil, supplies the events instead of the gateway. It runs until ctx is done. For each event it calls
	// tell with the event's kind and data, even while earlier events are still being handled.
	Hear func(ctx context.Context, tell func(kind string, data json.RawMessage))
}

// Discord is the adapter for one bot. It implements chat.Platform.
type Discord struct {
	chat.Linking
	options Options

	rest   rest
	log    *slog.Logger
	urlErr error // the error of an invalid Options.URL
	paces  paces
	tally  chat.Tally
	clock  clock
	times  timing
	emoji  emojis

	received chat.Recent[string]         // ids of recent interactions, to drop repeated deliveries
	traits   atomic.Pointer[chat.Traits] // with the links that add the bot once its id is known
	current  atomic.Pointer[run]         // the call of Run that is active, nil: none

	me         atomic.Pointer[application] // nil: not known yet
	activities activities
}

// timing holds timeouts and intervals. Tests use shorter ones.
type timing struct {
	// answer is how long after an interaction's arrival the adapter still tries to send a first answer. Discord accepts
	// it within three seconds, and further messages within fifteen minutes.
	answer time.Duration
	// deferAfter is how long after an interaction's arrival a deferral is sent, so that Discord keeps waiting.
	deferAfter time.Duration
	// refuseAfter is how long after its arrival an interaction is refused if another replica may have it, too. It is
	// longer than deferAfter, when the other replica has sent an answer or a deferral.
	refuseAfter time.Duration
	// try is the timeout of one try to send a first answer.
	try time.Duration
	// patience is how long a new connection may take until it is ready. silence is how long Discord may leave
	// heartbeats unanswered.
	patience, silence time.Duration
	// start is the shortest time that Discord allows between the starts of two sessions.
	start time.Duration
	// reach is how often a replica that keeps no shard checks whether Discord can be reached.
	reach time.Duration
	// linger is how long the handling of interactions may still take after the context of Run is done.
	linger time.Duration
	// uploadPause is the pause after each upload of an emoji.
	uploadPause time.Duration
}

// defaultTiming holds the timeouts and intervals outside of tests.
var defaultTiming = timing{
	answer: 2700 * time.Millisecond, deferAfter: 1800 * time.Millisecond, refuseAfter: 2100 * time.Millisecond,
	try:      1100 * time.Millisecond,
	patience: 20 * time.Second, silence: 100 * time.Second, start: 5 * time.Second, reach: 20 * time.Second,
	linger: 3 * time.Second, uploadPause: 100 * time.Millisecond,
}

var _ chat.Platform = (*Discord)(nil)

// Name returns "discord", the prefix of all ids of Discord.
func (d *Discord) Name() string { return name }

// Traits returns the links that add the bot, its calendar, and whether there is an activity. Many writes are allowed,
// and boards do not show single moves. Whether the bot is a guest depends on the event.
func (d *Discord) Traits(chat.Place) chat.Traits { return *d.traits.Load() }

// Viewers returns nil: all people in a channel see the same board.
func (d *Discord) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// run is one call of Run and the tasks that it has started.
type run struct {
	ctx  context.Context // no event is accepted once it is done
	late context.Context // the context of accepted work, done a little after ctx
	core chat.Core

	chat.Work
}

// New returns an adapter with these options. Run connects it, and reports an invalid Options.URL.
func New(o Options) *Discord {
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: dialWithin}).DialContext
	}
	d := &Discord{
		options: o, log: o.Log.With("platform", name), times: defaultTiming,
		paces:      paces{channels: map[string]*channelState{}},
		activities: activities{known: map[string]running{}, asked: map[string]*asking{}},
		emoji:      emojis{off: o.Letters, all: emoji.All(), doubted: make(chan struct{}, 1)},
	}
	d.traits.Store(&chat.Traits{Embeds: o.Activity.on(), Launches: o.Activity.on(), Calendar: d})
	client, err := newHTTP(o.URL, o.Dial)
	if err != nil {
		client, d.urlErr = http.DefaultClient, err
	}
	d.rest = rest{http: client, token: o.Token, limiter: rate.NewLimiter(overallRate, overallBurst),
		part: func() chat.Part { return o.Leases.Part("") }}
	return d
}

// Run connects and handles events until ctx is done. Then it lets the handling of interactions finish within linger and
// returns nil. While Discord is unreachable it retries. An error means that Options.URL is invalid.
func (d *Discord) Run(ctx context.Context, core chat.Core) error {
	if d.urlErr != nil {
		return d.urlErr
	}
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &run{ctx: ctx, late: late, core: core}
	d.current.Store(s)
	defer d.current.Store(nil)
	s.Go(func() { d.setUpApplication(s) })
	if d.options.Hear != nil {
		d.options.Hear(ctx, func(kind string, data json.RawMessage) {
			d.Turn(true) // Options.Hear is always up
			s.Go(func() { d.dispatch(s, kind, data) })
		})
	} else {
		d.connect(s)
	}
	defer time.AfterFunc(d.times.linger, cancel).Stop() // interactions were accepted until now, so linger begins here
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Close()
	}()
	select {
	case <-ended:
	case <-time.After(d.times.linger + closeWithin): // work that does not end is abandoned
	}
	return nil
}

// dispatch handles one event of the gateway, given by its kind and JSON data: an interaction, or the news that a
// channel, thread or server was deleted. It logs a panic.
func (d *Discord) dispatch(s *run, kind string, raw json.RawMessage) {
	defer chat.LogPanic(d.log, nil, "gateway handler panicked", "kind", kind)
	switch kind {
	case "READY":
		var ready struct{ User person }
		_ = json.Unmarshal(raw, &ready) // only for the log
		d.log.Info("connected to discord", "bot", ready.User.Username)
	case "INTERACTION_CREATE":
		in, ok := readInteraction(raw)
		if !ok {
			d.log.Warn("decode gateway interaction failed")
			return
		}
		// Repeated interactions are dropped: a silent answer to one would count as the answer to the first.
		switch {
		case !d.received.Add(in.ID, in.at, 2*maxSkew):
		case d.options.Hear == nil && !d.options.Leases.Sure(): // another replica may receive it, too
			d.refuseUnlessAnswered(s.late, s.core, in)
		default:
			d.serve(s.late, s.core, in)
		}
	case "CHANNEL_DELETE", "THREAD_DELETE", "GUILD_DELETE":
		var gone struct {
			ID          string
			GuildID     string `json:"guild_id"`
			Unavailable bool   // the server comes back by itself
		}
		if !isReadable(json.Unmarshal(raw, &gone)) || gone.ID == "" || gone.Unavailable {
			return
		}
		group, place := chatID(gone.GuildID, gone.ID), placeID(gone.GuildID, gone.ID)
		if kind == "GUILD_DELETE" {
			group, place = chatID(gone.ID, ""), ""
		}
		chat.LogFailure(s.late, d.log.Error, "store lost place failed", s.core.Lost(s.late, group, place))
	}
}

// refuseUnlessAnswered answers interaction i with an apology, unless another replica has answered it. It is for times
// when several replicas may receive the events of one shard: Discord accepts the first answer. It waits for
// refuseAfter, by when the replica that handles the interaction has sent an answer or a deferral.
func (d *Discord) refuseUnlessAnswered(ctx context.Context, core chat.Core, i interaction) {
	if i.Type == discordgo.InteractionApplicationCommandAutocomplete ||
		pause(ctx, time.Until(i.at.Add(d.times.refuseAfter))) != nil {
		return
	}
	err := d.respond(ctx, i, callback{sayMessage, linkedToast(core.Sorry(i.event()))}, nil)
	if refused, ok := refusalOf(err); ok && (refused.Code == discordgo.ErrCodeUnknownInteraction ||
		refused.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
		return // another replica has answered it
	}
	if err != nil {
		d.log.Warn("answer with apology failed", "error", err)
	}
}

// application describes the bot as an application of Discord. Installs has the key "1" if people can add it to their
// account.
type application struct {
	ID       string
	Flags    int
	Installs map[string]any `json:"integration_types_config"`
}

// forAccounts reports whether people can add the bot to their account.
func (a application) forAccounts() bool {
	_, can := a.Installs["1"]
	return can
}

// hasActivities reports whether the operator has enabled activities.
func (a application) hasActivities() bool { return a.Flags&(1<<17) != 0 }

// setUpApplication registers the commands and uploads the emoji, with retries until the run ends. It needs no gateway
// connection: a replica without a shard also draws boards, and receives interactions by HTTP.
func (d *Discord) setUpApplication(s *run) {
	var me application
	err := retry(s.ctx, 0, func() error {
		return d.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	})
	if err != nil {
		chat.LogFailure(s.ctx, d.log.Error, "read discord application failed", d.rest.redact(err))
		return
	}
	d.me.Store(&me)
	traits := d.Traits("")
	if traits.Invite = inviteLink + me.ID; me.forAccounts() {
		traits.Install = traits.Invite + forAccount
	}
	d.traits.Store(&traits)
	if !d.emoji.off {
		s.Go(func() {
			defer chat.LogPanic(d.log, func() { d.emoji.shown.Store(nil) },
				"emoji upload panicked; drawing boards as text")
			err := d.rest.redact(d.keepEmoji(s.ctx, me.ID))
			chat.LogFailure(s.ctx, d.log.Warn,
				"emoji unavailable; drawing boards as text", err)
		})
	}
	// s.late outlasts the run a little, so that a registration that has begun can finish.
	err = retry(s.ctx, time.Hour, func() error { return d.register(s.late, me, s.core) })
	chat.LogFailure(s.ctx, d.log.Error, "register commands failed", err)
}
