// Package loop runs the bot's background work: loops that look at what is stored and sleep until there is something
// to do, and concurrent tasks.
package loop

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"knobel/bot/chat"
)

// Waker wakes a loop. Wake never blocks, and several calls before the next pass count once. A nil Waker does nothing.
type Waker chan struct{}

// NewWaker returns a waker for one loop.
func NewWaker() Waker { return make(Waker, 1) }

// Wake makes the loop run a pass at once.
func (w Waker) Wake() {
	select {
	case w <- struct{}{}:
	default: // a pass is pending
	}
}

// Look is one pass of a loop. It returns when the next is due, counted from the beginning of this one; 0: at the
// sweep.
type Look func(ctx context.Context) (soon time.Duration, err error)

// Loop holds the common parts of loops.
type Loop struct {
	Clock chat.Clock
	Sweep time.Duration // the longest time between passes
	Log   *slog.Logger
	Rests bool // whether it rests between passes
}

// After a pass, a loop rests restFor times as long as that took, at most maxRest: with a slow database it takes at
// most a fifth of a connection's time, however often it is woken.
const (
	restFor = 4
	maxRest = 250 * time.Millisecond
)

// Run makes a pass at the start, at every wake, and at least once a sweep, until ctx is done. Errors are logged with
// waits, the affected work; a panic does not end the loop.
func (l Loop) Run(ctx context.Context, wake Waker, waits string, look Look) {
	sweep := l.Clock.After(l.Sweep)
	for {
		began := l.Clock.Now()
		var soon time.Duration
		err := Safely(func() (err error) {
			soon, err = look(ctx)
			return err
		})
		chat.LogFailure(ctx, l.Log.Error, waits, err)
		if took := l.Clock.Now().Sub(began); l.Rests && took > 0 {
			select {
			case <-l.Clock.After(min(took*restFor, maxRest)):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return
		}
		var due <-chan time.Time
		if soon > 0 && soon < l.Sweep {
			if err == nil {
				soon -= l.Clock.Now().Sub(began)
			}
			if soon <= 0 {
				continue // it is due already
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

// Rescue turns a panic into an error with its stack. Defer it in code that must not crash other code.
func Rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// Safely runs a step and returns its panic as an error.
func Safely(step func() error) (err error) {
	defer Rescue(&err)
	return step()
}
