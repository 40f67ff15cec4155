// Package lock provides locks by key, and counts tasks whose owner waits for them at its end.
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

// Work counts the tasks of an owner, which waits for them at its end. The zero value is open.
type Work struct {
	mu     sync.Mutex
	closed bool
	tasks  sync.WaitGroup
}

// Begin reports whether a task may begin: not after Close. After each true, the caller calls Done once.
func (w *Work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Add(1)
	}
	return !w.closed
}

// Done ends a task.
func (w *Work) Done() { w.tasks.Done() }

// Go runs a task in a goroutine, and reports whether it may begin.
func (w *Work) Go(task func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.tasks.Go(task)
	}
	return !w.closed
}

// Close lets no further task begin and waits for all that have begun. It returns false if it was called before.
func (w *Work) Close() bool {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	w.mu.Unlock()
	w.tasks.Wait()
	return first
}
