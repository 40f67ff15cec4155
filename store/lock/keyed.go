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
	l := k.enter(key)
	select {
	case l.token <- struct{}{}:
		return func() { <-l.token; k.leave(key, l) }, nil
	case <-ctx.Done():
		k.leave(key, l)
		return nil, ctx.Err()
	}
}

// TryLock is Lock without waiting: unlock is nil if the lock is held.
func (k *Keyed[K]) TryLock(key K) (unlock func()) {
	l := k.enter(key)
	select {
	case l.token <- struct{}{}:
		return func() { <-l.token; k.leave(key, l) }
	default:
		k.leave(key, l)
		return nil
	}
}

func (k *Keyed[K]) enter(key K) *held {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all == nil {
		k.all = map[K]*held{}
	}
	l := k.all[key]
	if l == nil {
		l = &held{token: make(chan struct{}, 1)}
		k.all[key] = l
	}
	l.users++
	return l
}

func (k *Keyed[K]) leave(key K, l *held) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.all, key)
	}
}
