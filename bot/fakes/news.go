package fakes

import (
	"context"
	"sync"
	"time"
)

// News wakes those who wait for something to happen. Its zero value is ready.
type News struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by Tell; nil: nobody waits
}

// Tell wakes all who wait. It may be called with any lock held.
func (n *News) Tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// Next is closed by the next Tell.
func (n *News) Next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// lookAgain is how often Wait checks without a notice: changes in the database send none.
const lookAgain = 20 * time.Millisecond

// Wait returns once the condition holds, asking anew after every Tell and now
// and then besides, or returns ctx's error.
func (n *News) Wait(ctx context.Context, holds func() bool) error {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		next := n.Next()
		if holds() {
			return nil
		}
		select {
		case <-next:
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
