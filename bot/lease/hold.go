package lease

// Waiting for leases and giving them back.

import (
	"context"
	"sync"
	"time"

	"knobel/store"
)

// returnWithin is the timeout for releasing leases. A lease that was not released expires later.
const returnWithin = time.Second

// Hold waits until this replica holds lease i of the n leases of a kind and no other caller uses it. The context held
// ends when the lease is lost or must go to another replica, or ctx is done: the caller must then call done at once.
// done releases the lease, and no replica can take it for pause. The only error is that of ctx. h must not be nil.
func (h *Holder) Hold(ctx context.Context, kindName string, n, i int) (
	held context.Context, done func(pause time.Duration), err error,
) {
	h.countUser(kindName, n, i, 1)
	name := leaseName(kindName, i)
	for {
		h.mu.Lock()
		if l := h.held[name]; l != nil && l.stop == nil && h.isCertain() && ctx.Err() == nil {
			held, l.stop = context.WithCancel(ctx)
			h.mu.Unlock()
			var once sync.Once
			return held, func(pause time.Duration) {
				once.Do(func() {
					h.endUse(l, pause)
					h.countUser(kindName, n, i, -1)
				})
			}, nil
		}
		changed := h.changed
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			h.countUser(kindName, n, i, -1)
			return nil, nil, ctx.Err()
		}
	}
}

// Sure reports whether this replica certainly still holds its leases. It is false if the last renewal was so long ago
// that other replicas may take them soon. h must not be nil.
func (h *Holder) Sure() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.isCertain()
}

// countUser adds change, 1 or -1, to the number of callers of Hold that wait for or use lease i of the n leases of a
// kind. Then it wakes Run.
func (h *Holder) countUser(kindName string, n, i, change int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.kinds[kindName]
	if k == nil {
		k = &kind{n: n, wanted: map[int]int{}}
		h.kinds[kindName] = k
	}
	if k.wanted[i] += change; k.wanted[i] == 0 {
		delete(k.wanted, i)
	}
	if len(k.wanted) == 0 {
		delete(h.kinds, kindName)
	}
	h.wake.Wake()
}

// endUse ends the use of l by a caller of Hold. If l is not lost, it gives l back: no replica can take l for pause.
func (h *Holder) endUse(l *lease, pause time.Duration) {
	h.mu.Lock()
	l.stop()
	held := h.held[l.Name] == l
	if held {
		delete(h.held, l.Name)
		h.returning = append(h.returning, dueReturn{l.Lease, pause})
	}
	h.mu.Unlock()
	if held {
		h.returnQueued()
	}
}

// returnQueued releases the leases in h.returning, but waits at most returnWithin. If that fails, renew tries again.
func (h *Holder) returnQueued() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.beating <- struct{}{}
		defer func() { <-h.beating }()
		h.mu.Lock()
		queued := h.returning
		h.mu.Unlock()
		if h.runReturn(func(tx *store.Tx) error { return h.returnLeases(tx, queued) }) {
			h.unqueue(queued)
		}
	}()
	select {
	case <-ended:
	case <-h.Clock.After(returnWithin):
	}
}

// runReturn runs change, which gives leases back, within returnWithin. If change fails, it logs why and returns false.
func (h *Holder) runReturn(change func(*store.Tx) error) bool {
	ctx, cancel := context.WithTimeout(context.Background(), returnWithin)
	defer cancel()
	err := h.Store.Update(ctx, change)
	if err != nil {
		h.Log.Warn("release leases failed; they will expire", "error", err)
	}
	return err == nil
}

// returnLeases gives leases back in the transaction tx. Replicas can take each lease again after its pause.
func (h *Holder) returnLeases(tx *store.Tx, leases []dueReturn) error {
	for _, l := range leases {
		if err := tx.Leases.ReturnLease(l.Lease, h.Clock.Now().UnixMilli(), l.pause.Milliseconds()); err != nil {
			return err
		}
	}
	return nil
}

// unqueue removes returned, the first leases in the queue h.returning, from that queue.
func (h *Holder) unqueue(returned []dueReturn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.returning = h.returning[len(returned):]
}
