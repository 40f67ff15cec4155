// Package loop runs what the bot does beside the events: loops that look at what is stored and
// sleep until there is something to do, and tasks that a loop begins and does not wait for.
package loop

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"knobel/bot/chat"
)

// Waker wakes a loop. Wake never blocks, and several calls before the next pass are one. A nil
// Waker does nothing.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake makes the loop pass again at once.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // the loop is going to look anyway
	}
}

// Look is one pass of a loop. It returns when the next pass is needed, as a duration from when this
// one began; 0: not before the sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Always makes a Look of a pass that asks for no time of its own.
func Always(look func(context.Context) error) Look {
	return func(ctx context.Context) (time.Duration, error) { return 0, look(ctx) }
}

// Loop holds what all loops have in common: the clock, the sweep between two looks, and the log.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // how often it looks at least
	Log   *slog.Logger
	Rests bool // it rests between two passes
}

// A loop that rests does so after a pass for restFor times as long as that took, and at most for maxRest: where the
// database is far away it takes no more than a fifth of the time of a connection from those who press, however often it
// is woken. Nobody is to notice that it rests.
const (
	restFor = 4
	maxRest = 250 * time.Millisecond
)

// Run makes a pass at the start, at every wake, and at least once a sweep, until ctx is done. An error is logged, with
// waits as what it holds up; a panic does not end the loop.
func (l Loop) Run(ctx context.Context, wake Waker, waits string, look Look) {
	sweep := l.Clock.After(l.Sweep)
	for {
		began := l.Clock.Now()
		soon, err := safeLook(ctx, look)
		chat.LogFailure(ctx, l.Log.Error, waits, err)
		if !l.rest(ctx, l.Clock.Now().Sub(began)) {
			return
		}
		var due <-chan time.Time
		if soon > 0 && soon < l.Sweep {
			if err == nil {
				soon -= l.Clock.Now().Sub(began)
			}
			if soon <= 0 {
				continue // it is due already: the look took its time
			}
			due = l.Clock.After(soon)
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

// rest waits after a pass that took so long, and reports whether the loop goes on.
func (l Loop) rest(ctx context.Context, took time.Duration) bool {
	if took <= 0 || !l.Rests {
		return ctx.Err() == nil
	}
	select {
	case <-l.Clock.After(min(took*restFor, maxRest)):
		return true
	case <-ctx.Done():
		return false
	}
}

func safeLook(ctx context.Context, look Look) (soon time.Duration, err error) {
	defer Rescue(&err)
	return look(ctx)
}

// Rescue turns a panic into an error with its stack. Defer it in code that must not take other code
// down.
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
