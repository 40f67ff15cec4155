// Package lease shares what there is to do among the replicas of the bot that work with one database: the loops of
// chats, connections, and whatever one at a time may do.
package lease

import (
	"context"
	"crypto/rand"
	"errors"
	"hash/fnv"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

// Shares is how many leases share the chats: all loops of a chat run where its lease is held.
const Shares = 64

// chats is the kind of the leases that share the chats.
const chats = "chats"

const (
	// usualLasts is how long a lease lasts that is not renewed: with the next look a dead replica is noticed within ten
	// seconds.
	usualLasts = 9500 * time.Millisecond
	// usualLook is how often a replica looks whether others have come or gone, so that what was given back is taken
	// within a second.
	usualLook = 500 * time.Millisecond
	// ever is how long leases last where nobody else can take them.
	ever = 100 * 365 * 24 * time.Hour
	// forgottenAfter is how long after its end a replica is forgotten.
	forgottenAfter = time.Hour
)

// Config is what a holder is made of.
type Config struct {
	Store *store.Store
	Clock chat.Clock // nil: the system's
	Log   *slog.Logger
	// Name tells this replica from all others, those before it included; "": one is made by chance.
	Name string
	// Alone says that no other replica works with the database while this one does, and that all have ended that ever
	// have: it holds everything, for ever.
	Alone bool
	// Lasts is how long a lease lasts that is not renewed, and Look how often others are looked for; 0: nine and a
	// half seconds, and half a second.
	Lasts, Look time.Duration
}

// Holder holds the leases of one replica, and shares them with others while Run runs. A nil Holder holds everything,
// and there is nobody else.
type Holder struct {
	Config
	wake    loop.Waker
	beating chan struct{} // one beat at a time

	fenced  atomic.Int64
	doubted atomic.Bool // a change was refused: what is held has to be looked at

	mu       sync.Mutex
	kinds    map[string]*kind
	have     map[string]*lease // what it holds, by name
	giving   []store.Lease     // what is to be given back
	stopped  bool              // it takes no chats any more
	renewed  time.Time         // when that was last tried, successfully
	shares   [Shares]share
	replicas int
	since    time.Time     // since when there are so many
	all      bool          // it holds all chats
	changed  chan struct{} // closed, and replaced, when anything has changed
	gained   []func()
}

var _ chat.Leases = (*Holder)(nil)

// kind is a kind of leases that this replica waits for or holds.
type kind struct {
	n      int
	wanted map[int]int // how many wait for each, or have it
}

// lease is a lease that is held.
type lease struct {
	store.Lease
	stop context.CancelFunc // ends what it is for; nil: nobody has asked for it yet
}

// share is a lease of chats.
type share struct {
	lease store.Lease // the zero lease: it is not held
	since time.Time   // since when that is so
}

// New returns a holder that holds nothing yet.
func New(c Config) *Holder {
	if c.Clock == nil {
		c.Clock = chat.SystemClock{}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Name == "" {
		c.Name = rand.Text()
	}
	if c.Lasts == 0 {
		c.Lasts = usualLasts
	}
	if c.Look == 0 {
		c.Look = usualLook
	}
	if c.Alone {
		c.Lasts = ever
	}
	return &Holder{Config: c, wake: loop.NewWaker(), have: map[string]*lease{}, kinds: map[string]*kind{},
		beating: make(chan struct{}, 1), changed: make(chan struct{}), replicas: 1}
}

// Own is the name of this replica among those that draw boards; "" where there is no other.
func (h *Holder) Own() string {
	if h == nil || h.Alone {
		return ""
	}
	return h.Name
}

// Shared reports whether other replicas may work with the database.
func (h *Holder) Shared() bool { return h.Own() != "" }

// ShareOf is the number of the lease that a chat belongs to.
func ShareOf(chat string) int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(chat))
	return int(sum.Sum32() % Shares)
}

// Share returns the lease of a chat's loops, and whether this replica holds it.
func (h *Holder) Share(chat string) (l store.Lease, held bool) {
	if h == nil {
		return store.Lease{}, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.shares[ShareOf(chat)]
	return s.lease, s.lease.Name != "" && h.valid()
}

// Holds reports whether this replica holds the lease of a chat's loops.
func (h *Holder) Holds(chat string) bool {
	_, held := h.Share(chat)
	return held
}

// Chats are those whose loops run here: nil means all.
func (h *Holder) Chats() func(chat string) bool {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all && h.valid() {
		return nil
	}
	return h.Holds
}

// SinceOf returns since when this replica has held a lease of chats, by its number, without a break, and false where it
// does not. The zero time is for ever.
func (h *Holder) SinceOf(share int) (since time.Time, held bool) {
	if h == nil {
		return since, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.shares[share]
	if h.Alone {
		s.since = time.Time{}
	}
	return s.since, s.lease.Name != "" && h.valid()
}

// Gained registers a function that is called, at once and without a lock, whenever loops of further chats run here.
func (h *Holder) Gained(call func()) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gained = append(h.gained, call)
}

// Part is as of chat.Leases.
func (h *Holder) Part(of chat.Chat) chat.Part {
	if h == nil || h.Alone {
		return chat.Part{Replicas: 1, Holds: true}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := chat.Part{Replicas: h.replicas, Since: h.since}
	if of == "" {
		return p
	}
	s := h.shares[ShareOf(string(of))]
	p.Holds = s.lease.Name != "" && h.valid()
	if s.since.After(p.Since) {
		p.Since = s.since
	}
	return p
}

// Held returns how many leases this replica holds, by kind.
func (h *Holder) Held() map[string]int {
	n := map[string]int{}
	if h == nil {
		return n
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.valid() {
		return n
	}
	for _, s := range h.shares {
		if s.lease.Name != "" {
			n[chats]++
		}
	}
	for _, l := range h.have {
		of, _, _ := parse(l.Name)
		n[of]++
	}
	return n
}

// Fenced reports whether an error is that of a change under a lease that is in other hands by now, and counts it.
// Whoever has the lease does what was to be done.
func (h *Holder) Fenced(err error) bool {
	if h == nil || !errors.Is(err, store.ErrFenced) {
		return false
	}
	h.fenced.Add(1)
	h.doubted.Store(true)
	h.wake.Wake()
	return true
}

// Refusals returns how often a change under a lease was refused because the lease was in other hands.
func (h *Holder) Refusals() int64 {
	if h == nil {
		return 0
	}
	return h.fenced.Load()
}

// Replicas returns how many replicas there are, as far as this one knows.
func (h *Holder) Replicas() int {
	if h == nil {
		return 1
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.replicas
}

// valid reports whether what is held can be relied upon: it was renewed not long ago, and others take it only later.
// The lock is held.
func (h *Holder) valid() bool {
	return !h.renewed.IsZero() && h.Clock.Now().Sub(h.renewed) < h.Lasts/5*4
}
