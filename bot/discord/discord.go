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
	"sync/atomic"
	"time"

	"knobel/bot/chat"
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
	// Letters draws boards in letters only and uploads no emoji.
	Letters bool
	// Log receives warnings and errors; nil is slog's default.
	Log *slog.Logger
	// Dial opens connections; nil is the default.
	Dial chat.Dialer
	// Leases say which shards this replica holds, when one may begin a session, and how replicas share Discord's
	// limits; nil: it is the only replica.
	Leases chat.Leases
	// Hear listens until ctx is done and passes each event's kind and data to tell, without waiting for the event
	// before; nil listens to the gateway.
	Hear func(ctx context.Context, tell func(kind string, data json.RawMessage))
}

// Discord is the adapter for one bot. It implements chat.Platform.
type Discord struct {
	chat.Linking
	answered func(time.Duration)

	rest     rest
	log      *slog.Logger
	broken   error // the error of an invalid URL
	dialer   chat.Dialer
	listener func(ctx context.Context, tell func(kind string, data json.RawMessage))
	paces    paces
	tally    chat.Tally
	talks    talks
	clock    clock
	times    timing

	emoji emojis

	leases  chat.Leases
	shards  int
	key     ed25519.PublicKey
	met     chat.Recent[string] // interactions received lately
	current atomic.Pointer[run] // nil: not running
}

// timing holds the timeouts and intervals.
type timing struct {
	// answer is how long an answer is tried. Discord waits three seconds for it, then fifteen minutes for messages
	// after it.
	answer time.Duration
	// putOff is when Discord is told that the answer takes longer.
	putOff time.Duration
	// regret is when an interaction that another replica may have answered is refused: after the other's putOff.
	regret time.Duration
	// try bounds one try at an answer.
	try time.Duration
	// patience is how long a connection may take to get ready, silence how long heartbeats may stay unanswered.
	patience, silence time.Duration
	// start is Discord's interval between the starts of sessions.
	start time.Duration
	// reach is how often a replica without a shard checks that Discord can be reached.
	reach time.Duration
	// linger is how long accepted interactions may run after the end.
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

// Name returns the prefix of all ids of Discord.
func (d *Discord) Name() string { return name }

// Traits returns none: an edit costs little, and each step would be one.
func (d *Discord) Traits() chat.Traits { return chat.Traits{} }

// Viewers returns none: all see the same board.
func (d *Discord) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// run is one call of Run and its pending work.
type run struct {
	ctx  context.Context // ends the listening
	late context.Context // ends accepted work, a little after ctx
	core chat.Core

	chat.Work
}
