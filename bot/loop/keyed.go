package loop

import (
	"context"
	"sync"
)

// Keyed are locks by number that one can stop waiting for. Its zero value holds none.
type Keyed struct {
	mu   sync.Mutex
	held map[int64]*lock
}

type lock struct {
	token chan struct{}
	users int
}

// Lock waits for the lock of a number, or for the end of ctx.
func (k *Keyed) Lock(ctx context.Context, key int64) (unlock func(), err error) {
	k.mu.Lock()
	if k.held == nil {
		k.held = map[int64]*lock{}
	}
	l := k.held[key]
	if l == nil {
		l = &lock{token: make(chan struct{}, 1)}
		k.held[key] = l
	}
	l.users++
	k.mu.Unlock()
	leave := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if l.users--; l.users == 0 {
			delete(k.held, key)
		}
	}
	select {
	case l.token <- struct{}{}:
		return func() { <-l.token; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
