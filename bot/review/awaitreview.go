package review

import (
	"context"
	"sync"
	"time"

	"knobel/bot"
	"knobel/store"
)

// The board of a game that has just ended waits a moment for its review, which is there within some milliseconds where
// perfect play is at hand: so the end is drawn once.

// awaitSoon waits, until a moment at most, for the review of a table that has just ended, where it
// needs no perfect play that takes seconds.
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

// kept wakes all waiting goroutines when a review was stored, or when the loop ends. In the zero value the loop does
// not run.
type kept struct {
	mu   sync.Mutex
	wait chan struct{}
	runs bool
}

// run notes whether the loop runs that stores reviews.
func (k *kept) run(runs bool) {
	k.mu.Lock()
	k.runs = runs
	k.mu.Unlock()
	if !runs {
		k.tell()
	}
}

// next returns a channel that is closed when the next one is stored, nil where the loop does not run.
func (k *kept) next() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.runs {
		return nil
	}
	if k.wait == nil {
		k.wait = make(chan struct{})
	}
	return k.wait
}

// tell wakes them.
func (k *kept) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wait != nil {
		close(k.wait)
		k.wait = nil
	}
}
