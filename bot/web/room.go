package web

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/games"
)

// A room: the feed of messages that every page of it shows.

// maxFeed is how many messages the feed keeps. The oldest go first; a board
// that went is posted anew when it changes.
const maxFeed = 60

// maxPast is how many finished tables of before are shown in a room that is opened.
const maxPast = 5

// room is the feed of messages, newest last, and a count that grows with every change. A reader
// asks what has changed since a count, and gets a channel that closes at the next change: a slow
// reader misses steps, never the newest state.
type room struct {
	chat  chat.Chat
	place chat.Place

	changing sync.Mutex // for one who changes what is kept at a time
	drawing  sync.Mutex
	isDrawn  bool // the newest board stands in the feed, if there is one

	mu      sync.Mutex
	boot    string // tells this run from the ones before it
	posted  uint64
	count   uint64
	entries []entry
	calls   []call
	changed chan struct{}

	kept    replica.Room // what is stored of it; of the room that is always there nothing is
	unsaved bool         // that the host was seen is not stored
	used    time.Time    // when anybody last asked for anything, or anything was posted
	here    map[string]*follower
	signs   []shownSign
	signed  uint64 // how many signs were shown
	path    string // the newest, if it was

	shared *shared // what it has of other replicas, nil: there are none
}

// line is a sentence of the room itself, which each page reads in its own language.
type line struct {
	Key  string `json:"key,omitempty"`
	Name string `json:"name,omitempty"`
}

// entry is one message of the feed.
type entry struct {
	ref     chat.Ref
	count   uint64 // the room's count at its last change
	message chat.Message
	said    line      // instead of a message
	at      time.Time // of its last change
	retired bool
	past    bool   // the table had ended before the room was opened, or a newer one
	views   *views // as pages have seen it since then
	origin         // where it comes from, in a room that replicas share
}

// newRoom is a room without messages. It is a chat with one place, of the same name.
func newRoom(name chat.Chat) *room {
	return &room{chat: name, place: chat.Place(name), boot: rand.Text()[:8], changed: make(chan struct{}),
		here: map[string]*follower{}, used: time.Now()}
}

// remembers puts the board of a table that has ended among those of tables before and after it, unless one of it is
// there.
func (r *room) remembers(m chat.Message, ended time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.ContainsFunc(r.entries, func(e entry) bool { return e.message.Table == m.Table }) {
		r.file(m, r.nextRef(m), ended)
	}
}

// file puts the board of a table that has ended before that of the first newer table; the lock is held. Of those that
// are filed only the newest few are kept, and in a feed that is full there is no room before all else.
func (r *room) file(m chat.Message, ref chat.Ref, ended time.Time) chat.Ref {
	i := r.newer(m.Table)
	if i < 0 {
		i = len(r.entries)
	}
	var filed []int
	for k, e := range r.entries {
		if e.past {
			filed = append(filed, k)
		}
	}
	goes := -1
	if len(filed) >= maxPast {
		goes = filed[0]
	} else if len(r.entries) >= maxFeed {
		goes = 0
	}
	if goes >= i {
		return ref
	}
	if goes >= 0 {
		r.entries, i = slices.Delete(r.entries, goes, goes+1), i-1
	}
	r.entries = slices.Insert(r.entries, i, entry{ref: ref, message: retired(m), retired: true, past: true})
	r.touch(i)
	r.entries[i].at = ended
	return ref
}

// newer is where the first message of a newer table than this stands, -1: there is none; the lock is held.
func (r *room) newer(table int64) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.message.Table > table })
}

// drop takes a message out of the feed; the lock is held.
func (r *room) drop(i int) {
	r.entries = slices.Delete(r.entries, i, i+1)
	r.touch(-1)
}

// unplayed reports whether a message is the board of a table that was closed before anything was played.
func unplayed(m chat.Message) bool {
	return m.Table != 0 && !m.Live && m.Record == 0 && m.Turn == 0 &&
		!slices.ContainsFunc(m.People, func(p chat.Person) bool { return p.State != games.Out })
}

// post adds a message and drops what was retired of the same table, and older tables at which nothing was played. The
// board of a table that is over is filed where a newer table has one.
func (r *room) post(m chat.Message) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	if ref, done := r.overdraws(m); done {
		return ref
	}
	ref := r.puts(m, r.nextRef(m))
	r.drawsHere(ref)
	return ref
}

// puts is post under a name; the lock is held.
func (r *room) puts(m chat.Message, ref chat.Ref) chat.Ref {
	if r.shared != nil {
		r.shared.newest = max(r.shared.newest, m.Table)
	}
	if m.Table != 0 {
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
			lobby := e.message.Table != 0 && e.message.Turn == 0 && e.retired && !e.past
			return e.retired && e.message.Table == m.Table ||
				e.message.Table < m.Table && (lobby || unplayed(e.message))
		})
	}
	if m.Table != 0 && m.Record != 0 && r.newer(m.Table) >= 0 {
		return r.file(m, ref, r.used)
	}
	r.add(entry{ref: ref, message: m})
	return ref
}

// ownRef is a name for what is posted here; the lock is held.
func (r *room) ownRef() chat.Ref {
	r.posted++
	return chat.Ref(fmt.Sprintf("web:%s-%d", r.boot, r.posted))
}

// add puts an entry at the end of the feed; the lock is held.
func (r *room) add(e entry) {
	if len(r.entries) >= maxFeed {
		r.entries = slices.Delete(r.entries, 0, len(r.entries)-maxFeed+1)
	}
	r.entries = append(r.entries, e)
	r.touch(len(r.entries) - 1)
}

// edit replaces a message, or the board of a finished table that was filed, which is known by another message. That one
// stays without buttons, and where it is. Pages draw a board when they are told of it, and may have drawn what was
// picked after it and has been put back since: what they have seen is drawn anew, also where the message is as it was.
func (r *room) edit(ref chat.Ref, m chat.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		i = slices.IndexFunc(r.entries, func(e entry) bool { return e.past && e.message.Table == m.Table })
	}
	if r.shared != nil && m.Version > 0 {
		if i = r.adopts(i, ref, m); i < 0 {
			return nil
		}
	}
	if i < 0 {
		return fmt.Errorf("edit %s: %w", ref, chat.ErrGone)
	}
	r.redraw(i, m)
	return nil
}

// redraw draws a message over one in the feed; the lock is held.
func (r *room) redraw(i int, m chat.Message) {
	e := &r.entries[i]
	if e.past {
		m = retired(m)
	}
	version := m.Version
	if m.Version = e.message.Version; e.retired == e.past && !e.views.any() && reflect.DeepEqual(e.message, m) {
		e.message.Version = version
		return
	}
	m.Version = version
	if unplayed(m) && r.newer(m.Table) >= 0 {
		r.drop(i)
		return
	}
	ended := e.at
	e.message, e.retired = m, e.past
	if r.touch(i); e.past {
		e.at = ended
	}
}

// retire takes a message's buttons, and the message where its table has a newer one, or a newer table has one and
// nothing was played.
func (r *room) retire(ref chat.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		return
	}
	table, turn := r.entries[i].message.Table, r.entries[i].message.Turn
	newer := slices.ContainsFunc(r.entries[i+1:], func(e entry) bool {
		return table != 0 && (e.message.Table == table || e.message.Table > table && turn == 0)
	})
	if newer {
		r.drop(i)
		return
	}
	r.entries[i].message.Buttons, r.entries[i].message.Steps, r.entries[i].retired = nil, nil, true
	r.touch(i)
}

// find returns an entry of the feed.
func (r *room) find(ref chat.Ref) (entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := r.index(ref)
	if i < 0 {
		return entry{}, false
	}
	return r.entries[i], true
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
// count that this room has never reached is that of none. Where there are
// any in has, only these are known, and others count as changed.
func (r *room) since(count uint64, has ...chat.Ref) (all []chat.Ref, changed []entry, now uint64,
	next <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if count > r.count {
		count = 0
	}
	for _, e := range r.entries {
		all = append(all, e.ref)
		if e.count > count || len(has) > 0 && !slices.Contains(has, e.ref) {
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
		e := &r.entries[i]
		e.count, e.at, e.views = r.count, time.Now(), newViews(e.message.Views, e.retired)
		e.message.Views = nil
	}
	r.wake()
}

// wake wakes those who follow; the lock is held.
func (r *room) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// entered is what a request knows of its room.
type entered struct {
	room *room
	base string // what the room's addresses begin with
}

type enteredKey struct{}

// baseOf returns what the addresses of the room of a request begin with: "" for the one that is
// always there.
func baseOf(r *http.Request) string {
	e, _ := r.Context().Value(enteredKey{}).(entered)
	return e.base
}

// pageBelow is the path of the page of the room whose addresses begin with a base.
func pageBelow(base string) string {
	if base == "" {
		return "/table"
	}
	return base
}
