package web

import (
	"crypto/rand"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"knobel/bot/chat"
)

// The room: the feed of messages that every page shows.

// maxFeed is how many messages the feed keeps. The oldest go first; a board
// that went is posted anew when it changes.
const maxFeed = 60

// room is the feed of messages, newest last, and a count that grows with every change. A reader
// asks what has changed since a count, and gets a channel that closes at the next change: a slow
// reader misses steps, never the newest state.
type room struct {
	mu      sync.Mutex
	boot    string // tells this run from the ones before it
	posted  uint64
	count   uint64
	entries []entry
	calls   []call
	changed chan struct{}
}

// call is a notice for one person: it stands beside the feed.
type call struct {
	ref chat.Ref
	chat.Ping
}

// entry is one message of the feed.
type entry struct {
	ref     chat.Ref
	count   uint64 // the room's count at its last change
	message chat.Message
	retired bool
}

func newRoom() *room {
	return &room{boot: rand.Text()[:8], changed: make(chan struct{})}
}

// post adds a message and drops what was retired of the same table.
func (r *room) post(m chat.Message) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posted++
	ref := chat.Ref(fmt.Sprintf("web:%s-%d", r.boot, r.posted))
	if m.Table != 0 {
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
			return e.retired && e.message.Table == m.Table
		})
	}
	if len(r.entries) >= maxFeed {
		r.entries = slices.Delete(r.entries, 0, len(r.entries)-maxFeed+1)
	}
	r.entries = append(r.entries, entry{ref: ref, message: m})
	r.touch(len(r.entries) - 1)
	return ref
}

// edit replaces a message.
func (r *room) edit(ref chat.Ref, m chat.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		return fmt.Errorf("edit %s: %w", ref, chat.ErrGone)
	}
	if !r.entries[i].retired && reflect.DeepEqual(r.entries[i].message, m) {
		return nil
	}
	r.entries[i].message, r.entries[i].retired = m, false
	r.touch(i)
	return nil
}

// retire takes a message's buttons, and the message where its table has a
// newer one.
func (r *room) retire(ref chat.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		return
	}
	table := r.entries[i].message.Table
	newer := slices.ContainsFunc(r.entries[i+1:], func(e entry) bool {
		return table != 0 && e.message.Table == table
	})
	if newer {
		r.entries = slices.Delete(r.entries, i, i+1)
		r.touch(-1)
		return
	}
	r.entries[i].message.Buttons, r.entries[i].retired = nil, true
	r.touch(i)
}

// call puts a notice up.
func (r *room) call(s chat.Ping) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.posted++
	ref := chat.Ref(fmt.Sprintf("web:%s-call-%d", r.boot, r.posted))
	r.calls = append(r.calls, call{ref, s})
	r.touch(-1)
	return ref
}

// dismiss takes a notice down, if it is up.
func (r *room) dismiss(ref chat.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.calls)
	if r.calls = slices.DeleteFunc(r.calls, func(c call) bool { return c.ref == ref }); len(r.calls) < n {
		r.touch(-1)
	}
}

// called returns the notices that are up.
func (r *room) called() []call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// find returns a message of the feed.
func (r *room) find(ref chat.Ref) (chat.Message, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		return chat.Message{}, false
	}
	return r.entries[i].message, true
}

// names are how those are called who sit at a board of the feed.
func (r *room) names() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := map[string]bool{}
	for _, e := range r.entries {
		for _, p := range e.message.People {
			names[p.Name] = true
		}
	}
	return names
}

// since returns the refs of the whole feed, the entries that changed after a
// count, the count now, and a channel that closes with the next change. A
// count that this room has never reached is that of none.
func (r *room) since(count uint64) (all []chat.Ref, changed []entry, now uint64, next <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if count > r.count {
		count = 0
	}
	for _, e := range r.entries {
		all = append(all, e.ref)
		if e.count > count {
			changed = append(changed, e)
		}
	}
	return all, changed, r.count, r.changed
}

// index finds a message; the lock is held.
func (r *room) index(ref chat.Ref) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.ref == ref })
}

// touch counts a change, of entry i if that is not negative, and wakes those
// who follow; the lock is held.
func (r *room) touch(i int) {
	r.count++
	if i >= 0 {
		r.entries[i].count = r.count
	}
	close(r.changed)
	r.changed = make(chan struct{})
}
