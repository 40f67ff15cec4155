package postgres

// What transactions have read lately, so that the next one asks for all of it at once.

import (
	"slices"
	"sync"
)

const (
	// maxHabits is how many names are remembered; then all are forgotten.
	maxHabits = 4096
	// maxWanted is how many queries are remembered of a name.
	maxWanted = 32
	// maxUnread is how many transactions of a name in a row may not want a query before it is forgotten.
	// People at a table take turns, and what is read goes with whose turn it is.
	maxUnread = 6
)

// habits are what was read: by the kinds of transactions, as far as it follows from what is known of each before it
// reads, and the rest by their names.
type habits struct {
	mu     sync.Mutex
	shapes map[string]*shape
	met    int64 // how many transactions have been met
	of     map[string][]*query
}

// expected is what is known of a transaction before it reads.
type expected struct {
	kind, name string // "": nothing is expected
	values     arguments
}

// likely is what a transaction is going to read.
func (h *habits) likely(e expected) []*query {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(h.shapes[e.kind].likely(e.values), h.of[e.name]...)
}

// learn remembers what a transaction has wanted.
func (h *habits) learn(e expected, wanted []*query) {
	h.mu.Lock()
	defer h.mu.Unlock()
	wanted = once(wanted)
	rest := h.shape(e.kind).learn(e.values, wanted)
	had, known := h.of[e.name]
	if len(rest)+len(had) == 0 {
		return
	}
	if h.of == nil || !known && len(h.of) >= maxHabits {
		h.of = map[string][]*query{}
	}
	all := rest[:min(len(rest), maxWanted)]
	for _, q := range had {
		read := slices.ContainsFunc(wanted, func(w *query) bool { return w.key == q.key })
		if !read && len(all) < maxWanted && q.unread < maxUnread {
			all = append(all, &query{key: q.key, bound: q.bound, unread: q.unread + 1})
		}
	}
	if h.of[e.name] = all; len(all) == 0 {
		delete(h.of, e.name)
	}
}

// once returns queries each of which is there once.
func once(wanted []*query) []*query {
	known := make(map[queryKey]bool, len(wanted))
	return slices.DeleteFunc(wanted, func(q *query) bool {
		again := known[q.key]
		known[q.key] = true
		return again
	})
}

// shape returns that of a kind.
func (h *habits) shape(kind string) *shape {
	h.met++
	s := h.shapes[kind]
	if s == nil {
		if h.shapes == nil {
			h.shapes = map[string]*shape{}
		}
		if len(h.shapes) >= maxShapes {
			delete(h.shapes, h.longest())
		}
		s = &shape{}
		h.shapes[kind] = s
	}
	s.met = h.met
	return s
}

// longest is the kind that was not met for longest.
func (h *habits) longest() (kind string) {
	met := h.met
	for k, s := range h.shapes {
		if s.met < met {
			kind, met = k, s.met
		}
	}
	return kind
}

// forget forgets what those of a name have read, and what those of a kind have unless that is "".
func (h *habits) forget(kind, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.of, name)
	delete(h.shapes, kind)
}

// forgetAll forgets what all have read.
func (h *habits) forgetAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.of, h.shapes = nil, nil
}

// Expect is as of engine.Tx.
func (tx *Tx) Expect(kind, name string, values ...any) {
	if tx.expected.name != "" || kind == "" {
		return // it is known already what is to come
	}
	bound, err := bind(tx.on.convert, values)
	if err != nil {
		return // who asks for them hears of it
	}
	tx.expected = expected{kind, kind + " " + name, bound.kept()}
	for _, q := range tx.db.habits.likely(tx.expected) {
		tx.ask(q)
	}
}

// habit remembers what the transaction has read. After a failure, which may be that of a query that nobody has wanted,
// it forgets what the last ones have.
func (tx *Tx) habit() {
	switch {
	case tx.expected.name == "":
	case tx.failed == nil:
		tx.db.habits.learn(tx.expected, tx.wanted)
	case tx.unasked:
		tx.db.habits.forget(tx.expected.kind, tx.expected.name)
	default:
		tx.db.habits.forget("", tx.expected.name)
	}
}
