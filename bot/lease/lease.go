// Package lease divides work among the replicas of the bot that use one database. A lease lets one replica, for a
// limited time, run the background loops of some chats or a connection to a platform, or do some other task.
package lease

import (
	"cmp"
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

// Shares is the number of leases among which the chats are divided. Each chat belongs to one of these leases, and the
// replica that holds it runs all background loops of the chat.
const Shares = 64

// chats is the name of the kind of leases among which the chats are divided.
const chats = "chats"

const (
	// lasts is how long a lease is valid after its last renewal. With lookEvery this is short enough that other
	// replicas take over the leases of a dead replica within ten seconds.
	lasts = 9500 * time.Millisecond
	// lookEvery is the interval at which a replica reads all leases. It thus takes a free lease within a second.
	lookEvery = 500 * time.Millisecond
	// forgottenAfter is how long after the end of a replica the lease that showed its presence is deleted.
	forgottenAfter = time.Hour
)

// Config configures a Holder.
type Config struct {
	Store *store.Store
	Clock chat.Clock // nil: the system's clock
	Log   *slog.Logger
	// Name is the name of this replica, which no other replica has or had before; "": a random name.
	Name string
}

// Holder holds the leases of this replica. While Run runs, the replicas share all leases evenly. A nil Holder is for a
// process with exclusive access: it holds the leases of all chats for ever. The methods Hold and Sure, which
// connections to platforms use, must not be called on a nil Holder.
type Holder struct {
	Config
	wake    loop.Waker
	beating chan struct{} // a lock: one change of leases at a time

	fenced  atomic.Int64 // how many changes were refused because their lease was lost
	doubted atomic.Bool  // a change was refused because its lease was lost: renew at once

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

// kind describes a kind of leases, such as the leases of chats, and which of them this replica wants.
type kind struct {
	n      int         // the number of leases of this kind
	wanted map[int]int // how many callers wait for or use each lease, by number
}

// lease is a lease that this replica holds.
type lease struct {
	store.Lease
	stop context.CancelFunc // ends the context of its user; nil: not in use
}

// dueReturn is a lease that has to be released. No replica can take it again for the duration pause.
type dueReturn struct {
	store.Lease
	pause time.Duration
}

// New returns a Holder that does not hold any leases yet: Start and Run take them.
func New(c Config) *Holder {
	c.Clock = cmp.Or[chat.Clock](c.Clock, chat.SystemClock{})
	c.Log = cmp.Or(c.Log, slog.Default())
	c.Name = cmp.Or(c.Name, rand.Text())
	all := &kind{n: Shares, wanted: map[int]int{}}
	for i := range Shares {
		all.wanted[i] = 1
	}
	return &Holder{Config: c, wake: loop.NewWaker(), held: map[string]*lease{}, kinds: map[string]*kind{chats: all},
		beating: make(chan struct{}, 1), changed: make(chan struct{}), replicas: 1}
}

// Shared reports whether other replicas may use the database, too: h is not nil.
func (h *Holder) Shared() bool { return h != nil }

// ShareOf returns the number, from 0 to Shares-1, of the lease to which chat belongs.
func ShareOf(chat string) int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(chat))
	return int(sum.Sum32() % Shares)
}

// Share returns the lease l to which chat belongs. held reports whether this replica certainly holds l. For a nil
// Holder l is the zero lease and held is true.
func (h *Holder) Share(chat string) (l store.Lease, held bool) {
	if h == nil {
		return store.Lease{}, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.share(ShareOf(chat))
}

// share returns l, lease i of chats. held reports whether this replica certainly holds l. The caller holds h.mu.
func (h *Holder) share(i int) (l store.Lease, held bool) {
	mine := h.held[leaseName(chats, i)]
	if mine == nil {
		return l, false
	}
	return mine.Lease, h.isCertain()
}

// Holds reports whether this replica certainly holds the lease to which chat belongs.
func (h *Holder) Holds(chat string) bool {
	_, held := h.Share(chat)
	return held
}

// Chats returns a function that reports whether this replica runs the loops of a chat, or nil if it runs those of all.
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

// SinceOf reports, as held, whether this replica holds the lease of chats with the number share, and the time at which
// held last changed. A nil Holder has held it since the zero time.
func (h *Holder) SinceOf(share int) (since time.Time, held bool) {
	if h == nil {
		return since, true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, held = h.share(share)
	return h.changedAt[share], held
}

// Gained registers call, which is then called, with h.mu unlocked, each time this replica has got leases of further
// chats. A nil Holder never calls it.
func (h *Holder) Gained(call func()) {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gained = append(h.gained, call)
}

// Part returns the number of replicas, whether this replica holds the lease of the chat id, and the time at which one
// of these two last changed. For the id "" it returns only the number, and the time at which that last changed.
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

// Held returns how many leases of each kind this replica certainly holds.
func (h *Holder) Held() map[string]int {
	if h == nil {
		return map[string]int{chats: Shares}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.countHeld()
}

// countHeld returns the number of held leases by name of their kind. The caller holds h.mu, and h must not be nil.
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

// Fenced reports whether err is store.ErrFenced: the database has refused a change because another replica has got the
// lease for that work. Fenced counts such errors, and makes Run renew the leases at once.
func (h *Holder) Fenced(err error) bool {
	if h == nil || !errors.Is(err, store.ErrFenced) {
		return false
	}
	h.fenced.Add(1)
	h.doubted.Store(true)
	h.wake.Wake()
	return true
}

// Refusals returns how many changes the database has refused because this replica had lost the lease for them.
func (h *Holder) Refusals() int64 {
	if h == nil {
		return 0
	}
	return h.fenced.Load()
}

// isCertain reports whether the last renewal is so recent that no other replica can have taken a held lease. The caller
// holds h.mu.
func (h *Holder) isCertain() bool {
	return !h.renewed.IsZero() && h.Clock.Now().Sub(h.renewed) < lasts/5*4
}

// Hints to the replica that holds the lease of a chat.

// Hint is a message to the replica that holds lease number Share of the kind chats: one of these chats has work. If
// many messages have come below a board, it asks to post that board again.
type Hint struct {
	Share  int     `json:"share"`
	Tables []int64 `json:"tables,omitempty"` // the tables whose boards have to be drawn
	Stood  int64   `json:"stood,omitempty"`  // when the board to post again was posted, in Unix milliseconds; 0: none
	Wake   bool    `json:"wake,omitempty"`   // loops other than the drawing of boards have work
}

// hints begins the text of each Hint, so that ParseHint can recognize it.
const hints = "loops "

// String returns the hint as a text, which ParseHint can read.
func (h Hint) String() string {
	text, _ := json.Marshal(h) // never fails: numbers and booleans
	return hints + string(text)
}

// ParseHint returns the hint that String has written as text. ok is false for any other text.
func ParseHint(text string) (h Hint, ok bool) {
	rest, ok := strings.CutPrefix(text, hints)
	if !ok || json.Unmarshal([]byte(rest), &h) != nil || h.Share < 0 || h.Share >= Shares {
		return Hint{}, false
	}
	return h, true
}

// HintAt returns a hint to the replica that runs the loops of chat; the caller still has to add the work. other reports
// whether that is another replica. It is false, too, if chat is "" or h is nil.
func (h *Holder) HintAt(chat string) (hint Hint, other bool) {
	if chat == "" || !h.Shared() || h.Holds(chat) {
		return Hint{}, false
	}
	return Hint{Share: ShareOf(chat)}, true
}
