package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// Shards: the connections that share the bot's servers, and when each may begin a session.

// AutoShards has Discord say how many connections a bot needs.
const AutoShards = -1

// maxShards bounds what an operator may ask for.
const maxShards = 1000

// ParseShards reads a number of connections: "auto", or 1 to 1000; "" is one.
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

// shards are the connections that share the bot's servers.
type shards struct {
	count int
	gates []*rate.Limiter // by shard modulo their number; none: nobody waits

	mu sync.Mutex
	up map[int]bool
}

// newShards returns count connections, of which atOnce may begin at a time: shards with the same
// number modulo atOnce wait for each other, pause long.
func newShards(count, atOnce int, pause time.Duration) *shards {
	f := &shards{count: count, up: map[int]bool{}}
	if count > 1 {
		for range max(atOnce, 1) {
			f.gates = append(f.gates, rate.NewLimiter(rate.Every(pause), 1))
		}
	}
	return f
}

// wait waits until a shard may begin a session.
func (f *shards) wait(ctx context.Context, shard int) error {
	if len(f.gates) == 0 {
		return ctx.Err()
	}
	return f.gates[shard%len(f.gates)].Wait(ctx)
}

// turn notes whether a shard hears people from now on, and the platform with
// it: it is connected when all are. was says how the shard stood, and changed
// whether the platform's standing is another now.
func (d *Discord) turn(f *shards, shard int, up bool) (was, changed bool, before time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if was = f.up[shard]; up {
		f.up[shard] = true
	} else {
		delete(f.up, shard)
	}
	changed, before = d.Turn(len(f.up) == f.count)
	return was, changed, before
}

// connect keeps all connections until the run's end.
func (d *Discord) connect(s *run) {
	d.Turn(false)
	d.GiveUp("")
	defer func() { <-s.ctx.Done() }() // who is refused for good has no further try
	f, err := d.plan(s.ctx)
	if err != nil {
		return // the run has ended, or Discord refuses the token
	}
	if f.count > 1 {
		d.log.Info("connecting", "shards", f.count, "at once", len(f.gates))
	}
	var all sync.WaitGroup
	for shard := range f.count {
		all.Go(func() { d.stay(s, f, shard) })
	}
	all.Wait()
}

// plan asks Discord how many connections it recommends and how many may begin
// at once, until it says so, refuses the token, or ctx is done. Nothing is asked
// for one.
func (d *Discord) plan(ctx context.Context) (*shards, error) {
	if d.shards == 0 || d.shards == 1 {
		return newShards(1, 1, d.times.start), nil
	}
	told := false
	return backoff.Retry(ctx, func() (*shards, error) {
		var g discordgo.GatewayBotResponse
		err := d.rest.call(ctx, true, http.MethodGet, discordgo.EndpointGatewayBot, nil, &g)
		if r, ok := refusalOf(err); ok && r.Status == http.StatusUnauthorized {
			d.refused(tokenRefused)
			return nil, backoff.Permanent(err)
		}
		if err == nil && g.Shards < 1 {
			err = errors.New("no number of connections is recommended")
		}
		if err != nil {
			if !told && ctx.Err() == nil {
				d.log.Warn("Discord does not say how many connections it wants, trying again, ever more slowly",
					"error", d.rest.redact(err))
			}
			told = true
			return nil, err
		}
		shards := d.shards
		if shards == AutoShards {
			shards = g.Shards
		}
		return newShards(shards, g.SessionStartLimit.MaxConcurrency, d.times.start), nil
	}, backoff.WithBackOff(chat.Pauses()), backoff.WithMaxElapsedTime(0))
}
