// Package lock provides locks by key.
package lock

import (
	"context"
	"sync"
)

// Keyed holds locks by key, for work that runs one at a time for each key. Lock gives up when its context ends. Waiting
// callers get a lock in the order of their calls. The zero value is ready; keys without a holder take no memory.
type Keyed[K comparable] struct {
	mu  sync.Mutex
	all map[K]*held
}

type held struct {
	token chan struct{}
	users int
}

// Lock waits for the lock of a key, or for the end of ctx.
func (k *Keyed[K]) Lock(ctx context.Context, key K) (unlock func(), err error) {
	k.mu.Lock()
	l := k.all[key]
	if l == nil {
		if k.all == nil {
			k.all = map[K]*held{}
		}
		l = &held{token: make(chan struct{}, 1)}
		k.all[key] = l
	}
	l.users++
	k.mu.Unlock()
	select {
	case l.token <- struct{}{}:
		return func() { <-l.token; k.leave(key, l) }, nil
	case <-ctx.Done():
		k.leave(key, l)
		return nil, ctx.Err()
	}
}

func (k *Keyed[K]) leave(key K, l *held) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.all, key)
	}
}
