package review

import (
	"context"
	"sync"
	"time"

	"knobel/bot"
	"knobel/store"
)

// awaitSoon waits at most until a moment for the review of a table that has just ended, so that the end is drawn once.
// With known perfect play that takes some milliseconds; it does not wait for play that takes seconds to work out.
func (b *Reviews) awaitSoon(ctx context.Context, _ *bot.Core, t store.Table, until time.Time) {
	if _, slow := b.takesLong(t); slow {
		return
	}
	late := b.Clock.After(until.Sub(b.Clock.Now()))
	for next := b.kept.next(); next != nil; next = b.kept.next() { // before it is read
		if wanted, err := b.wanted(ctx, t.ID); err != nil || !wanted {
			return // where it cannot be read, the board shows what there is
		}
		select {
		case <-next:
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// kept wakes all waiting goroutines when a review was stored, or when the loop ends.
type kept struct {
	mu   sync.Mutex
	wait chan struct{} // closed at the next review; nil: the loop that stores them does not run
}

// run notes whether the loop runs.
func (k *kept) run(runs bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case runs && k.wait == nil:
		k.wait = make(chan struct{})
	case !runs && k.wait != nil:
		close(k.wait)
		k.wait = nil
	}
}

// next returns a channel that is closed when the next review is stored, nil where the loop does not run.
func (k *kept) next() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.wait
}

// tell wakes the waiting goroutines.
func (k *kept) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wait != nil {
		close(k.wait)
		k.wait = make(chan struct{})
	}
}
