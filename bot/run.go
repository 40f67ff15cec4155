package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
)

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
	easels := make([]*easel, len(platforms))
	b.mu.Lock()
	for i, p := range platforms {
		easels[i] = newEasel(drawing, b, p)
		b.easels[p.Name()] = easels[i]
	}
	b.mu.Unlock()

	var running sync.WaitGroup
	for i, p := range platforms {
		running.Go(func() { b.listen(ctx, p) })
		running.Go(func() { b.tend(ctx, nil, "boards wait", always(easels[i].sweep)) })
	}
	running.Go(func() { b.tend(ctx, b.woken, "house seats wait", always(b.lookWaiting)) })
	running.Go(func() { b.tend(ctx, b.reviewing, "reviews wait", always(b.lookReviews)) })
	running.Go(func() { b.callAll(ctx) })
	running.Go(func() { b.tend(ctx, b.due, "turns are not over", newWatch(b).look) })
	running.Go(func() {
		b.tend(ctx, b.puzzling.bell, "puzzles wait", b.lookPuzzles(platforms))
		b.puzzling.all.Wait() // nothing is begun any more
	})
	if b.keepMoves > 0 {
		running.Go(func() { b.tend(ctx, nil, "old moves stay", b.dropMoves) })
	}
	running.Go(func() { b.tend(ctx, b.forgetting, "what is forgotten is in the file still", b.forgets()) })
	<-ctx.Done()
	flush, cancel := context.WithTimeout(drawing, flushWithin)
	defer cancel()
	waitFor(flush, &running)
	for _, e := range easels {
		if err := e.sweep(flush); err != nil && flush.Err() == nil {
			b.log.ErrorContext(flush, "sweep", "platform", e.platform.Name(), "error", err)
		}
	}
	for _, e := range easels {
		e.rest(flush)
	}
	b.mu.Lock()
	for _, e := range easels {
		delete(b.easels, e.platform.Name())
	}
	b.mu.Unlock()
	stop()
	for _, e := range easels {
		e.close()
	}
	running.Wait()
}

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
		began := b.clock.Now()
		err := safely(func() error { return p.Run(ctx, b) })
		if ctx.Err() != nil {
			if err != nil && !errors.Is(err, ctx.Err()) {
				b.log.ErrorContext(ctx, "platform ended badly", "platform", p.Name(), "error", err)
			}
			return
		}
		if b.clock.Now().Sub(began) > wait.MaxInterval {
			wait.Reset()
		}
		pause := wait.NextBackOff()
		b.log.ErrorContext(ctx, "platform stopped and is started again", "platform", p.Name(), "again", pause, "error", err)
		select {
		case <-b.clock.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// sweepNow has all platforms look for lagging boards at once.
func (b *Bot) sweepNow(ctx context.Context) error {
	b.mu.Lock()
	var all []*easel
	for _, e := range b.easels {
		all = append(all, e)
	}
	b.mu.Unlock()
	var errs []error
	for _, e := range all {
		errs = append(errs, e.sweep(ctx))
	}
	return errors.Join(errs...)
}
