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

// Reading rooms from the database (syncing), which other replicas change, too.

const (
	// syncEvery is the interval at which a room with an open page is read.
	syncEvery = 2 * time.Second
	// syncWithin is the timeout of reading a room.
	syncWithin = 10 * time.Second
)

// ensureSynced reads room from the database if that was never done, or if there are other replicas and it was done
// longer than syncEvery ago.
func (w *Web) ensureSynced(ctx context.Context, room *room) {
	room.syncing.Lock()
	defer room.syncing.Unlock()
	shared := w.config.Alone != nil && !w.config.Alone()
	if !room.synced || shared && time.Since(room.lastSync) >= syncEvery {
		w.sync(context.WithoutCancel(ctx), room)
	}
}

// showEnded adds the boards of the last finished tables to the feed of a newly opened room, except those that cannot be
// drawn.
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

// sync reads room from the database and shows what has changed. It logs the first failure and the first success after
// failures. The caller holds room.syncing.
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

// catchUp shows the parts of s, the stored state, that room does not show in their newest version. If the database
// fails the first time, it returns the error, and the next sync starts again. The caller holds room.syncing.
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

// show shows the thing l in room. An announcement of another replica takes effect as well, unless this is the first
// reading of the room, whose stored state is new.
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

// announce shows s to all in room: on all replicas if it is not about a table and can be stored, else on this one.
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

// say stores s and shows it on all replicas: as a new announcement if number is 0, else in place of the one with that
// number. It returns false if s cannot be stored, or that one is no longer stored.
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

// replaced shows m to all in place of the message whose button was pressed by a. It returns false if that message is
// not in the room.
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

// applyAnnouncement applies s, which another replica has stored, by reading the room's host, address and removed people
// again. It is a no-op for messages, and in the main room.
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

// reload reads the stored state of a room again; it is a no-op if the room was deleted.
func (w *Web) reload(ctx context.Context, room *room) error {
	was, _ := room.stored()
	kept, ok, err := w.roomOfNumber(ctx, was.ID)
	if ok {
		room.loadStored(kept, "")
	}
	return err
}

// reading is the state of reading a room from the database.
type reading struct {
	queued   atomic.Bool // the room is in Web.toSync
	syncing  sync.Mutex
	synced   bool      // the room was read once; guarded by syncing
	lastSync time.Time // guarded by syncing
}

// versions holds the versions of stored things that the room has handled, beside those in its entries.
type versions struct {
	newest  int64           // the newest table shown
	said    map[int64]int64 // versions of the announcements, by number
	puzzles map[int64]int64 // versions of closed puzzles that are not shown
}

// nextRef returns the name of the new message m: for a table or a puzzle the same on all replicas, unless it is posted
// again. The caller holds r.mu.
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

// last returns the index of the last message of the same table or puzzle as m, or -1. The caller holds r.mu.
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

// lack is a stored table, puzzle or announcement whose newest version a room does not show.
type lack struct {
	store.WebThing
	kind  kind
	moved bool // the board was posted again, further down
}

// kind is the kind of thing that a lack describes.
type kind int

const (
	aTable kind = iota
	aPuzzle
	anAnnouncement
)

// leftFor is how long a changed board may wait for the bot of this replica to draw it for all; then the room draws it
// itself.
const leftFor = 150 * time.Millisecond

// missing returns the parts of s, the stored state, that the room does not show in their newest version, oldest first.
// first says that the room is read for the first time, at now.
func (r *room) missing(s store.WebFeed, first bool, now time.Time) (all []lack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first && len(s.Tables) > 1 {
		r.newest = max(r.newest, s.Tables[1].ID) // of older tables, showEnded shows the last finished
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

// lagsTable compares the board of a stored table t with the feed: moved is whether it was posted again, further down,
// and lags whether it is missing or outdated. A board that the bot of this replica is about to draw counts as outdated
// only after leftFor. The caller holds r.mu.
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

// showStored shows m, the newest version of the table or puzzle l, in the feed.
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
