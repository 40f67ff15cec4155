// Package lock provides locks by key.
package lock

import (
	"context"
	"sync"
)

// Keyed holds a lock for each key, for work that must run one at a time per key. Callers get a lock in the order in
// which they wait for it. The zero value is ready to use, and keys that no caller holds or waits for use no memory.
type Keyed[K comparable] struct {
	mu  sync.Mutex
	all map[K]*held
}

// held is the lock of one key.
type held struct {
	token chan struct{} // filled while a caller holds the lock
	users int           // how many callers hold the lock or wait for it
}

// Lock waits for the lock of a key. The caller must call unlock once, which releases the lock. If ctx ends first,
// unlock is nil and err is the error of ctx.
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

// leave decrements l.users when a caller no longer holds or awaits l, the lock of key. At zero it deletes l.
func (k *Keyed[K]) leave(key K, l *held) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.all, key)
	}
}
