// Package lease divides work among the replicas of the bot that use one database: the background loops of chats, the
// connections to platforms, and tasks that one replica at a time may do.
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

// Shares is the number of leases among which the chats are divided: each chat belongs to one of them, and the replica
// that holds it runs all background loops of the chat.
const Shares = 64

// chats is the kind of the leases that divide the chats.
const chats = "chats"

const (
	// lasts is the duration of a lease without renewal. Together with lookEvery it is short enough that the leases of a
	// dead replica are taken over within ten seconds.
	lasts = 9500 * time.Millisecond
	// lookEvery is the interval at which a replica reads all leases, so that it takes free ones within a second.
	lookEvery = 500 * time.Millisecond
	// forgottenAfter is how long after its end the lease of a replica that took part is deleted.
	forgottenAfter = time.Hour
)

// Config configures a Holder.
type Config struct {
	Store *store.Store
	Clock chat.Clock // nil: the system's clock
	Log   *slog.Logger
	// Name is the name of this replica. It differs from those of all other replicas, earlier ones included; "": random.
	Name string
}

// Holder holds the leases of this replica, and shares all leases evenly with other replicas while Run runs. A nil
// Holder is for a process that uses the database alone: it holds the leases of all chats for ever. Its methods Hold and
// Sure, which adapters of platforms use, must not be called then.
type Holder struct {
	Config
	wake    loop.Waker
	beating chan struct{} // a lock: one change of leases at a time

	fenced  atomic.Int64 // how many changes were refused because their lease was lost
	doubted atomic.Bool  // a change was refused since its lease was lost: renew at once

	mu        sync.Mutex
	kinds     map[string]*kind
	held      map[string]*lease // held leases by name
	returning []dueReturn       // the queue of leases to be returned
	renewed   time.Time         // when the last successful renewal began
	changedAt [Shares]time.Time // when each lease of chats was last got or lost
	replicas  int               // how many replicas take part, this one included
	since     time.Time         // when the number of replicas last changed
	changed   chan struct{}     // closed and replaced after each renewal
	gained    []func()          // the functions registered by Gained
}

var _ chat.Leases = (*Holder)(nil)

// kind is a kind of leases that this replica wants or holds. The kind chats is wanted until Yield.
type kind struct {
	n      int         // the number of leases of this kind
	wanted map[int]int // how many callers wait for or use each lease, by number
}

// lease is a held lease.
type lease struct {
	store.Lease
	stop context.CancelFunc // ends the context of its user; nil: not in use
}

// dueReturn is a lease to be returned, and the pause for which no replica can take it then.
type dueReturn struct {
	store.Lease
	pause time.Duration
}

// New returns a Holder without leases. Start or Run takes them.
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
	return &Holder{Config: c, wake: loop.NewWaker(), held: map[string]*lease{}, kinds: map[string]*kind{chats: all},
		beating: make(chan struct{}, 1), changed: make(chan struct{}), replicas: 1}
}

// Shared reports whether other replicas may use the database: h is not nil.
func (h *Holder) Shared() bool { return h != nil }

// ShareOf returns the number of the lease that chat belongs to, from 0 to Shares-1.
func ShareOf(chat string) int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(chat))
	return int(sum.Sum32() % Shares)
}

// Share returns the lease l that chat belongs to. held reports whether this replica certainly holds it. For a nil
// Holder l is the zero lease and held is true.
func (h *Holder) Share(chat string) (l store.Lease, held bool) {
	if h == nil {
		return store.Lease{}, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.share(ShareOf(chat))
}

// share returns lease i of chats. held reports whether this replica certainly holds it. The caller holds h.mu.
func (h *Holder) share(i int) (l store.Lease, held bool) {
	mine := h.held[leaseName(chats, i)]
	if mine == nil {
		return l, false
	}
	return mine.Lease, h.isCertain()
}

// Holds reports whether this replica certainly holds the lease that chat belongs to.
func (h *Holder) Holds(chat string) bool {
	_, held := h.Share(chat)
	return held
}

// Chats returns a function that reports whether this replica runs the loops of a chat; nil: it runs those of all.
func (h *Holder) Chats() func(chat string) bool {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.countHeld()[chats] == Shares {
		return nil
	}
	return h.Holds
}

// SinceOf returns since when this replica has held the lease number share of chats without a break, and whether it
// holds it. The zero time means always: h is nil.
func (h *Holder) SinceOf(share int) (since time.Time, held bool) {
	if h == nil {
		return since, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, held = h.share(share)
	return h.changedAt[share], held
}

// Gained has call called, without a lock, each time this replica gets further chats. A nil Holder never calls it.
func (h *Holder) Gained(call func()) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gained = append(h.gained, call)
}

// Part returns the number of replicas, whether this one holds the lease of the chat id, and when either last changed.
// For the id "" it returns only the number and when that last changed.
func (h *Holder) Part(id chat.Chat) chat.Part {
	if h == nil {
		return chat.Part{Replicas: 1, Holds: true}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := chat.Part{Replicas: h.replicas, Since: h.since}
	if id == "" {
		return p
	}
	i := ShareOf(string(id))
	_, p.Holds = h.share(i)
	if h.changedAt[i].After(p.Since) {
		p.Since = h.changedAt[i]
	}
	return p
}

// Held returns the numbers of leases that this replica certainly holds, by kind.
func (h *Holder) Held() map[string]int {
	if h == nil {
		return map[string]int{chats: Shares}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.countHeld()
}

// countHeld is Held for callers that hold h.mu. h must not be nil.
func (h *Holder) countHeld() map[string]int {
	n := map[string]int{}
	if !h.isCertain() {
		return n
	}
	for name := range h.held {
		kindName, _, _ := parseName(name)
		n[kindName]++
	}
	return n
}

// Fenced reports whether err is store.ErrFenced: the change was refused because this replica has lost the lease, and
// the new holder does the work. It counts such errors and makes Run check the leases at once.
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

// isCertain reports whether the leases were renewed so recently that no other replica can have taken them. The caller
// holds h.mu.
func (h *Holder) isCertain() bool {
	return !h.renewed.IsZero() && h.Clock.Now().Sub(h.renewed) < lasts/5*4
}

// Hints to the replica that holds the lease of a chat.

// Hint is a message to the replica that holds lease number Share of chats: there is work in one of these chats. If many
// messages have come below a board, it asks to post that board again.
type Hint struct {
	Share  int     `json:"share"`
	Tables []int64 `json:"tables,omitempty"` // the tables whose boards have to be drawn
	Stood  int64   `json:"stood,omitempty"`  // when the board to post again was posted, in Unix milliseconds; 0: none
	Wake   bool    `json:"wake,omitempty"`   // other loops have work
}

// hints is the prefix that distinguishes the texts of these hints from others.
const hints = "loops "

// String returns the hint as text for ParseHint.
func (h Hint) String() string {
	text, _ := json.Marshal(h) // never fails: numbers and booleans
	return hints + string(text)
}

// ParseHint returns the hint of a text that String has made. ok is false for any other text.
func ParseHint(text string) (h Hint, ok bool) {
	rest, ok := strings.CutPrefix(text, hints)
	if !ok || json.Unmarshal([]byte(rest), &h) != nil || h.Share < 0 || h.Share >= Shares {
		return Hint{}, false
	}
	return h, true
}

// HintAt returns a hint without work for the replica that runs the loops of chat. other reports whether that is another
// replica; it is false, too, if chat is "" or h is nil.
func (h *Holder) HintAt(chat string) (hint Hint, other bool) {
	if chat == "" || !h.Shared() || h.Holds(chat) {
		return Hint{}, false
	}
	return Hint{Share: ShareOf(chat)}, true
}
