package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// flushWithin is how long lagging boards are still drawn after the platforms
// have stopped listening.
const flushWithin = 5 * time.Second

// Run listens on all platforms and draws boards until ctx is done. It then
// lets the platforms finish, draws what still lags behind for at most five
// seconds, and returns. A platform that fails is started again, ever more
// slowly.
func (b *Bot) Run(ctx context.Context, platforms ...Platform) {
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
		running.Go(func() { b.sweepAll(ctx, easels[i]) })
	}
	running.Go(func() { b.playWaiting(ctx) })
	running.Go(func() { b.reviewAll(ctx) })
	running.Go(func() { b.puzzleAll(ctx, platforms) })
	<-ctx.Done()
	flush, cancel := context.WithTimeout(drawing, flushWithin)
	defer cancel()
	waitFor(flush, &running)
	for _, e := range easels {
		if err := e.sweep(flush); err != nil {
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
func (b *Bot) listen(ctx context.Context, p Platform) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = time.Second, time.Minute
	wait.RandomizationFactor = 0 // there is one of us
	for {
		began := time.Now()
		err := b.listenOnce(ctx, p)
		if ctx.Err() != nil {
			if err != nil && !errors.Is(err, ctx.Err()) {
				b.log.ErrorContext(ctx, "platform ended badly", "platform", p.Name(), "error", err)
			}
			return
		}
		if time.Since(began) > wait.MaxInterval {
			wait.Reset()
		}
		pause := wait.NextBackOff()
		b.log.ErrorContext(ctx, "platform stopped and is started again", "platform", p.Name(), "again", pause, "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

func (b *Bot) listenOnce(ctx context.Context, p Platform) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = panicked(thrown)
		}
	}()
	return p.Run(ctx, b)
}

// sweepAll looks for lagging boards at the start and ever again.
func (b *Bot) sweepAll(ctx context.Context, e *easel) {
	tick := time.NewTicker(b.sweep)
	defer tick.Stop()
	for {
		if err := e.sweep(ctx); err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "sweep", "platform", e.platform.Name(), "error", err)
		}
		select {
		case <-tick.C:
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
