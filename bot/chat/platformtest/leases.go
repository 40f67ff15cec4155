package platformtest

// Leases for tests of several replicas in one process. The test decides which replica holds a lease.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// Leases are the leases that the replicas of one bot share. The zero value is ready. A lease goes to the first replica
// that waits for it, unless Give has named another.
type Leases struct {
	fakes.News // reports every change

	mu       sync.Mutex
	replicas int
	holders  map[string]*holder
	given    map[string]*Replica                 // by lease, the only replica that may get it
	lapsed   []*holder                           // holders that do not know yet that they have lost their leases
	part     func(*Replica, chat.Chat) chat.Part // the function behind Replica.Part
}

// holder is a replica with a lease.
type holder struct {
	replica *Replica
	end     context.CancelFunc
}

// Replica is the chat.Leases of one replica.
type Replica struct {
	of      *Leases
	doubted atomic.Bool
}

var _ chat.Leases = (*Replica)(nil)

// Join returns the leases of a new replica.
func (l *Leases) Join() *Replica {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replicas++
	return &Replica{of: l}
}

// Share sets the function that computes Replica.Part. Without it, no replica holds a chat.
func (l *Leases) Share(part func(*Replica, chat.Chat) chat.Part) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.part = part
}

// Give moves lease i of a kind to a replica; from then on no other can get it. nil: none can get it.
func (l *Leases) Give(kind string, i int, to *Replica) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if to == nil {
		to = &Replica{of: l} // a replica that never calls Hold
	}
	name := leaseName(kind, i)
	if l.given == nil {
		l.given = map[string]*Replica{}
	}
	l.given[name] = to
	if h := l.holders[name]; h != nil && h.replica != to {
		h.end()
	}
	l.Tell()
}

// Lapse takes a lease from a holder that is unsure (see Doubt): another replica may get it. The holder learns of the
// loss once it is sure again.
func (l *Leases) Lapse(kind string, i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := leaseName(kind, i)
	if h := l.holders[name]; h != nil {
		l.lapsed = append(l.lapsed, h)
		delete(l.holders, name)
	}
	l.Tell()
}

// Open undoes Give: any replica may get the lease again.
func (l *Leases) Open(kind string, i int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.given, leaseName(kind, i))
	l.Tell()
}

// Holder returns the holder of a lease, nil: none.
func (l *Leases) Holder(kind string, i int) *Replica {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.holders[leaseName(kind, i)]; h != nil {
		return h.replica
	}
	return nil
}

func leaseName(kind string, i int) string { return fmt.Sprint(kind, " ", i) }

// Hold blocks until this replica gets lease i of n; see chat.Leases. It fails if ctx is done or i is not below n.
func (r *Replica) Hold(ctx context.Context, kind string, n, i int) (
	context.Context, func(pause time.Duration), error,
) {
	if i < 0 || i >= n {
		return nil, nil, fmt.Errorf("there is no lease %d of %d of the kind %q", i, n, kind)
	}
	name := leaseName(kind, i)
	for {
		held, done, changed := r.of.tryHold(ctx, name, r)
		if held != nil {
			return held, done, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// tryHold is Hold without waiting. If r cannot have the lease now, held is nil; changed is closed at the next change.
func (l *Leases) tryHold(ctx context.Context, name string, r *Replica) (held context.Context, done func(time.Duration),
	changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if to := l.given[name]; l.holders[name] != nil || to != nil && to != r || ctx.Err() != nil {
		return nil, nil, l.Next()
	}
	held, end := context.WithCancel(ctx)
	if l.holders == nil {
		l.holders = map[string]*holder{}
	}
	mine := &holder{r, end}
	l.holders[name] = mine
	l.Tell()
	return held, func(pause time.Duration) {
		end()
		free := func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.holders[name] == mine {
				delete(l.holders, name)
			}
			l.Tell()
		}
		if pause == 0 {
			free()
			return
		}
		time.AfterFunc(pause, free)
	}, nil
}

// Doubt makes this replica unsure of its leases while doubts is set, as if its database did not answer.
func (r *Replica) Doubt(doubts bool) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.doubted.Store(doubts); doubts {
		return
	}
	for _, h := range r.of.lapsed {
		if h.replica == r {
			h.end()
		}
	}
}

// Sure returns false after Doubt(true).
func (r *Replica) Sure() bool { return !r.doubted.Load() }

// Part returns the result of the function set by Share.
func (r *Replica) Part(c chat.Chat) chat.Part {
	r.of.mu.Lock()
	part, n := r.of.part, r.of.replicas
	r.of.mu.Unlock()
	if part == nil {
		return chat.Part{Replicas: n}
	}
	return part(r, c)
}
