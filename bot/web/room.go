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

// A room: the list of messages (the feed) that all its pages show.

// maxFeed is how many messages a room keeps, the newest ones. A dropped board is posted again when it changes.
const maxFeed = 60

// maxPast is how many boards of ended tables a room keeps among newer messages; older ones are dropped.
const maxPast = 5

// room is a chat in the browser, or a place of another platform that embedded pages show: its messages, newest last,
// and a count of changes. A page asks for the changes after a count, and waits on a channel that closes at the next
// change: a slow page misses older states, never the newest.
type room struct {
	chat  chat.Chat
	place chat.Place
	web   *Web
	salt  string // makes ids of people differ between rooms

	syncState
	changing sync.Mutex // held while the stored room is changed

	mu      sync.Mutex
	boot    string // random; new each time the program starts
	posted  uint64 // ids drawn for messages and notices so far
	count   uint64 // changes so far; a page names the last one that it has
	entries []entry
	calls   []call
	changed chan struct{} // closed at the next change

	versions

	state   storedRoom // from the database; zero for the main room
	unsaved bool       // the host's last visit is not in the database yet
	used    time.Time  // when the last request or message came
	company
	talk
	signs   []shownSign
	signed  uint64 // signs (reactions) shown so far
	address string // by which the room was found, "" for the main room
	path    string // the new path, "" until the address changes
}

// line is a sentence of the room itself: its key, because pages differ in language, and the name of the person in it.
type line struct {
	Key  string `json:"key,omitempty"`
	Name string `json:"name,omitempty"`
}

// entry is one message of a room.
type entry struct {
	ref      chat.Ref
	count    uint64 // the room's count at its last change
	message  chat.Message
	sentence line             // a sentence of the room, in place of message
	at       time.Time        // of the last change; if past, of the end of the table
	retired  bool             // its buttons were removed
	past     bool             // the table ended before the room was opened, or the board was added above a newer table
	views    map[string]*view // drawings for viewers, by the text of chat.Viewer
	open     chat.Opened      // the viewer's private page on the board; only in a snapshot

	number        int64     // of an announcement in the database, else 0
	stored        bool      // the database has the message's id
	drawnHere     bool      // this replica draws it for all, or was the last to do so
	missedVersion int64     // the last stored version that is not drawn here
	missedSince   time.Time // when missedVersion was found
}

// newRoom returns a room without messages for the chat name. The room is the chat's only place, with the same id.
func (w *Web) newRoom(name chat.Chat) *room { return w.newRoomAt(name, chat.Place(name)) }

// newRoomAt returns a room without messages for a place of the chat name.
func (w *Web) newRoomAt(name chat.Chat, place chat.Place) *room {
	return &room{chat: name, place: place, web: w, boot: rand.Text()[:8], changed: make(chan struct{}),
		salt:     hex.EncodeToString(sign(w.config.Key, "here "+string(place))[:16]),
		versions: versions{announcements: map[int64]int64{}, closedPuzzles: map[int64]int64{}},
		company: company{embeds: !ofBrowser(place), here: map[string]*follower{}, elsewhere: map[string]follower{},
			opened: map[pageKey]openedPage{}},
		talk: talk{talked: 1}, used: time.Now()}
}

// isOutdated reports whether m is the board of an ended table and the room shows a newer table. The caller holds r.mu.
func (r *room) isOutdated(m chat.Message) bool {
	return m.Table != 0 && m.Record != 0 && r.indexNewer(m.Table) >= 0
}

// addFinished puts boards of ended tables in the order of their tables, without buttons. It moves the outdated boards
// of the room, and adds those boards in ended whose table has no message yet. Of a board in ended whose table has a
// past message, it only copies the time (when the table ended) to that message.
func (r *room) addFinished(ended []entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range slices.Clone(r.entries) {
		if !e.past && r.isOutdated(e.message) {
			r.drop(r.indexOf(e.ref))
			r.addPast(e)
		}
	}
	for _, e := range ended {
		if i := r.lastIndex(e.message); i < 0 {
			e.ref = r.refFor(e.message)
			r.addPast(e)
		} else if r.entries[i].past {
			r.entries[i].at = e.at
		}
	}
}

// addPast inserts e, the board of an ended table, above the first message about a newer table, and removes its buttons.
// If there are maxPast past messages, it drops the oldest of them; else, if the room is full, the first message. If e
// would come before the message to be dropped, it does nothing. The caller holds r.mu.
func (r *room) addPast(e entry) {
	i := r.indexNewer(e.message.Table)
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
	e.message, e.retired, e.past = withoutButtons(e.message), true, true
	r.entries = slices.Insert(r.entries, i, e)
	r.touch(i)
}

// indexNewer returns the index of the first message about a newer table, or -1. The caller holds r.mu.
func (r *room) indexNewer(table int64) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.message.Table > table })
}

// drop removes the message with index i. The caller holds r.mu.
func (r *room) drop(i int) {
	r.entries = slices.Delete(r.entries, i, i+1)
	r.touch(-1)
}

// isUnplayed reports whether m is the board of a table that was closed before any move.
func isUnplayed(m chat.Message) bool {
	return m.Table != 0 && !m.Live && m.Record == 0 && m.Turn == 0 &&
		!slices.ContainsFunc(m.People, func(p chat.Person) bool { return p.State != games.Out })
}

// post shows m and returns its id. m replaces the last message about the same table or puzzle, such as one from another
// replica, unless m has to be a new message, below all others.
func (r *room) post(m chat.Message) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	i, e := r.lastIndex(m), entry{message: m, stored: true, drawnHere: true}
	if i < 0 || m.Version == 0 || m.Silent && m.Puzzle == 0 && r.entries[i].stored {
		i, e.ref = -1, r.refFor(m)
	} else {
		e.ref = r.entries[i].ref
	}
	r.put(i, e)
	return e.ref
}

// put shows e.message in place of entry i, unless entry i has a newer version; e.ref is the id of e in the database. If
// i is negative, it adds e as the last message or, if e is about an ended table, above a newer table. It then drops
// messages of this table without buttons, and boards of older tables closed before any move. The caller holds r.mu.
func (r *room) put(i int, e entry) {
	table, version := e.message.Table, e.message.Version
	if i >= 0 {
		old := &r.entries[i]
		if old.ref != e.ref && !old.past && r.indexOf(e.ref) < 0 {
			old.ref = e.ref
			r.touch(i)
		}
		old.stored, old.drawnHere = old.stored || e.stored, e.drawnHere
		if version > old.message.Version || e.drawnHere && (version == 0 || version == old.message.Version) {
			r.redraw(i, e.message)
		}
		return
	}
	r.newest = max(r.newest, table)
	if table != 0 {
		r.entries = slices.DeleteFunc(r.entries, func(old entry) bool {
			lobby := old.message.Table != 0 && old.message.Turn == 0 && old.retired && !old.past
			return old.retired && old.message.Table == table ||
				old.message.Table < table && (lobby || isUnplayed(old.message))
		})
	}
	if r.isOutdated(e.message) {
		e.at = time.Now()
		r.addPast(e)
	} else {
		r.add(e)
	}
}

// newRef returns an unused id for a message posted on this replica. The caller holds r.mu.
func (r *room) newRef() chat.Ref {
	r.posted++
	return chat.Ref(fmt.Sprintf("web:%s-%d", r.boot, r.posted))
}

// add appends e as the last message, and drops the oldest of a full room. The caller holds r.mu.
func (r *room) add(e entry) {
	if len(r.entries) >= maxFeed {
		r.entries = slices.Delete(r.entries, 0, len(r.entries)-maxFeed+1)
	}
	r.entries = append(r.entries, e)
	r.touch(len(r.entries) - 1)
}

// edit replaces the message ref by m, or returns chat.ErrGone. The past board of an ended table keeps its position and
// gets no buttons. An unchanged m is drawn again for viewers with a separate drawing, because a page may show a
// choice of dice that was undone since.
func (r *room) edit(ref chat.Ref, m chat.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	i := r.indexOf(ref)
	if last := r.lastIndex(m); i < 0 && last >= 0 && (m.Version > 0 || r.entries[last].past) {
		i = last // ref is not shown: m replaces the last board of its table, a running one only if m has a version
	}
	if i < 0 && m.Version == 0 {
		return fmt.Errorf("edit %s: %w", ref, chat.ErrGone)
	}
	r.put(i, entry{ref: ref, message: m, stored: true, drawnHere: true}) // another replica may have posted it
	return nil
}

// redraw replaces the message of entry i by m. It is a no-op if m is unchanged and no viewer has a drawing of their
// own. If the table was closed before any move and a newer one is shown, it drops the entry. The caller holds r.mu.
func (r *room) redraw(i int, m chat.Message) {
	e := &r.entries[i]
	if e.past {
		m = withoutButtons(m)
	}
	version := m.Version
	if m.Version = e.message.Version; e.retired == e.past && len(e.views) == 0 && reflect.DeepEqual(e.message, m) {
		e.message.Version = version
		return
	}
	m.Version = version
	if isUnplayed(m) && r.indexNewer(m.Table) >= 0 {
		r.drop(i)
		return
	}
	e.message, e.retired = m, e.past
	r.touch(i)
}

// retire removes the notice ref, or the buttons of the message ref. It removes the whole message if the room shows a
// newer message of the same table or, if no move was made at this table, a newer table.
func (r *room) retire(ref chat.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.calls)
	if r.calls = slices.DeleteFunc(r.calls, func(c call) bool { return c.ref == ref }); len(r.calls) < n {
		r.touch(-1)
	}
	i := r.indexOf(ref)
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

// indexOf returns the index of the message ref, or -1. The caller holds r.mu.
func (r *room) indexOf(ref chat.Ref) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.ref == ref })
}

// touch counts a change of the room and wakes its event streams. i is the index of the changed entry, -1 for none: its
// drawings for viewers are dropped, except those that came with the message. The caller holds r.mu.
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
				came.Message = withoutButtons(came.Message)
			}
			e.views[fmt.Sprint(came.By)] = &view{viewer: came.By, message: came.Message, drawn: true}
		}
		e.message.Views = nil
	}
	r.wakeStreams()
}

// wakeStreams makes the event streams of open pages read the room again. The caller holds r.mu.
func (r *room) wakeStreams() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// routedRoom is the value in a request's context: the room to which the request was routed.
type routedRoom struct {
	room *room
	base string // prefix of the room's paths, such as /r/ABC; "": main room
}

type routedRoomKey struct{} // key of a routedRoom in a context

// roomBase returns the prefix of paths in the room to which r was routed, "" for the main room.
func roomBase(r *http.Request) string {
	e, _ := r.Context().Value(routedRoomKey{}).(routedRoom)
	return e.base
}

// roomPagePath returns the path of the page of the room whose paths begin with base, "" for the main room.
func roomPagePath(base string) string { return cmp.Or(base, "/table") }
