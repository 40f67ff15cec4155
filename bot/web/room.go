package web

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// A room: the feed of messages that all its pages show.

// maxFeed is how many messages the feed keeps, the newest ones. A board that was dropped is posted again when it
// changes.
const maxFeed = 60

// maxPast is how many filed boards of finished tables the feed keeps (see file).
const maxPast = 5

// room is a feed of messages, newest last, with a count of changes. Readers request the changes since a count and get a
// channel that closes at the next change: a slow reader misses steps, never the newest state.
type room struct {
	chat  chat.Chat
	place chat.Place
	web   *Web
	salt  string // makes people's ids differ from other rooms'

	reading
	changing sync.Mutex // one change of the stored room at a time

	mu      sync.Mutex
	boot    string // random; differs in each run of the program
	posted  uint64
	count   uint64
	entries []entry
	calls   []call
	changed chan struct{}

	versions

	kept    storedRoom // the stored state; zero for the main room
	unsaved bool       // the host's last visit is not stored
	used    time.Time  // when the last request or message came
	company
	signs   []shownSign
	signed  uint64 // count of signs shown
	address string // under which the room was found, "" for the main room
	path    string // the newest path, "" if it has not changed
}

// line is a sentence of the room itself: Key is its key, so that each page shows it in its language, and Name the
// person in it.
type line struct {
	Key  string `json:"key,omitempty"`
	Name string `json:"name,omitempty"`
}

// entry is one message of the feed.
type entry struct {
	ref     chat.Ref
	count   uint64 // the room's count at its last change
	message chat.Message
	said    line      // a sentence in place of a message
	at      time.Time // of its last change or, if it is filed, of its table's end
	retired bool
	past    bool             // filed: the table ended before the room was opened, or before a newer one
	views   map[string]*view // drawings of this state of the board, by viewer
	open    chat.Opened      // the viewer's private page on the board; in a sight only

	number int64     // of an announcement, else 0
	stored bool      // the database has the message's name
	here   bool      // this replica draws it for all, or was the last to do so
	lag    int64     // the version last found stored but not drawn here ...
	since  time.Time // ... and when it was found
}

// newRoom returns a room without messages for the chat called name, which has one place of the same name.
func (w *Web) newRoom(name chat.Chat) *room {
	return &room{chat: name, place: chat.Place(name), web: w, boot: rand.Text()[:8], changed: make(chan struct{}),
		salt:     hex.EncodeToString(sign(w.config.Key, "here "+string(name))[:16]),
		versions: versions{said: map[int64]int64{}, puzzles: map[int64]int64{}},
		company:  company{here: map[string]*follower{}, elsewhere: map[string]follower{}, opened: map[onBoard]turned{}},
		used:     time.Now()}
}

// outdated reports whether m is the board of a finished table, and a board of a newer table is in the feed; the caller
// holds r.mu.
func (r *room) outdated(m chat.Message) bool {
	return m.Table != 0 && m.Record != 0 && r.newer(m.Table) >= 0
}

// fileEnded files boards of finished tables, which puts them in the order of their tables: outdated ones in the feed,
// and those in ended, unless the feed has a board of the same table. If that was filed before, it gets the time of the
// end.
func (r *room) fileEnded(ended []entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range slices.Clone(r.entries) {
		if !e.past && r.outdated(e.message) {
			r.drop(r.index(e.ref))
			r.file(e)
		}
	}
	for _, e := range ended {
		if i := r.last(e.message); i < 0 {
			e.ref = r.nextRef(e.message)
			r.file(e)
		} else if r.entries[i].past {
			r.entries[i].at = e.at
		}
	}
}

// file puts e, the board of a finished table, before the first newer table and removes its buttons; the caller holds
// r.mu. Only the newest maxPast are kept, and a full feed takes none at its top.
func (r *room) file(e entry) {
	i := r.newer(e.message.Table)
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
		return
	}
	if goes >= 0 {
		r.entries, i = slices.Delete(r.entries, goes, goes+1), i-1
	}
	e.message, e.retired, e.past = retired(e.message), true, true
	r.entries = slices.Insert(r.entries, i, e)
	r.touch(i)
}

// newer returns the index of the first message of a table newer than table, or -1; the caller holds r.mu.
func (r *room) newer(table int64) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.message.Table > table })
}

// drop removes message i from the feed; the caller holds r.mu.
func (r *room) drop(i int) {
	r.entries = slices.Delete(r.entries, i, i+1)
	r.touch(-1)
}

// unplayed reports whether m is the board of a table that was closed before any move.
func unplayed(m chat.Message) bool {
	return m.Table != 0 && !m.Live && m.Record == 0 && m.Turn == 0 &&
		!slices.ContainsFunc(m.People, func(p chat.Person) bool { return p.State != games.Out })
}

// post shows m and returns its name: in place of the board of the same table that another replica has shown, unless m
// has to be a new message; else at the bottom of the feed.
func (r *room) post(m chat.Message) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	i, e := r.last(m), entry{message: m, stored: true, here: true}
	if i < 0 || m.Version == 0 || m.Silent && m.Puzzle == 0 && r.entries[i].stored {
		i, e.ref = -1, r.nextRef(m)
	} else {
		e.ref = r.entries[i].ref
	}
	r.put(i, e)
	return e.ref
}

// put shows e.message for all in place of entry i, unless that has a newer version; e.ref is the name in the database.
// For a negative i it adds e, and drops retired entries of its table and older unplayed tables; the board of a finished
// table is filed if the feed has one of a newer table. The caller holds r.mu.
func (r *room) put(i int, e entry) {
	table, version := e.message.Table, e.message.Version
	if i >= 0 {
		old := &r.entries[i]
		if old.ref != e.ref && !old.past && r.index(e.ref) < 0 {
			old.ref = e.ref
			r.touch(i)
		}
		old.stored, old.here = old.stored || e.stored, e.here
		if version > old.message.Version || e.here && (version == 0 || version == old.message.Version) {
			r.redraw(i, e.message)
		}
		return
	}
	r.newest = max(r.newest, table)
	if table != 0 {
		r.entries = slices.DeleteFunc(r.entries, func(old entry) bool {
			lobby := old.message.Table != 0 && old.message.Turn == 0 && old.retired && !old.past
			return old.retired && old.message.Table == table ||
				old.message.Table < table && (lobby || unplayed(old.message))
		})
	}
	if r.outdated(e.message) {
		e.at = time.Now()
		r.file(e)
	} else {
		r.add(e)
	}
}

// ownRef returns a new name for a message posted on this replica; the caller holds r.mu.
func (r *room) ownRef() chat.Ref {
	r.posted++
	return chat.Ref(fmt.Sprintf("web:%s-%d", r.boot, r.posted))
}

// add appends e to the feed, and drops the oldest entry of a full one; the caller holds r.mu.
func (r *room) add(e entry) {
	if len(r.entries) >= maxFeed {
		r.entries = slices.Delete(r.entries, 0, len(r.entries)-maxFeed+1)
	}
	r.entries = append(r.entries, e)
	r.touch(len(r.entries) - 1)
}

// edit replaces the message ref by m, or returns chat.ErrGone. A filed board of a finished table keeps its place and
// has no buttons. Views are redrawn even if m is unchanged, because a page may have drawn a pick that was undone since.
func (r *room) edit(ref chat.Ref, m chat.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	i := r.index(ref)
	if last := r.last(m); i < 0 && last >= 0 && (m.Version > 0 || r.entries[last].past) {
		i = last // but not a running board by a message without a version
	}
	if i < 0 && m.Version == 0 {
		return fmt.Errorf("edit %s: %w", ref, chat.ErrGone)
	}
	r.put(i, entry{ref: ref, message: m, stored: true, here: true}) // another replica may have posted it
	return nil
}

// redraw replaces the message of entry i by m, unless both are the same and no page has drawn its own view. The board
// of an unplayed table is dropped if a newer table has one. The caller holds r.mu.
func (r *room) redraw(i int, m chat.Message) {
	e := &r.entries[i]
	if e.past {
		m = retired(m)
	}
	version := m.Version
	if m.Version = e.message.Version; e.retired == e.past && len(e.views) == 0 && reflect.DeepEqual(e.message, m) {
		e.message.Version = version
		return
	}
	m.Version = version
	if unplayed(m) && r.newer(m.Table) >= 0 {
		r.drop(i)
		return
	}
	e.message, e.retired = m, e.past
	r.touch(i)
}

// retire removes the notice ref; or the buttons of message ref, and the whole message if its table has a newer one, or
// if it is unplayed and a newer table has one.
func (r *room) retire(ref chat.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.calls)
	if r.calls = slices.DeleteFunc(r.calls, func(c call) bool { return c.ref == ref }); len(r.calls) < n {
		r.touch(-1)
	}
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

// index returns the index of message ref, or -1; the caller holds r.mu.
func (r *room) index(ref chat.Ref) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.ref == ref })
}

// touch records a change of the room and wakes the streams. Unless i is negative, it marks entry i as changed and drops
// its views, except those that came with the message. The caller holds r.mu.
func (r *room) touch(i int) {
	r.count++
	if i >= 0 {
		e := &r.entries[i]
		e.count, e.views = r.count, map[string]*view{}
		if !e.past {
			e.at = time.Now()
		}
		for _, came := range e.message.Views {
			if e.retired {
				came.Message = retired(came.Message)
			}
			e.views[fmt.Sprint(came.By)] = &view{by: came.By, message: came.Message, drawn: true}
		}
		e.message.Views = nil
	}
	r.wake()
}

// wake wakes the event streams of open pages, which read the room again; the caller holds r.mu.
func (r *room) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// entered is the room to which a request was routed.
type entered struct {
	room *room
	base string // prefix of the room's addresses
}

type enteredKey struct{}

// baseOf returns the prefix of the addresses of the room of r: "" for the main room.
func baseOf(r *http.Request) string {
	e, _ := r.Context().Value(enteredKey{}).(entered)
	return e.base
}

// pageBelow returns the path of a room's page; base is the prefix of the room's addresses, "" for the main room.
func pageBelow(base string) string { return cmp.Or(base, "/table") }
