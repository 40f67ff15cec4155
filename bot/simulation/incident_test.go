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
	"knobel/bot/discord/discordtest"
	"knobel/bot/telegram"
	"knobel/bot/telegram/telegramtest"
)

// incidents plans random faults of a hall, one every few minutes until a time.
func (w *town) incidents(h hall, until time.Time) {
	at := time.Now().Add(time.Minute + time.Duration(w.chance.Int64N(int64(6*time.Minute))))
	if at.After(until) {
		return
	}
	w.agenda.add(at, func() {
		kinds := h.incidents()
		what := kinds[w.chance.IntN(len(kinds))]
		w.trace.event(h.name(), what.name)
		what.do()
		w.incidents(h, until)
	})
}

// incident is a fault that no player has caused.
type incident struct {
	name string
	do   func()
}

// later plans do for a random moment within five minutes.
func (w *town) later(do func()) {
	w.agenda.add(time.Now().Add(time.Duration(1+w.chance.Int64N(int64(4*time.Minute)))), do)
}

func (g *group) appoint(p *person) { g.chat.Admin(p.telegram()) }

func (c *channel) appoint(p *person) { p.discord(c.w).Permissions |= discordtest.ManageGuild }

func (g *group) welcome() { g.chat.Reopen() }

func (c *channel) welcome() { c.Allow(discordtest.SendMessages) }

func (g *group) incidents() []incident {
	all := []incident{
		{"a message is deleted", func() {
			if m := g.messages(nil); len(m) > 0 {
				g.chat.Delete(parseInt(m[len(m)-1].id))
			}
		}},
		{"an update comes again", func() {
			if g.last > 0 {
				g.w.telegram.Again(g.last)
			}
		}},
		{"the bot is removed", func() {
			g.chat.Close()
			g.w.later(func() { g.chat.Reopen() })
		}},
		{"Telegram is away", func() {
			g.w.cut("telegram", true)
			g.w.later(func() { g.w.cut("telegram", false) })
		}},
		{"the bot is told to end", func() { g.w.restart(time.Duration(1+g.w.chance.IntN(600)) * time.Second) }},
	}
	if g.grows {
		all = append(all, incident{"the group becomes a supergroup", func() {
			g.grows = false
			g.chat = g.chat.Upgrade([]telegramtest.Announcement{
				telegramtest.OldFirst, telegramtest.NewFirst, telegramtest.Silently,
			}[g.w.chance.IntN(3)])
		}})
	}
	return all
}

func (c *channel) incidents() []incident {
	return []incident{
		{"a message is deleted", func() {
			if m := c.messages(nil); len(m) > 0 {
				c.Remove(m[len(m)-1].id)
			}
		}},
		{"an interaction is going to come again", func() { c.again = true }},
		{"the bot may not write", func() {
			c.Deny(discordtest.SendMessages)
			c.w.later(func() { c.Allow(discordtest.SendMessages) })
		}},
		{"Discord is away", func() {
			c.w.cut("discord", true)
			c.w.later(func() { c.w.cut("discord", false) })
		}},
	}
}

// gate lets requests through one by one, each when all effects of the last one are done. The order of simultaneous
// requests then depends on the seed alone, not on the scheduler.
type gate struct {
	seed uint64
	wide bool // requests do not wait

	mu      sync.Mutex
	waiting []waiter
	come    chan struct{} // gets a value when a request waits
	opening bool          // a request is being let through
}

// waiter is a request that waits at a gate until open is closed.
type waiter struct {
	kind string
	open chan struct{}
}

// blink is the pause between two requests. In a bubble it ends when all goroutines wait.
const blink = time.Microsecond

func newGate(seed uint64, wide bool) *gate { // at a wide gate, no request waits
	return &gate{seed: seed, wide: wide, come: make(chan struct{}, 1)}
}

// pass waits until a request of a kind may continue.
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

// run lets requests through until ctx is done.
func (g *gate) run(ctx context.Context) {
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

// next lets one request through, and reports whether one waited.
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

// settle waits until nothing more happens unless time advances.
func (g *gate) settle() {
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

// onTelegram and onDiscord are the adapters; their boards wait at the gate as requests do.
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
