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
func (b *Bot) Run(ctx context.Context, platforms ...chat.Platform) {
	drawing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	queues := make([]*outbox.Queue, len(platforms))
	for i, p := range platforms {
		queues[i] = b.Outbox.Start(drawing, p)
	}
	loops := b.loop()
	var running sync.WaitGroup
	for i, p := range platforms {
		running.Go(func() { b.listen(ctx, p) })
		running.Go(func() { loops.Run(ctx, nil, "boards wait", loop.Always(queues[i].Sweep)) })
	}
	for _, f := range b.features {
		for _, l := range f.Loops {
			running.Go(func() {
				loops.Run(ctx, l.Wake, l.Waits, l.Look)
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
	if err := b.Outbox.Sweep(flush); err != nil && flush.Err() == nil {
		b.Log.ErrorContext(flush, "sweep", "error", err)
	}
	for _, q := range queues {
		q.Rest(flush)
	}
	for _, q := range queues {
		b.Outbox.Stop(q)
	}
	stop()
	for _, q := range queues {
		q.Close()
	}
	running.Wait()
}

// loop is how the bot's loops look.
func (b *Bot) loop() loop.Loop { return loop.Loop{Clock: b.Clock, Sweep: b.Sweep, Log: b.Log} }

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
func (b *Bot) listen(ctx context.Context, p chat.Platform) {
	wait := chat.Pauses()
	for {
		began := b.Clock.Now()
		err := loop.Safely(func() error { return p.Run(ctx, b) })
		if ctx.Err() != nil {
			if err != nil && !errors.Is(err, ctx.Err()) {
				b.Log.ErrorContext(ctx, "platform ended badly", "platform", p.Name(), "error", err)
			}
			return
		}
		if b.Clock.Now().Sub(began) > wait.MaxInterval {
			wait.Reset()
		}
		pause := wait.NextBackOff()
		b.Log.ErrorContext(ctx, "platform stopped and is started again", "platform", p.Name(), "again", pause,
			"error", err)
		select {
		case <-b.Clock.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
