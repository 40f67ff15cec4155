package lease

// Waiting for leases, and giving them back.

import (
	"context"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// returnWithin is the timeout of giving back. Leases not given back expire.
const returnWithin = time.Second

// Hold implements chat.Leases.
func (h *Holder) Hold(ctx context.Context, of string, n, i int) (held context.Context, done func(), err error) {
	if h == nil {
		return ctx, func() {}, ctx.Err()
	}
	h.want(of, n, i, 1)
	name := nameOf(of, i)
	for {
		h.mu.Lock()
		if l := h.have[name]; l != nil && l.stop == nil && h.valid() && ctx.Err() == nil {
			held, l.stop = context.WithCancel(ctx)
			h.mu.Unlock()
			return held, sync.OnceFunc(func() {
				h.giveBack(l)
				h.want(of, n, i, -1)
			}), nil
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
	if h == nil {
		return true
	}
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

// giveBack gives back a lease got by Hold.
func (h *Holder) giveBack(l *lease) {
	h.mu.Lock()
	l.stop()
	has := h.have[l.Name] == l
	if has {
		delete(h.have, l.Name)
		h.giving = append(h.giving, l.Lease)
	}
	h.mu.Unlock()
	if has {
		h.giveAll()
	}
}

// giveAll gives back the queued leases, and gives up after returnWithin. The next beat retries.
func (h *Holder) giveAll() {
	given := make(chan struct{})
	go func() {
		defer close(given)
		h.tryGiving()
	}()
	select {
	case <-given:
	case <-h.Clock.After(returnWithin):
	}
}

func (h *Holder) tryGiving() {
	h.beating <- struct{}{}
	defer func() { <-h.beating }()
	h.mu.Lock()
	giving := h.giving
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), returnWithin)
	defer cancel()
	err := h.Store.Update(ctx, func(tx *store.Tx) error { return h.give(tx, giving) })
	if err != nil {
		h.Log.Warn("release leases failed; they will expire", "error", err)
		return
	}
	h.given(giving)
}

// give gives leases back.
func (h *Holder) give(tx *store.Tx, all []store.Lease) error {
	now := h.Clock.Now().UnixMilli()
	for _, l := range all {
		if err := tx.Leases.ReturnLease(l, now, 0); err != nil {
			return err
		}
	}
	return nil
}

// given removes leases from the queue.
func (h *Holder) given(some []store.Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.giving = h.giving[len(some):]
}

// Borrow implements chat.Leases.
func (h *Holder) Borrow(ctx context.Context, name string) (back func(pause time.Duration), err error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if h == nil {
			return func(time.Duration) {}, nil
		}
		l, err := h.borrow(ctx, name)
		chat.LogFailure(ctx, h.Log.Warn, "lease could not be asked for, trying again", err, "lease", name)
		if err == nil && l.Holder == h.borrower() {
			return func(pause time.Duration) { h.lent(l, pause) }, nil
		}
		select {
		case <-h.Clock.After(h.Look):
		case <-ctx.Done():
		}
	}
}

// borrower returns the holder's name for borrowed leases, which are not renewed.
func (h *Holder) borrower() string { return h.Name + " for a moment" }

// borrow takes a free lease and returns it. It expires as any other if its replica dies, and is not free for a second
// borrower in the same replica.
func (h *Holder) borrow(ctx context.Context, name string) (l store.Lease, err error) {
	h.beating <- struct{}{} // one in this replica at a time
	defer func() { <-h.beating }()
	err = h.Store.Update(ctx, func(tx *store.Tx) error {
		now := h.Clock.Now().UnixMilli()
		l, err = leaseOf(tx, name, now)
		if err != nil || l.Name != "" && !l.Ended {
			l.Holder = ""
			return err
		}
		if err := tx.Leases.TakeLease(name, h.borrower(), now, usualLasts.Milliseconds()); err != nil {
			return err
		}
		l, err = leaseOf(tx, name, now)
		return err
	})
	return l, err
}

// leaseOf reads one lease, the zero lease if there is none.
func leaseOf(tx *store.Tx, name string, now int64) (store.Lease, error) {
	all, err := tx.Leases.Leases(now)
	for _, l := range all {
		if l.Name == name {
			return l, err
		}
	}
	return store.Lease{}, err
}

// lent gives a borrowed lease back.
func (h *Holder) lent(l store.Lease, pause time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), returnWithin)
	defer cancel()
	err := h.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.Leases.ReturnLease(l, h.Clock.Now().UnixMilli(), pause.Milliseconds())
	})
	if err != nil {
		h.Log.Warn("release lease failed; it will expire", "lease", l.Name, "error", err)
	}
}
