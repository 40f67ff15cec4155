package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// What rooms show, kept in step with the database, which other replicas change, too.

const (
	// syncEvery is the interval of reading a followed room.
	syncEvery = 2 * time.Second
	// syncWithin is the timeout of a reading.
	syncWithin = 10 * time.Second
)

// ensureSynced syncs a room if it was just opened, or other replicas may have changed it since the last sync.
func (w *Web) ensureSynced(ctx context.Context, room *room) {
	room.syncing.Lock()
	defer room.syncing.Unlock()
	shared := w.config.Alone != nil && !w.config.Alone()
	if !room.synced || shared && time.Since(room.lastSync) >= syncEvery {
		w.sync(context.WithoutCancel(ctx), room)
	}
}

// showEnded adds the boards of finished tables to the feed of a newly opened room, except those that cannot be drawn.
func (w *Web) showEnded(ctx context.Context, room *room) {
	past, _, err := query(ctx, w, func(tx *store.Tx) ([]store.Table, error) {
		return tx.Scores.LastFinished(string(room.chat), 0, maxPast+1)
	})
	chat.LogFailure(ctx, w.config.Log.Error, "finished tables of a room cannot be read", err, "chat", room.chat)
	var ended []entry
	for _, t := range past {
		m, err := w.bot.View(ctx, t.ID, chat.Viewer{})
		if err == nil {
			ended = append(ended, entry{message: m, at: time.UnixMilli(t.Ending.Ended)})
		}
		chat.LogFailure(ctx, w.config.Log.Error, "a finished table cannot be drawn", err, "table", t.ID)
	}
	room.fileEnded(ended)
}

// sync shows the stored state in a room, and logs when that fails and works again; syncing is held.
func (w *Web) sync(ctx context.Context, room *room) {
	within, cancel := context.WithTimeout(ctx, syncWithin)
	defer cancel()
	room.lastSync = time.Now()
	s, _, err := query(within, w, func(tx *store.Tx) (store.WebFeed, error) {
		return tx.Rooms.WebFeed(string(room.place))
	})
	if err == nil {
		err = w.catchUp(within, room, s)
	}
	if ctx.Err() != nil {
		return
	}
	switch was := w.syncFails.Swap(err != nil); {
	case err != nil && !was:
		w.config.Log.Error("read boards of room failed", "error", err)
	case err == nil && was:
		w.config.Log.Info("watching rooms resumed")
	}
}

// catchUp shows what a room lacks of the stored state; syncing is held.
func (w *Web) catchUp(ctx context.Context, room *room, s store.WebFeed) error {
	now, first := time.Now(), !room.synced
	for _, l := range room.missing(s, first, now) {
		err := w.show(ctx, room, l, first)
		if first && store.OfDatabase(err) {
			return err // the next sync starts again
		}
		if err != nil {
			w.config.Log.Debug("draw room message failed", "kind", l.kind, "id", l.ID, "error", err)
		}
	}
	if first {
		w.showEnded(ctx, room)
	}
	called := room.syncCalls(s.Calls, now)
	room.synced = true
	if w.config.Call == nil {
		return nil
	}
	for _, c := range called {
		said, ok, err := w.config.Call(ctx, c.ID)
		if err != nil {
			return err
		}
		if ok {
			room.call(said, chat.Ref(c.Message), true)
		}
	}
	return nil
}

// show shows one thing that a room lacks.
func (w *Web) show(ctx context.Context, room *room, l lack, first bool) error {
	if l.kind == anAnnouncement {
		text, _, err := query(ctx, w, func(tx *store.Tx) (string, error) {
			return tx.Rooms.SaidAt(string(room.place), l.ID)
		})
		if err != nil {
			return err
		}
		if said, ok := readAnnouncement(text); room.addAnnouncement(l.WebThing, said, ok) && !first {
			w.applyAnnouncement(ctx, room, said)
		}
		return nil
	}
	draw := func() (chat.Message, error) { return w.bot.View(ctx, l.ID, chat.Viewer{}) }
	if l.kind == aPuzzle {
		draw = func() (chat.Message, error) { return w.bot.Puzzle(ctx, l.ID, "") }
	}
	m, err := draw()
	if err == nil {
		room.showStored(l, m)
	}
	return err
}

// announce announces something in a room, on all replicas if it can be stored.
func (w *Web) announce(ctx context.Context, room *room, s announcement) {
	switch {
	case (s.Message == nil || s.Message.Table == 0) && w.say(ctx, room, 0, s):
	case s.Message != nil:
		room.post(*s.Message)
	default:
		room.mu.Lock()
		defer room.mu.Unlock()
		room.add(entry{ref: room.ownRef(), said: s.line})
	}
}

// say stores an announcement, in place of the one of a number unless that is 0, and shows it on all replicas. It
// returns false if it cannot be stored, or the other one is no longer stored.
func (w *Web) say(ctx context.Context, room *room, number int64, s announcement) bool {
	said, text := store.WebThing{ID: number, Version: 1, At: time.Now().UnixMilli()}, string(must(json.Marshal(s)))
	ok, err := w.update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if number == 0 {
			said.ID, err = tx.Rooms.SayAt(string(room.place), text, said.At)
		} else {
			said.Version, err = tx.Rooms.SayAnew(string(room.place), number, text)
		}
		return err
	})
	if err != nil {
		w.config.Log.Error("store room message failed", "error", err)
	}
	if ok {
		room.addAnnouncement(said, s, true)
		w.hint(hint{Room: room.place, Look: true})
	}
	return ok
}

// replaced replaces the message of a pressed button by news for all. It returns false if the message is not in the
// room.
func (w *Web) replaced(ctx context.Context, room *room, a act, m chat.Message) bool {
	room.mu.Lock()
	var old entry
	if i := room.index(a.On); i >= 0 {
		old = room.entries[i]
	}
	room.mu.Unlock()
	pressed := func(b chat.Button) bool { return b.Press == a.Press }
	if !slices.ContainsFunc(slices.Concat(old.message.Buttons...), pressed) {
		return false
	}
	if old.number != 0 && w.say(ctx, room, old.number, announcementOf(m)) {
		return true
	}
	return room.edit(a.On, m) == nil // on this replica alone
}

// applyAnnouncement follows an announcement of another replica: a new host, a new address, or a removed person.
func (w *Web) applyAnnouncement(ctx context.Context, room *room, s announcement) {
	if s.Key == "" || room == w.room {
		return
	}
	if err := w.reload(ctx, room); err != nil {
		chat.LogFailure(ctx, w.config.Log.Error, "a room cannot be read", err)
		return
	}
	room.mu.Lock()
	print, address := room.kept.Print, room.address
	room.mu.Unlock()
	if print == printOf(address) {
		return
	}
	_, now, ok, err := w.moved(ctx, address)
	chat.LogFailure(ctx, w.config.Log.Error, "the new address of a room cannot be read", err)
	if ok {
		room.setAddress(now)
	}
}

// reload reads the stored state of a room again.
func (w *Web) reload(ctx context.Context, room *room) error {
	was, _ := room.stored()
	kept, ok, err := w.roomOfNumber(ctx, was.ID)
	if ok {
		room.loadStored(kept, "")
	}
	return err
}

// reading is the state of reading a room.
type reading struct {
	queued   atomic.Bool // it is about to be read
	syncing  sync.Mutex
	synced   bool      // the newest board, if any, is in the feed
	lastSync time.Time // guarded by syncing
}

// versions holds what a room knows of the stored state beside its entries.
type versions struct {
	newest  int64           // the newest table shown
	said    map[int64]int64 // versions of the announcements, by number
	puzzles map[int64]int64 // versions of puzzles not to be shown
}

// nextRef returns the name of a new message: for a table or a puzzle the same on all replicas, unless it is posted
// again. The lock is held.
func (r *room) nextRef(m chat.Message) chat.Ref {
	if m.Version > 0 && !m.Silent {
		ref := chat.Ref(fmt.Sprintf("web:t%d", m.Table))
		if m.Puzzle != 0 {
			ref = chat.Ref(fmt.Sprintf("web:p%d", m.Puzzle))
		}
		if r.index(ref) < 0 {
			return ref
		}
	}
	return r.ownRef()
}

// last returns the index of the last message of the same table or puzzle, or -1. The lock is held.
func (r *room) last(m chat.Message) int {
	for i, e := range slices.Backward(r.entries) {
		same := m.Puzzle != 0 && e.message.Puzzle == m.Puzzle ||
			m.Puzzle == 0 && m.Table != 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		if same && e.number == 0 {
			return i
		}
	}
	return -1
}

// lack is a table, puzzle or announcement that a room does not show in its stored version.
type lack struct {
	store.WebThing
	kind  kind
	moved bool // posted again
}

// kind is the kind of a lack.
type kind int

const (
	aTable kind = iota
	aPuzzle
	anAnnouncement
)

// leftFor is how long a changed board is left to this process to draw for all, if the change was made here.
const leftFor = 150 * time.Millisecond

// missing returns what a room does not show as stored, oldest first. first marks the first sync.
func (r *room) missing(s store.WebFeed, first bool, now time.Time) (all []lack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first && len(s.Tables) > 1 {
		r.newest = max(r.newest, s.Tables[1].ID) // of older ones, the last finished are shown
	}
	for _, t := range slices.Backward(s.Tables) {
		if moved, lags := r.lagsTable(t, now); moved || lags {
			all = append(all, lack{t, aTable, moved})
		}
	}
	for _, p := range slices.Backward(s.Puzzles) {
		shown := r.puzzles[p.ID]
		if i := r.last(chat.Message{State: chat.State{Puzzle: p.ID}}); i >= 0 {
			shown = r.entries[i].message.Version
		} else if first && !p.Going { // closed before the room was opened: it is not shown
			shown, r.puzzles[p.ID] = p.Version, p.Version
		}
		if p.Version > shown {
			all = append(all, lack{p, aPuzzle, false})
		}
	}
	newest, listed := int64(0), map[int64]bool{}
	for _, t := range slices.Backward(s.Said) {
		newest, listed[t.ID] = t.ID, true
		if r.said[t.ID] < t.Version {
			all = append(all, lack{t, anAnnouncement, false})
		}
	}
	maps.DeleteFunc(r.said, func(id, _ int64) bool { return id < newest && !listed[id] })
	slices.SortStableFunc(all, func(a, b lack) int { return cmp.Compare(a.At, b.At) })
	return all
}

// lagsTable reports whether a table's board is outdated, and whether it was posted again. A board that this process is
// about to draw is left alone for leftFor. The lock is held.
func (r *room) lagsTable(t store.WebThing, now time.Time) (moved, lags bool) {
	i := r.last(chat.Message{Table: t.ID})
	if i < 0 {
		return false, t.Going || t.ID > r.newest
	}
	e := &r.entries[i]
	switch {
	case t.Message == "" || r.index(chat.Ref(t.Message)) >= 0:
	case e.stored && !e.past:
		return true, true
	case !e.past:
		e.ref = chat.Ref(t.Message)
		r.touch(i)
	}
	e.stored = e.stored || t.Message != ""
	if t.Version <= e.message.Version {
		return false, false
	}
	if !e.here || t.Drawn == t.Version {
		return false, true
	}
	if e.lag != t.Version {
		e.lag, e.since = t.Version, now
		time.AfterFunc(leftFor, func() { r.web.syncSoon(r) })
	}
	return false, now.Sub(e.since) >= leftFor
}

// showStored shows a board or a puzzle in its stored version.
func (r *room) showStored(l lack, m chat.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.moved {
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
			return e.number == 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		})
	}
	i, e := r.last(m), entry{message: m, stored: l.Message != ""}
	if i < 0 {
		e.ref = cmp.Or(chat.Ref(l.Message), r.nextRef(m))
	} else {
		e.ref = r.entries[i].ref
	}
	r.put(i, e)
}
