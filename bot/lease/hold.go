package lease

// Waiting for leases, and giving them back.

import (
	"context"
	"sync"
	"time"

	"knobel/store"
)

// returnWithin is the timeout of giving back. Leases not given back expire.
const returnWithin = time.Second

// Hold implements chat.Leases.
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

// Sure implements chat.Leases.
func (h *Holder) Sure() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.valid()
}

// want counts the users that wait for or hold a lease.
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

// giveBack gives back a lease got by Hold, and keeps it from others for the pause.
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

// giveAll gives back the queued leases, and gives up after returnWithin. The next beat retries.
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

// atEnd makes a change that gives leases back, within returnWithin, and reports whether that has worked.
func (h *Holder) atEnd(change func(*store.Tx) error) bool {
	ctx, cancel := context.WithTimeout(context.Background(), returnWithin)
	defer cancel()
	err := h.Store.Update(ctx, change)
	if err != nil {
		h.Log.Warn("release leases failed; they will expire", "error", err)
	}
	return err == nil
}

// give gives leases back.
func (h *Holder) give(tx *store.Tx, all []given) error {
	for _, l := range all {
		if err := tx.Leases.ReturnLease(l.Lease, h.Clock.Now().UnixMilli(), l.pause.Milliseconds()); err != nil {
			return err
		}
	}
	return nil
}

// gave removes leases from the queue.
func (h *Holder) gave(some []given) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.giving = h.giving[len(some):]
}
