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

// Shards: the bot's servers are divided among several gateway connections, each of which is a shard.

// AutoShards, as Options.Shards, means as many connections as Discord recommends.
const AutoShards = -1

// maxShards is the largest number of gateway connections.
const maxShards = 1000

// ParseShards parses a setting of the number of gateway connections: "auto" (AutoShards), "" (1), or 1 to 1000.
func ParseShards(text string) (int, error) {
	switch text {
	case "":
		return 1, nil
	case "auto":
		return AutoShards, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxShards {
		return 0, fmt.Errorf("%q is not a number of connections: use auto, or 1 to %d", text, maxShards)
	}
	return n, nil
}

// shards holds how many shards the bot has, and the state of the shards that this replica keeps connected.
type shards struct {
	count  int
	atOnce int // sessions that may start at a time: shards with the same number modulo atOnce start one after another

	mu   sync.Mutex
	held map[int]bool // this replica's shards, and whether each is connected
	// reached is for a replica without any shard: whether the last check could reach Discord. refused means that
	// Discord no longer accepts connections of this bot.
	reached, refused bool
	freed            chan struct{} // signalled when this replica has lost a shard
}

// newShards returns the state of a replica that keeps none of count shards. atOnce sessions may start at a time.
func newShards(count, atOnce int) *shards {
	return &shards{count: count, atOnce: max(atOnce, 1), held: map[int]bool{}, freed: make(chan struct{}, 1)}
}

// isUp reports whether this replica is connected: all its shards are up; or it has none, but Discord can be reached.
// The caller holds f.mu.
func (f *shards) isUp() bool {
	if len(f.held) == 0 {
		return f.reached && !f.refused
	}
	return !f.refused && !slices.Contains(slices.Collect(maps.Values(f.held)), false)
}

// setShardUp stores in f whether shard is up, and updates what Link returns. was is whether the shard was up before.
// changed is whether Link has changed, and before how long Link's previous state lasted.
func (d *Discord) setShardUp(f *shards, shard int, up bool) (was, changed bool, before time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was, f.held[shard] = f.held[shard], up
	changed, before = d.Turn(f.isUp())
	return was, changed, before
}

// connect keeps each shard connected while this replica has that shard's lease. It blocks until the run ends, even if
// Discord no longer accepts connections.
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

// The names of leases: for keeping a shard connected (with the number of all shards), and for starting a session.
const (
	shardLease    = "discord shard of %d"
	identifyLease = "discord identify"
)

// holdShard waits until this replica has the lease of shard, and keeps the shard connected while it has the lease. It
// repeats that until the run ends or Discord no longer accepts the shard.
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

// watchReachable checks at intervals whether Discord can be reached, and stores the result for Link. It does so while
// this replica has no shard, until ctx is done.
func (d *Discord) watchReachable(ctx context.Context, f *shards) {
	pause, often := chat.Pauses(), cmp.Or(d.times.reach, defaultTiming.reach)
	wait := time.Duration(0) // the first check is at once
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
			d.log.Info("discord is reachable again", "duration", away)
		}
	}
}

// mayBegin blocks until shard may start a session. The caller calls release after the start, even if it has failed;
// after a pause another shard may then start. Only the first call of release counts. The error is ctx.Err().
func (d *Discord) mayBegin(ctx context.Context, f *shards, shard int) (release func(), err error) {
	_, done, err := d.options.Leases.Hold(ctx, identifyLease, f.atOnce, shard%f.atOnce)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { done(d.times.start) }), nil
}

// planShards returns how many shards there are and how many sessions may start at a time. It asks Discord unless there
// is a single shard, with retries until Discord answers or refuses the token, or ctx is done.
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
			err = errors.New("discord recommended no number of connections")
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
