package lease

// Waiting for leases and returning them.

import (
	"context"
	"sync"
	"time"

	"knobel/store"
)

// returnWithin is the timeout of returning leases. Leases that were not returned expire.
const returnWithin = time.Second

// Hold waits until this replica holds lease i of the n leases of a kind, named of, and no other caller uses that lease.
// held ends when the lease is lost or has to be given up, or ctx is done: the caller must then call done at once, which
// returns the lease and keeps it from others for pause. The only error is that of ctx. h must not be nil.
func (h *Holder) Hold(ctx context.Context, of string, n, i int) (
	held context.Context, done func(pause time.Duration), err error,
) {
	h.want(of, n, i, 1)
	name := nameOf(of, i)
	for {
		h.mu.Lock()
		if l := h.have[name]; l != nil && l.stop == nil && h.valid() && ctx.Err() == nil {
			held, l.stop = context.WithCancel(ctx)
			h.mu.Unlock()
			var once sync.Once
			return held, func(pause time.Duration) {
				once.Do(func() {
					h.giveBack(l, pause)
					h.want(of, n, i, -1)
				})
			}, nil
		}
		changed := h.changed
		h.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			h.want(of, n, i, -1)
			return nil, nil, ctx.Err()
		}
	}
}

// Sure reports whether the held leases are certain. It is false if they were not renewed for so long that other
// replicas may take them soon. h must not be nil.
func (h *Holder) Sure() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.valid()
}

// want adds more, 1 or -1, to the number of callers that wait for or use lease i of the n leases of a kind, named of,
// and wakes Run.
func (h *Holder) want(of string, n, i, more int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k := h.kinds[of]
	if k == nil {
		k = &kind{n: n, wanted: map[int]int{}}
		h.kinds[of] = k
	}
	if k.wanted[i] += more; k.wanted[i] == 0 {
		delete(k.wanted, i)
	}
	if len(k.wanted) == 0 {
		delete(h.kinds, of)
	}
	h.wake.Wake()
}

// giveBack returns a lease that Hold has got, unless it is lost, and keeps it from other replicas for the pause.
func (h *Holder) giveBack(l *lease, pause time.Duration) {
	h.mu.Lock()
	l.stop()
	has := h.have[l.Name] == l
	if has {
		delete(h.have, l.Name)
		h.giving = append(h.giving, given{l.Lease, pause})
	}
	h.mu.Unlock()
	if has {
		h.giveAll()
	}
}

// giveAll returns the queued leases. It waits for that at most returnWithin; if it fails, the next beat tries again.
func (h *Holder) giveAll() {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.beating <- struct{}{}
		defer func() { <-h.beating }()
		h.mu.Lock()
		giving := h.giving
		h.mu.Unlock()
		if h.atEnd(func(tx *store.Tx) error { return h.give(tx, giving) }) {
			h.gave(giving)
		}
	}()
	select {
	case <-ended:
	case <-h.Clock.After(returnWithin):
	}
}

// atEnd runs change, which returns leases, with the timeout returnWithin. It logs an error and reports whether there
// was none.
func (h *Holder) atEnd(change func(*store.Tx) error) bool {
	ctx, cancel := context.WithTimeout(context.Background(), returnWithin)
	defer cancel()
	err := h.Store.Update(ctx, change)
	if err != nil {
		h.Log.Warn("release leases failed; they will expire", "error", err)
	}
	return err == nil
}

// give marks the leases in all as free, each after its pause.
func (h *Holder) give(tx *store.Tx, all []given) error {
	for _, l := range all {
		if err := tx.Leases.ReturnLease(l.Lease, h.Clock.Now().UnixMilli(), l.pause.Milliseconds()); err != nil {
			return err
		}
	}
	return nil
}

// gave removes some, the first leases of the queue, from it once they are returned.
func (h *Holder) gave(some []given) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.giving = h.giving[len(some):]
}
