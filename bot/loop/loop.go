// Package loop runs what the bot does beside the events: loops that look at what is stored and sleep until there is
// something to do, tasks that a loop begins and does not wait for, and locks by key.
package loop

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"knobel/bot/chat"
)

// Waker wakes a loop. It can be called from anywhere and never blocks: twice before
// the loop looks is once. A nil Waker never wakes.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake has the loop look at once.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // the loop is going to look anyway
	}
}

// Look is one look of a loop. It returns how long after it began the loop has to look
// again, 0: no sooner than the sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Always makes a look that has no time of its own.
func Always(look func(context.Context) error) Look {
	return func(ctx context.Context) (time.Duration, error) { return 0, look(ctx) }
}

// Loop is how often loops look, and whom they tell of errors.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // how often it looks at least
	Log   *slog.Logger
}

// Run looks at the start, whenever it is woken, and at least once a sweep, until ctx
// is done. An error is logged as what waits because of it; a panic ends no loop.
func (l Loop) Run(ctx context.Context, wake Waker, waits string, look Look) {
	sweep := l.Clock.After(l.Sweep)
	for {
		began := l.Clock.Now()
		soon, err := safeLook(ctx, look)
		if err != nil && ctx.Err() == nil {
			l.Log.ErrorContext(ctx, waits, "error", err)
		}
		var due <-chan time.Time
		if soon > 0 && soon < l.Sweep {
			due = l.Clock.After(soon)
			if err == nil && l.Clock.Now().Sub(began) >= soon && ctx.Err() == nil {
				continue // it is due already: the look took its time
			}
		}
		select {
		case <-wake:
		case <-due:
		case <-sweep:
			sweep = l.Clock.After(l.Sweep)
		case <-ctx.Done():
			return
		}
	}
}

func safeLook(ctx context.Context, look Look) (soon time.Duration, err error) {
	defer Rescue(&err)
	return look(ctx)
}

// Rescue makes an error of a panic, with the stack for the log. It is deferred by
// whatever may not take others down with it.
func Rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Safely runs a step and makes an error of its panic.
func Safely(step func() error) (err error) {
	defer Rescue(&err)
	return step()
}
