package fakes

import (
	"context"
	"sync"
	"time"
)

// News wakes all waiters when a state may have changed. The zero value is ready.
type News struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by Tell; nil: none waits
}

// Tell wakes all waiters. It may be called with any lock held.
func (n *News) Tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// Next returns a channel that the next Tell closes.
func (n *News) Next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// lookAgain is how often Wait checks without a Tell: changes in the database send none.
const lookAgain = 20 * time.Millisecond

// Wait returns once the condition holds, checking after every Tell and periodically, or returns ctx's error.
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
