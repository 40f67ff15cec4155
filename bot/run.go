package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/bot/outbox"
)

// How the bot runs: its platforms, its loops, and how both end.

// flushWithin is how long lagging boards are still drawn after the platforms
// have stopped listening.
const flushWithin = 5 * time.Second

// Run listens on all platforms and draws boards until ctx is done. It then
// lets the platforms finish, draws what still lags behind for at most five
// seconds, and returns. A platform that fails is started again, ever more
// slowly.
func (c *Core) Run(ctx context.Context, platforms ...chat.Platform) {
	drawing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	queues := make([]*outbox.Queue, len(platforms))
	for i, p := range platforms {
		if p.Sparing() {
			c.sparing.Store(p.Name(), true)
		}
		if p.ShowsSteps() {
			c.steps.Store(p.Name(), true)
		}
		queues[i] = c.Outbox.Start(drawing, p)
		p.Heard(c.heard)
	}
	loops := c.loop()
	var running sync.WaitGroup
	for i, p := range platforms {
		running.Go(func() { c.listen(ctx, p) })
		running.Go(func() { loops.Run(ctx, nil, "boards wait", loop.Always(queues[i].Sweep)) })
	}
	for _, f := range c.features {
		for _, l := range f.Loops {
			running.Go(func() {
				loops.Run(ctx, l.Wake, l.Waits,
					func(ctx context.Context) (time.Duration, error) { return l.Look(ctx, c) })
				if l.Ends != nil {
					l.Ends()
				}
			})
		}
	}
	<-ctx.Done()
	flush, cancel := context.WithTimeout(drawing, flushWithin)
	defer cancel()
	waitFor(flush, &running)
	if err := c.Outbox.Sweep(flush); err != nil && flush.Err() == nil {
		c.Log.ErrorContext(flush, "sweep", "error", err)
	}
	for _, q := range queues {
		q.Rest(flush)
	}
	for _, q := range queues {
		c.Outbox.Stop(q)
	}
	stop()
	for _, q := range queues {
		q.Close()
	}
	running.Wait()
}

// Sparing reports whether drawing is dear on the platform of a place (chat.Platform.Sparing). Of one that has
// never run nobody knows it.
func (b *Bot) Sparing(place chat.Place) bool {
	_, dear := b.sparing.Load(chat.PlatformOf(string(place)))
	return dear
}

// ShowsSteps reports whether the platform of a place shows moves one by one (chat.Platform.ShowsSteps). Of one that
// has never run nobody knows it.
func (b *Bot) ShowsSteps(place chat.Place) bool {
	_, shows := b.steps.Load(chat.PlatformOf(string(place)))
	return shows
}

// loop is how the bot's loops look.
func (c *Core) loop() loop.Loop { return loop.Loop{Clock: c.Clock, Sweep: c.Sweep, Log: c.Log} }

// waitFor waits for a group, or for the end of ctx.
func waitFor(ctx context.Context, group *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// listen runs a platform until ctx is done, whatever it does.
func (c *Core) listen(ctx context.Context, p chat.Platform) {
	wait := chat.Pauses()
	for {
		began := c.Clock.Now()
		err := loop.Safely(func() error { return p.Run(ctx, c) })
		if ctx.Err() != nil {
			if err != nil && !errors.Is(err, ctx.Err()) {
				c.Log.ErrorContext(ctx, "platform ended badly", "platform", p.Name(), "error", err)
			}
			return
		}
		if c.Clock.Now().Sub(began) > wait.MaxInterval {
			wait.Reset()
		}
		pause := wait.NextBackOff()
		c.Log.ErrorContext(ctx, "platform stopped and is started again", "platform", p.Name(), "again", pause,
			"error", err)
		select {
		case <-c.Clock.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
