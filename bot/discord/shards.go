package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/cenkalti/backoff/v5"

	"knobel/bot/chat"
)

// Shards: the gateway connections among which the bot's servers are divided, and the starts of their sessions.

// AutoShards as Options.Shards stands for the number of connections that Discord recommends.
const AutoShards = -1

// maxShards is the largest number of shards.
const maxShards = 1000

// ParseShards parses a number of gateway connections: "auto" is AutoShards, "" is 1, else it must be 1 to 1000.
func ParseShards(text string) (int, error) {
	switch text {
	case "":
		return 1, nil
	case "auto":
		return AutoShards, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxShards {
		return 0, fmt.Errorf("%q is no number of connections: give auto, or 1 to %d", text, maxShards)
	}
	return n, nil
}

// shards holds the number of the bot's shards and the state of those that this replica holds.
type shards struct {
	count  int
	atOnce int // sessions that may start at a time: shards with the same number modulo atOnce start one after another

	mu   sync.Mutex
	held map[int]bool // this replica's shards, and whether each is connected
	// reached is for a replica without a shard: whether Discord was reachable at the last check. refused means that
	// Discord accepts no connection any more.
	reached, refused bool
	freed            chan struct{} // signalled when this replica has lost a shard
}

// newShards returns the state of count shards, of which this replica holds none. atOnce sessions may start at a time.
func newShards(count, atOnce int) *shards {
	return &shards{count: count, atOnce: max(atOnce, 1), held: map[int]bool{}, freed: make(chan struct{}, 1)}
}

// isUp reports whether events arrive: all shards of this replica are up, or it has none and Discord is reachable. The
// caller holds f.mu.
func (f *shards) isUp() bool {
	if len(f.held) == 0 {
		return f.reached && !f.refused
	}
	return !f.refused && !slices.Contains(slices.Collect(maps.Values(f.held)), false)
}

// setShardUp stores in f whether shard is up, and updates the state that Link returns. was is the shard's state before.
// changed reports whether Link has changed, and before is how long its previous state lasted.
func (d *Discord) setShardUp(f *shards, shard int, up bool) (was, changed bool, before time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, f.held[shard] = f.held[shard], up
	changed, before = d.Turn(f.isUp())
	return was, changed, before
}

// connect keeps all shards connected while this replica has their leases. It blocks until the run ends, even after a
// final refusal.
func (d *Discord) connect(s *run) {
	d.Turn(false)
	d.GiveUp("")
	defer func() {
		<-s.ctx.Done() // after a final refusal there is no further try
		d.Turn(false)
	}()
	f, err := d.planShards(s.ctx)
	if err != nil {
		return // the run has ended, or Discord refuses the token
	}
	if f.count > 1 {
		d.log.Info("connecting to discord", "shards", f.count, "parallel", f.atOnce)
	}
	var all sync.WaitGroup
	if !d.options.Leases.Part("").Holds {
		all.Go(func() { d.watchReachable(s.ctx, f) })
	}
	for shard := range f.count {
		all.Go(func() { d.holdShard(s, f, shard) })
	}
	all.Wait()
}

// The names of leases: for holding a shard, with the number of shards; and for starting a session.
const (
	shardLease    = "discord shard of %d"
	identifyLease = "discord identify"
)

// holdShard waits for the lease of shard and keeps it connected while this replica has the lease. It repeats that until
// the run ends or Discord refuses the shard for good.
func (d *Discord) holdShard(s *run, f *shards, shard int) {
	for {
		held, done, err := d.options.Leases.Hold(s.ctx, fmt.Sprintf(shardLease, f.count), f.count, shard)
		if err != nil {
			return
		}
		refused := d.keepConnected(held, s, f, shard)
		f.mu.Lock()
		f.reached, f.refused = f.held[shard], f.refused || refused // if it was connected, it could reach Discord
		delete(f.held, shard)
		d.Turn(f.isUp())
		f.mu.Unlock()
		select {
		case f.freed <- struct{}{}:
		default:
		}
		done(0)
		if refused {
			return
		}
	}
}

// watchReachable checks at intervals, while this replica has no shard, whether Discord is reachable, and updates the
// state that Link returns. It returns when ctx is done.
func (d *Discord) watchReachable(ctx context.Context, f *shards) {
	pause, often := chat.Pauses(), cmp.Or(d.times.reach, defaultTiming.reach)
	wait := time.Duration(0) // not known yet
	for {
		select {
		case <-time.After(wait):
		case <-f.freed:
		case <-ctx.Done():
			return
		}
		f.mu.Lock()
		keeps := len(f.held) > 0
		f.mu.Unlock()
		if wait = often; keeps {
			continue
		}
		err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, nil)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			wait = min(wait, pause.NextBackOff())
		} else {
			pause.Reset()
		}
		f.mu.Lock()
		f.reached = err == nil
		changed, away := d.Turn(f.isUp())
		f.mu.Unlock()
		if changed && err != nil {
			d.log.Warn("discord is unreachable; retrying", "error", d.rest.redact(err))
		} else if changed {
			d.log.Info("discord is reachable", "duration", away)
		}
	}
}

// mayBegin blocks until shard may start a session. The caller must call release after the start, successful or not, so
// that another shard may start after a pause. A second call of release does nothing. The error is that of ctx.
func (d *Discord) mayBegin(ctx context.Context, f *shards, shard int) (release func(), err error) {
	_, done, err := d.options.Leases.Hold(ctx, identifyLease, f.atOnce, shard%f.atOnce)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { done(d.times.start) }), nil
}

// planShards returns the number of shards and how many sessions may start at once. Except for a single shard it asks
// Discord, with retries until Discord answers, refuses the token, or ctx is done.
func (d *Discord) planShards(ctx context.Context) (*shards, error) {
	if d.options.Shards == 0 || d.options.Shards == 1 {
		return newShards(1, 1), nil
	}
	logged := false
	return backoff.Retry(ctx, func() (*shards, error) {
		var g discordgo.GatewayBotResponse
		err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, &g)
		if r, ok := refusalOf(err); ok && r.Status == http.StatusUnauthorized {
			d.giveUp(tokenRefused)
			return nil, backoff.Permanent(err)
		}
		if err == nil && g.Shards < 1 {
			err = errors.New("no number of connections is recommended")
		}
		if err != nil {
			if !logged && ctx.Err() == nil {
				d.log.Warn("read discord connection limits failed; retrying",
					"error", d.rest.redact(err))
			}
			logged = true
			return nil, err
		}
		shards := d.options.Shards
		if shards == AutoShards {
			shards = g.Shards
		}
		return newShards(shards, g.SessionStartLimit.MaxConcurrency), nil
	}, backoff.WithBackOff(chat.Pauses()), backoff.WithMaxElapsedTime(0))
}
