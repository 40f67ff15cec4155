package simulation

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/telegram"
)

// gate lets requests through one after the other, each when all effects of the one before are done. The order of
// simultaneous requests depends on the seed alone, not on the scheduling of goroutines.
type gate struct {
	seed uint64
	wide bool // events of one instant happen together

	mu      sync.Mutex
	waiting []waiter
	come    chan struct{} // gets a value when one waits
	opening bool          // one is being let through
}

type waiter struct {
	kind string
	open chan struct{}
}

// blink is the time between two requests: in a bubble it passes when all goroutines wait.
const blink = time.Microsecond

func newGate(seed uint64, wide bool) *gate {
	return &gate{seed: seed, wide: wide, come: make(chan struct{}, 1)}
}

// pass waits until a request may continue.
func (g *gate) pass(kind string) {
	if g.wide {
		return
	}
	w := waiter{kind, make(chan struct{})}
	g.mu.Lock()
	g.waiting = append(g.waiting, w)
	g.opening = true
	g.mu.Unlock()
	select {
	case g.come <- struct{}{}:
	default:
	}
	<-w.open
}

// keep lets requests through until ctx is done.
func (g *gate) keep(ctx context.Context) {
	for {
		select {
		case <-g.come:
		case <-ctx.Done():
			return
		}
		for more := true; more; {
			time.Sleep(blink)
			more = g.next()
		}
	}
}

// next lets one request through, if any waits.
func (g *gate) next() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opening = len(g.waiting) > 0
	if !g.opening {
		return false
	}
	rank := func(w waiter) uint64 {
		sum := fnv.New64a()
		_, _ = sum.Write([]byte(w.kind))
		return sum.Sum64() ^ g.seed*0x9e3779b97f4a7c15
	}
	slices.SortStableFunc(g.waiting, func(a, b waiter) int { return cmp.Compare(rank(a), rank(b)) })
	close(g.waiting[0].open)
	g.waiting = slices.Delete(g.waiting, 0, 1)
	return true
}

// quiet waits until only the passing of time can cause events.
func (g *gate) quiet() {
	for {
		synctest.Wait()
		g.mu.Lock()
		opening := g.opening
		g.mu.Unlock()
		if !opening {
			return
		}
		time.Sleep(blink)
	}
}

// onTelegram and onDiscord are the adapters, before which boards wait for their turn as requests do.
type onTelegram struct {
	*telegram.Telegram
	gate *gate
}

// Ready waits for the gate, too.
func (p onTelegram) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	p.gate.pass("ready " + string(place))
	return p.Telegram.Ready(ctx, place, need)
}

type onDiscord struct {
	*discord.Discord
	gate *gate
}

// Ready waits for the gate, too.
func (p onDiscord) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	p.gate.pass("ready " + string(place))
	return p.Discord.Ready(ctx, place, need)
}
