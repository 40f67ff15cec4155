// Package discord is the Discord adapter: it receives slash commands and presses over the gateway or by HTTP, passes
// them to the bot as events, answers each within three seconds and exactly once, and draws boards as messages.
//
// # Layouts
//
// Boards are layouts ("Components V2"): one container with the colour of the seat to move, texts, and rows of
// buttons. A plain message separates its text from its buttons, needs an embed for the colour, which screen readers
// and phones treat as an attachment, and holds five rows at most. Toasts and refusals are plain messages for one
// person.
//
// # Replaced parts of the library
//
// Types, addresses and the gateway are discordgo's. Its rate limiter holds up all answers behind one slow route and
// ignores contexts, its types panic over unknown components, and it reconnects for ever with a refused token; so
// requests (rest), parsing interactions (readInteraction) and staying connected (Run) are our own.
package discord

import (
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
	// Answered, unless nil, is called after each answered interaction with the time since its arrival.
	Answered func(time.Duration)
	// Key is the application's public key, which signs the interactions delivered to Hook; nil: Hook refuses all.
	Key ed25519.PublicKey
	// Shards is the number of gateway connections: 0 and 1 are one, AutoShards is as many as Discord recommends.
	Shards int
	// Letters draws boards as text and uploads no emoji.
	Letters bool
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Dial opens network connections; nil is a net.Dialer with a timeout.
	Dial chat.Dialer
	// Leases tell which shards this replica holds, when a session may begin, and how replicas share Discord's limits;
	// nil: it is the only replica.
	Leases chat.Leases
	// Hear replaces the gateway as the source of events, unless nil. It runs until ctx is done and calls tell with each
	// event's kind and data, without waiting until the event before is handled.
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

	received chat.Recent[string] // ids of recent interactions, to drop repeated deliveries
	current  atomic.Pointer[run] // the call of Run that is active, nil: none
}

// timing holds the timeouts and intervals. Tests shorten them.
type timing struct {
	// answer is the time after an interaction's arrival when tries at a first answer end. Discord waits three seconds
	// for it and accepts further messages for fifteen minutes.
	answer time.Duration
	// deferAfter is the time after an interaction's arrival when its answer is deferred: Discord then keeps waiting.
	deferAfter time.Duration
	// refuseAfter is the time after arrival when an interaction that another replica may have answered is refused. It
	// is after that replica's deferAfter, by which it has answered or deferred.
	refuseAfter time.Duration
	// try is the timeout of one request of a first answer.
	try time.Duration
	// patience is the longest time until a connection is ready.
	// silence is the longest time without an answer to heartbeats.
	patience, silence time.Duration
	// start is the shortest time between the starts of two sessions, as Discord demands.
	start time.Duration
	// reach is how often a replica without a shard checks that Discord can be reached.
	reach time.Duration
	// linger is how long accepted interactions may run after the context of Run is done.
	linger time.Duration
	// uploadPause is the pause between two uploads of emoji.
	uploadPause time.Duration
}

// defaultTiming are the timeouts and intervals outside of tests.
var defaultTiming = timing{
	answer: 2700 * time.Millisecond, deferAfter: 1800 * time.Millisecond, refuseAfter: 2100 * time.Millisecond,
	try:      1100 * time.Millisecond,
	patience: 20 * time.Second, silence: 100 * time.Second, start: 5 * time.Second, reach: 20 * time.Second,
	linger: 3 * time.Second, uploadPause: 100 * time.Millisecond,
}

var _ chat.Platform = (*Discord)(nil)

// Name returns "discord", the prefix of all ids of Discord.
func (d *Discord) Name() string { return name }

// Traits returns no traits: edits cost little, so boards are drawn often, but single steps are not shown.
func (d *Discord) Traits() chat.Traits { return chat.Traits{} }

// Viewers returns nil: all people in a channel see the same board.
func (d *Discord) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// run is one call of Run and the work that it has accepted.
type run struct {
	ctx  context.Context // no event is accepted once it is done
	late context.Context // the context of accepted work, done a little after ctx
	core chat.Core

	chat.Work
}

// New returns an adapter with the options. It does not connect before Run, which reports an invalid Options.URL.
func New(o Options) *Discord {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Leases == nil {
		o.Leases = &chat.Alone{}
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: dialWithin}).DialContext
	}
	d := &Discord{
		options: o, log: o.Log.With("platform", name), times: defaultTiming,
		paces: paces{channels: map[string]*channelState{}},
		emoji: emojis{off: o.Letters, all: emoji.All(), doubted: make(chan struct{}, 1)},
	}
	client, err := newHTTP(o.URL, o.Dial)
	if err != nil {
		client, d.urlErr = http.DefaultClient, err
	}
	d.rest = rest{http: client, token: o.Token, limiter: rate.NewLimiter(overallRate, overallBurst),
		part: func() chat.Part { return o.Leases.Part("") }}
	return d
}

// Run connects and handles events until ctx is done. It then finishes accepted interactions within linger and returns
// nil. While Discord is unreachable it retries. An error means that Options.URL is invalid.
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

// dispatch handles one gateway event, given by its kind and JSON data: it serves interactions and tells the core about
// deleted channels, threads and servers. It recovers from panics.
func (d *Discord) dispatch(s *run, kind string, raw json.RawMessage) {
	defer chat.LogPanic(d.log, nil, "gateway handler panicked", "kind", kind)
	switch kind {
	case "READY":
		var ready struct{ User person }
		_ = json.Unmarshal(raw, &ready) // only for the log
		d.log.Info("listening", "bot", ready.User.Username)
	case "INTERACTION_CREATE":
		in, ok := readInteraction(raw)
		if !ok {
			d.log.Warn("read interaction failed")
			return
		}
		// Repeated interactions are dropped: a silent answer to one would take the place of the pending answer.
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

// refuseUnlessAnswered answers interaction in with an apology, unless another replica has answered it. Use it while the
// replica that holds the shard is unknown: each session of a shard receives all events, and Discord accepts the first
// answer. It waits for refuseAfter first: by then the holder has answered or deferred.
func (d *Discord) refuseUnlessAnswered(ctx context.Context, core chat.Core, in interaction) {
	if in.Type == discordgo.InteractionApplicationCommandAutocomplete ||
		pause(ctx, time.Until(in.at.Add(d.times.refuseAfter))) != nil {
		return
	}
	err := d.respond(ctx, in, callback{sayMessage, linkedToast(core.Sorry(in.event()))}, nil)
	if refused, ok := refusalOf(err); ok && (refused.Code == discordgo.ErrCodeUnknownInteraction ||
		refused.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
		return // another replica has answered it
	}
	if err != nil {
		d.log.Warn("answer interaction failed", "error", err)
	}
}

// setUpApplication registers the commands and uploads the emoji, with retries until the run ends. It needs no gateway
// connection: a replica without a shard draws boards, too, and receives interactions by HTTP.
func (d *Discord) setUpApplication(s *run) {
	var me emojiRef
	err := retry(s.ctx, 0, func() error {
		return d.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	})
	if err != nil {
		chat.LogFailure(s.ctx, d.log.Error, "read discord application failed", d.rest.redact(err))
		return
	}
	if !d.emoji.off {
		s.Go(func() {
			defer chat.LogPanic(d.log, func() { d.emoji.shown.Store(nil) },
				"emoji upload panicked; drawing boards as text")
			err := d.rest.redact(d.keepEmoji(s.ctx, me.ID))
			chat.LogFailure(s.ctx, d.log.Warn,
				"emoji unavailable; drawing boards as text", err)
		})
	}
	// s.late lets a write of the commands that has begun finish after the run's end.
	err = retry(s.ctx, time.Hour, func() error { return d.register(s.late, me.ID, s.core) })
	chat.LogFailure(s.ctx, d.log.Error, "register commands failed", err)
}
