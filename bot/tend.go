package bot

import (
	"context"
	"time"
)

// bell has a loop look at once for what it tends. It can be rung from anywhere
// and never blocks: rung twice before the loop looks, it is one ring.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default: // the loop is going to look anyway
	}
}

// tend looks at the start, whenever the bell rings, and at least once a sweep,
// until ctx is done. look returns how long after it began it has to look again,
// 0: no sooner than the sweep. An error is told to the operator as what waits
// because of it, and a panic ends no loop.
func (b *Bot) tend(ctx context.Context, rung bell, waits string, look func(context.Context) (time.Duration, error)) {
	sweep := b.clock.After(b.sweep)
	for {
		began := b.clock.Now()
		soon, err := b.lookSafely(ctx, look)
		if err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, waits, "error", err)
		}
		var due <-chan time.Time
		if soon > 0 && soon < b.sweep {
			due = b.clock.After(soon)
			if err == nil && b.clock.Now().Sub(began) >= soon && ctx.Err() == nil {
				continue // it is due already: the look took its time
			}
		}
		select {
		case <-rung:
		case <-due:
		case <-sweep:
			sweep = b.clock.After(b.sweep)
		case <-ctx.Done():
			return
		}
	}
}

func (b *Bot) lookSafely(ctx context.Context, look func(context.Context) (time.Duration, error)) (soon time.Duration, err error) {
	defer rescue(&err)
	return look(ctx)
}

// always makes a look that has no time of its own.
func always(look func(context.Context) error) func(context.Context) (time.Duration, error) {
	return func(ctx context.Context) (time.Duration, error) { return 0, look(ctx) }
}
