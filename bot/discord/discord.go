// Package discord meets people on Discord: it hears of slash commands and
// presses over the gateway or by HTTP, hands them to the bot as events, answers each
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
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
)

// Options say how to reach Discord.
type Options struct {
	// Token is the bot's token. It never shows in a log or an error.
	Token string
	// URL stands in place of Discord's scheme and host; "" leaves them.
	URL string
	// Answered is called with the time that a person waited for an answer, from the arrival of the
	// interaction; nil: it is not measured.
	Answered func(time.Duration)
	// Key is the application's public key, which signs the interactions delivered to Hook; nil:
	// Hook refuses all.
	Key ed25519.PublicKey
	// Shards is how many connections share the servers; 0 and 1 are one, and
	// AutoShards as many as Discord recommends.
	Shards int
	// Letters draws boards in letters alone, and uploads no emoji.
	Letters bool
	// Log is where trouble is told; nil is slog's default.
	Log *slog.Logger
	// Dial opens connections, as net.Dialer does; nil is the usual way.
	Dial Dialer
	// Leases say which connections this replica keeps, when one may begin a session, and how it shares Discord's
	// limits; nil: it is the only one.
	Leases chat.Leases
	// Hear listens until ctx is done and tells each event by its kind and its
	// data; nil listens to the gateway. An event may be told before the one
	// before it has been dealt with.
	Hear func(ctx context.Context, tell func(kind string, data json.RawMessage))
}

// Discord is the adapter for one bot. It implements chat.Platform.
type Discord struct {
	chat.Linking
	answered func(time.Duration)

	rest     rest
	log      *slog.Logger
	broken   error // an address that cannot be read
	dialer   Dialer
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
	met     chat.Recent[string] // the interactions that were told lately
	current atomic.Pointer[run] // the present one, nil: the bot is not at work
}

// timing is how long things may take.
type timing struct {
	// answer is how long an answer is tried. Discord waits three seconds for
	// it, and then fifteen minutes for what follows.
	answer time.Duration
	// putOff is when Discord is told that the answer takes longer.
	putOff time.Duration
	// regret is when somebody is told that nothing was done who may have been answered by another replica: behind the
	// other's putOff.
	regret time.Duration
	// try is how long one try at an answer may take.
	try time.Duration
	// patience is how long a connection may take to be of use, and silence
	// how long it may leave heartbeats unanswered.
	patience, silence time.Duration
	// start is how long Discord wants between sessions that begin.
	start time.Duration
	// reach is how often a replica that keeps no connection asks whether Discord can be reached.
	reach time.Duration
	// linger is how long interactions that were accepted may go on after the
	// end.
	linger time.Duration
	// apart is what lies between two uploads of emoji.
	apart time.Duration
}

var usual = timing{
	answer: 2700 * time.Millisecond, putOff: 1800 * time.Millisecond, regret: 2100 * time.Millisecond,
	try:      1100 * time.Millisecond,
	patience: 20 * time.Second, silence: 100 * time.Second, start: 5 * time.Second, reach: 20 * time.Second,
	linger: 3 * time.Second, apart: 100 * time.Millisecond,
}

var _ chat.Platform = (*Discord)(nil)

// Name is what all ids of Discord begin with.
func (d *Discord) Name() string { return name }

// Traits are none: an edit costs little there, and each step would be one.
func (d *Discord) Traits() chat.Traits { return chat.Traits{} }

// Viewers returns none: all see the same.
func (d *Discord) Viewers(chat.Place, int64) []chat.Viewer { return nil }

// run is one Run: who is served, and what is under way.
type run struct {
	ctx  context.Context // ends the listening
	work context.Context // ends what was accepted; it outlives ctx a little
	core chat.Core

	mu     sync.Mutex
	closed bool
	under  sync.WaitGroup
}
