// Package lease divides work among the replicas of the bot that use one database: the loops of chats, connections, and
// tasks for one replica at a time.
package lease

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"hash/fnv"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

// Shares is the number of leases that divide the chats: all loops of a chat run where its lease is held.
const Shares = 64

// chats is the kind of these leases.
const chats = "chats"

const (
	// lasts is how long a lease lasts without renewal: with lookEvery, a dead replica is noticed within ten seconds.
	lasts = 9500 * time.Millisecond
	// lookEvery is how often a replica looks for others, so that free leases are taken within a second.
	lookEvery = 500 * time.Millisecond
	// forgottenAfter is how long after its end a replica is deleted.
	forgottenAfter = time.Hour
)

// Config configures a Holder.
type Config struct {
	Store *store.Store
	Clock chat.Clock // nil: the system clock
	Log   *slog.Logger
	// Name is unique among all replicas, also earlier ones; "" draws one.
	Name string
}

// Holder holds the leases of one replica, and divides them with others while Run runs. A nil Holder is for the only
// process of a database, which runs the loops of all chats; adapters get no Leases then: Hold and Sure need a Holder.
type Holder struct {
	Config
	wake    loop.Waker
	beating chan struct{} // one beat at a time

	fenced  atomic.Int64
	doubted atomic.Bool // a change was refused: check the leases

	mu       sync.Mutex
	kinds    map[string]*kind
	have     map[string]*lease // held leases by name
	giving   []given           // to be given back
	renewed  time.Time         // begin of the last successful renewal
	turned   [Shares]time.Time // when each lease of chats was got or lost
	replicas int
	since    time.Time     // since when the number of replicas is the same
	changed  chan struct{} // closed and replaced at each change
	gained   []func()
}

var _ chat.Leases = (*Holder)(nil)

// kind is a kind of leases that this replica wants or holds: that of the chats until Yield.
type kind struct {
	n      int
	wanted map[int]int // users that wait for or hold each
}

// lease is a held lease.
type lease struct {
	store.Lease
	stop context.CancelFunc // ends its use; nil: not in use
}

// given is a lease that is given back, and kept from others for the pause.
type given struct {
	store.Lease
	pause time.Duration
}

// New returns a holder without leases.
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
	all := &kind{n: Shares, wanted: map[int]int{}}
	for i := range Shares {
		all.wanted[i] = 1
	}
	return &Holder{Config: c, wake: loop.NewWaker(), have: map[string]*lease{}, kinds: map[string]*kind{chats: all},
		beating: make(chan struct{}, 1), changed: make(chan struct{}), replicas: 1}
}

// Shared reports whether other replicas may work with the database.
func (h *Holder) Shared() bool { return h != nil }

// ShareOf returns the number of a chat's lease.
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
	return h.share(ShareOf(chat))
}

// share returns a lease of chats, and whether this replica holds it. The lock is held.
func (h *Holder) share(i int) (l store.Lease, held bool) {
	mine := h.have[nameOf(chats, i)]
	if mine == nil {
		return l, false
	}
	return mine.Lease, h.valid()
}

// Holds reports whether this replica holds the lease of a chat's loops.
func (h *Holder) Holds(chat string) bool {
	_, held := h.Share(chat)
	return held
}

// Chats returns a filter for the chats whose loops run here; nil means all.
func (h *Holder) Chats() func(chat string) bool {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count()[chats] == Shares {
		return nil
	}
	return h.Holds
}

// SinceOf returns since when this replica has held a lease of chats without a break, or false if it does not. The zero
// time means always.
func (h *Holder) SinceOf(share int) (since time.Time, held bool) {
	if h == nil {
		return since, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, held = h.share(share)
	return h.turned[share], held
}

// Gained registers a function that is called, at once and without a lock, when this replica gets further chats.
func (h *Holder) Gained(call func()) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gained = append(h.gained, call)
}

// Part implements chat.Leases.
func (h *Holder) Part(of chat.Chat) chat.Part {
	if h == nil {
		return chat.Part{Replicas: 1, Holds: true}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := chat.Part{Replicas: h.replicas, Since: h.since}
	if of == "" {
		return p
	}
	i := ShareOf(string(of))
	_, p.Holds = h.share(i)
	if h.turned[i].After(p.Since) {
		p.Since = h.turned[i]
	}
	return p
}

// Held returns how many leases this replica holds, by kind.
func (h *Holder) Held() map[string]int {
	if h == nil {
		return map[string]int{chats: Shares}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count()
}

// count is Held. The lock is held.
func (h *Holder) count() map[string]int {
	n := map[string]int{}
	if !h.valid() {
		return n
	}
	for name := range h.have {
		of, _, _ := parse(name)
		n[of]++
	}
	return n
}

// Fenced reports whether err means that the lease was lost, and counts it. The new holder finishes the work.
func (h *Holder) Fenced(err error) bool {
	if h == nil || !errors.Is(err, store.ErrFenced) {
		return false
	}
	h.fenced.Add(1)
	h.doubted.Store(true)
	h.wake.Wake()
	return true
}

// Refusals returns how many changes were refused because their lease was lost.
func (h *Holder) Refusals() int64 {
	if h == nil {
		return 0
	}
	return h.fenced.Load()
}

// valid reports whether the held leases are certain: renewed recently enough that no other replica can have taken them.
// The lock is held.
func (h *Holder) valid() bool {
	return !h.renewed.IsZero() && h.Clock.Now().Sub(h.renewed) < lasts/5*4
}

// Hints between replicas: there is work for the holder of a chat's lease.

// Hint tells the holder of a lease of chats what has changed.
type Hint struct {
	Share  int     `json:"share"`
	Tables []int64 `json:"tables,omitempty"` // with boards to draw
	Stood  int64   `json:"stood,omitempty"`  // since when the board pushed up by talk stood, in Unix milliseconds
	Wake   bool    `json:"wake,omitempty"`   // other loops have work
}

// hints is the prefix of hints.
const hints = "loops "

// String returns the text of the hint.
func (h Hint) String() string {
	text, _ := json.Marshal(h) // never fails: numbers and booleans
	return hints + string(text)
}

// ParseHint parses a hint; ok is false for another text.
func ParseHint(text string) (h Hint, ok bool) {
	rest, ok := strings.CutPrefix(text, hints)
	if !ok || json.Unmarshal([]byte(rest), &h) != nil || h.Share < 0 || h.Share >= Shares {
		return Hint{}, false
	}
	return h, true
}

// HintAt returns a hint for the replica that runs the loops of a chat; wanted is false if it is this one or the only
// one.
func (h *Holder) HintAt(chat string) (hint Hint, wanted bool) {
	if chat == "" || !h.Shared() || h.Holds(chat) {
		return Hint{}, false
	}
	return Hint{Share: ShareOf(chat)}, true
}
