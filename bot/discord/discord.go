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
	// URL replaces Discord's scheme and host; "" keeps them.
	URL string
	// Answered is called with the time from an interaction's arrival to its answer; nil: it is not measured.
	Answered func(time.Duration)
	// Key is the application's public key, which signs the interactions delivered to Hook; nil: Hook refuses all.
	Key ed25519.PublicKey
	// Shards is the number of connections; 0 and 1 are one, AutoShards as many as Discord recommends.
	Shards int
	// Letters draws boards as text and uploads no emoji.
	Letters bool
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Dial opens connections; nil is the default.
	Dial chat.Dialer
	// Leases decide which shards this replica holds, when a session may begin, and how replicas share Discord's limits;
	// nil: it is the only replica.
	Leases chat.Leases
	// Hear replaces the gateway as the source of events: it runs until ctx is done and passes each event's kind and
	// data to tell, without waiting for the event before. nil: the gateway.
	Hear func(ctx context.Context, tell func(kind string, data json.RawMessage))
}

// Discord is the adapter for one bot. It implements chat.Platform.
type Discord struct {
	chat.Linking
	options Options

	rest   rest
	log    *slog.Logger
	broken error // the error of an invalid URL
	paces  paces
	tally  chat.Tally
	clock  clock
	times  timing
	emoji  emojis

	received chat.Recent[string] // the ids of recent interactions, to drop repeats
	current  atomic.Pointer[run] // nil: not running
}

// timing holds the timeouts and intervals.
type timing struct {
	// answer is the time after an interaction's arrival when tries at a first answer end. Discord waits three seconds
	// for it, then takes further messages for fifteen minutes.
	answer time.Duration
	// putOff is the time after an interaction's arrival when its answer is deferred.
	putOff time.Duration
	// regret is the time after arrival when an interaction is refused that another replica may have answered: after
	// that replica's putOff, by which it has answered or deferred.
	regret time.Duration
	// try bounds one request of a first answer.
	try time.Duration
	// patience is the longest time until a connection is ready, silence the longest without an answer to heartbeats.
	patience, silence time.Duration
	// start is the least interval between the starts of two sessions, as Discord demands.
	start time.Duration
	// reach is how often a replica without a shard checks that Discord can be reached.
	reach time.Duration
	// linger is how long accepted interactions may run after the context of Run is done.
	linger time.Duration
	// apart is the interval between uploads of emoji.
	apart time.Duration
}

var usual = timing{
	answer: 2700 * time.Millisecond, putOff: 1800 * time.Millisecond, regret: 2100 * time.Millisecond,
	try:      1100 * time.Millisecond,
	patience: 20 * time.Second, silence: 100 * time.Second, start: 5 * time.Second, reach: 20 * time.Second,
	linger: 3 * time.Second, apart: 100 * time.Millisecond,
}

var _ chat.Platform = (*Discord)(nil)

// Name returns "discord", the prefix of all ids of Discord.
func (d *Discord) Name() string { return name }

// Traits returns the zero value: boards need not be drawn sparingly, since edits cost little, and do not show single
// steps, since each would be an edit.
func (d *Discord) Traits() chat.Traits { return chat.Traits{} }

// Viewers returns nil: all people see the same board.
func (d *Discord) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// run is one call of Run and its pending work.
type run struct {
	ctx  context.Context // when done, no more events are accepted
	late context.Context // ends accepted work, a little after ctx
	core chat.Core

	chat.Work
}

// New returns an adapter that has not connected yet. Run reports an invalid Options.URL.
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
		options: o, log: o.Log.With("platform", name), times: usual, paces: paces{channels: map[string]*paced{}},
		emoji: emojis{off: o.Letters, all: emoji.All(), doubted: make(chan struct{}, 1)},
	}
	client, err := newHTTP(o.URL, o.Dial)
	if err != nil {
		client, d.broken = http.DefaultClient, err
	}
	d.rest = rest{http: client, token: o.Token, whole: rate.NewLimiter(overallRate, overallBurst),
		part: func() chat.Part { return o.Leases.Part("") }}
	return d
}

// Run connects and handles events until ctx is done, finishes accepted interactions within linger, and returns nil.
// While Discord is unreachable it retries. An error means that Options.URL is invalid.
func (d *Discord) Run(ctx context.Context, core chat.Core) error {
	if d.broken != nil {
		return d.broken
	}
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s := &run{ctx: ctx, late: late, core: core}
	d.current.Store(s)
	defer d.current.Store(nil)
	s.Go(func() { d.introduce(s) })
	if d.options.Hear != nil {
		d.options.Hear(ctx, func(kind string, data json.RawMessage) {
			d.Turn(true) // another source of events is always up
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

// dispatch handles one gateway event with its kind and JSON: it serves interactions and reports to the core deleted
// channels, threads and servers. It recovers from panics.
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
		case !d.received.Add(in.ID, in.at, 2*fresh):
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
		if !readable(json.Unmarshal(raw, &gone)) || gone.ID == "" || gone.Unavailable {
			return
		}
		group, place := chatID(gone.GuildID, gone.ID), placeID(gone.GuildID, gone.ID)
		if kind == "GUILD_DELETE" {
			group, place = chatID(gone.ID, ""), ""
		}
		chat.LogFailure(s.late, d.log.Error, "store lost place failed", s.core.Lost(s.late, group, place))
	}
}

// refuseUnlessAnswered answers interaction in with an apology, unless another replica has answered it. It is for times
// when the replica that holds the shard is unknown: each session of a shard receives all events, and Discord accepts
// the first answer. It waits for regret first: by then the holder has answered or deferred.
func (d *Discord) refuseUnlessAnswered(ctx context.Context, core chat.Core, in interaction) {
	if in.Type == discordgo.InteractionApplicationCommandAutocomplete ||
		pause(ctx, time.Until(in.at.Add(d.times.regret))) != nil {
		return
	}
	err := d.respond(ctx, in, callback{sayMessage, pointing(core.Sorry(in.event()))}, nil)
	if refused, ok := refusalOf(err); ok && (refused.Code == discordgo.ErrCodeUnknownInteraction ||
		refused.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
		return // another replica has answered it
	}
	if err != nil {
		d.log.Warn("answer interaction failed", "error", err)
	}
}

// introduce registers the commands and uploads the emoji, with retries until the run ends. It needs no connection to
// the gateway: a replica without a shard draws boards and receives interactions by HTTP.
func (d *Discord) introduce(s *run) {
	var me emojiRef
	err := patiently(s.ctx, 0, func() error {
		return d.rest.call(s.ctx, true, http.MethodGet, discordgo.EndpointApplication("@me"), nil, &me)
	})
	if err != nil {
		chat.LogFailure(s.ctx, d.log.Error, "Discord does not say which application this is", d.rest.redact(err))
		return
	}
	if !d.emoji.off {
		s.Go(func() {
			defer chat.LogPanic(d.log, func() { d.emoji.shown.Store(nil) },
				"emoji upload panicked; drawing boards as text")
			err := d.rest.redact(d.keepEmoji(s.ctx, me.ID))
			chat.LogFailure(s.ctx, d.log.Warn,
				"emoji are not to be had; boards are drawn in letters where they are missing", err)
		})
	}
	// The commands are written with s.late, so that a write that has begun is finished after the run's end.
	err = patiently(s.ctx, time.Hour, func() error { return d.register(s.late, me.ID, s.core) })
	chat.LogFailure(s.ctx, d.log.Error, "the commands could not be written", err)
}
