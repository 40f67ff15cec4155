package postgres

// What transactions of one name have read lately, so that the next one asks for all of it at once.

import "sync"

const (
	// maxHabits is how many names are remembered; then all are forgotten.
	maxHabits = 4096
	// maxWanted is how many queries are remembered of a name.
	maxWanted = 32
	// maxUnread is how many transactions of a name in a row may not want a query before it is forgotten. People at a
	// table take turns, and what is read goes with whose turn it is.
	maxUnread = 6
)

// habits are what was read, by the names of transactions.
type habits struct {
	mu sync.Mutex
	of map[string][]*query
}

// likely is what a transaction of a name is going to read.
func (h *habits) likely(name string) []*query {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.of[name]
}

// learn remembers what a transaction of a name has wanted.
func (h *habits) learn(name string, wanted []*query) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.of[name]; h.of == nil || !known && len(h.of) >= maxHabits {
		h.of = map[string][]*query{}
	}
	var all []*query
	known := map[queryKey]bool{}
	for _, q := range wanted {
		if !known[q.key] && len(all) < maxWanted {
			known[q.key] = true
			all = append(all, q)
		}
	}
	for _, q := range h.of[name] {
		if !known[q.key] && len(all) < maxWanted && q.unread < maxUnread {
			known[q.key] = true
			all = append(all, &query{key: q.key, bound: q.bound, unread: q.unread + 1})
		}
	}
	h.of[name] = all
}

// forget forgets a name, or with "" all of them.
func (h *habits) forget(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if name == "" {
		h.of = nil
		return
	}
	delete(h.of, name)
}

// Expect is as of engine.Tx.
func (tx *Tx) Expect(name string) {
	if tx.name != "" || name == "" {
		return // it is known already what is to come
	}
	tx.name = name
	for _, q := range tx.db.habits.likely(name) {
		tx.ask(q)
	}
}

// habit remembers what the transaction has read. After a failure, which may be that of a query that nobody has wanted,
// it forgets what the last ones have.
func (tx *Tx) habit() {
	switch {
	case tx.name == "":
	case tx.failed != nil:
		tx.db.habits.forget(tx.name)
	default:
		tx.db.habits.learn(tx.name, tx.wanted)
	}
}
