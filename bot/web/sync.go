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

// Syncing: reading rooms from the database, which other replicas change, too.

const (
	// syncEvery is the interval at which a room with an open page is read.
	syncEvery = 2 * time.Second
	// syncWithin is the timeout of reading a room.
	syncWithin = 10 * time.Second
)

// ensureSynced reads room from the database if it never was or, with other replicas, not in the last syncEvery.
func (w *Web) ensureSynced(ctx context.Context, room *room) {
	room.syncing.Lock()
	defer room.syncing.Unlock()
	shared := w.config.Alone != nil && !w.config.Alone()
	if !room.synced || (shared || room.embeds) && time.Since(room.lastSync) >= syncEvery {
		w.syncRoom(context.WithoutCancel(ctx), room)
	}
}

// resync reads room from the database again; if it never was read, the next ensureSynced does.
func (w *Web) resync(ctx context.Context, room *room) {
	room.syncing.Lock()
	defer room.syncing.Unlock()
	if room.synced {
		w.syncRoom(ctx, room)
	}
}

// showFinished adds boards of the last ended tables to a newly opened room, except those that cannot be drawn.
func (w *Web) showFinished(ctx context.Context, room *room) {
	past, _, err := query(ctx, w, func(tx *store.Tx) ([]store.Table, error) {
		return tx.Scores.LastFinished(string(room.chat), 0, maxPast+1)
	})
	chat.LogFailure(ctx, w.config.Log.Error, "read finished tables failed", err, "chat", room.chat)
	var ended []entry
	for _, t := range past {
		if t.Place != string(room.place) {
			continue
		}
		m, err := w.bot.View(ctx, t.ID, chat.Viewer{})
		if err == nil {
			ended = append(ended, entry{message: m, at: time.UnixMilli(t.Ending.Ended)})
		}
		chat.LogFailure(ctx, w.config.Log.Error, "draw finished table failed", err, "table", t.ID)
	}
	room.addFinished(ended)
}

// syncRoom reads room from the database and shows the changes. It logs the first failure, and the first success after
// failures. The caller holds room.syncing.
func (w *Web) syncRoom(ctx context.Context, room *room) {
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
		w.config.Log.Error("room sync failed", "error", err)
	case err == nil && was:
		w.config.Log.Info("room sync resumed")
	}
}

// catchUp shows the items of feed (the room as stored) that are newer than in room. It returns errors of Config.Call,
// of reading lines and, at the first reading, of the database; other errors are only logged. The caller holds
// room.syncing.
func (w *Web) catchUp(ctx context.Context, room *room, feed store.WebFeed) error {
	now, first := time.Now(), !room.synced
	for _, item := range room.staleItems(feed, first, now) {
		err := w.showStale(ctx, room, item, first)
		if first && store.OfDatabase(err) {
			return err // the next sync starts again
		}
		if err != nil {
			w.config.Log.Debug("draw room message failed", "kind", item.kind, "id", item.ID, "error", err)
		}
	}
	if first {
		w.showFinished(ctx, room)
	}
	if err := w.syncLines(ctx, room, feed.Lines); err != nil {
		return err
	}
	called := room.syncCalls(feed.Calls, now)
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
			room.showCall(said, chat.Ref(c.Message), true)
		}
	}
	return nil
}

// showStale shows the newest version of item in room. After an announcement of another replica it reads the room's
// state again, unless first is true: at the first reading of the room the state is new.
func (w *Web) showStale(ctx context.Context, room *room, item staleItem, first bool) error {
	if item.kind == announcementItem {
		text, _, err := query(ctx, w, func(tx *store.Tx) (string, error) {
			return tx.Rooms.SaidAt(string(room.place), item.ID)
		})
		if err != nil {
			return err
		}
		if said, ok := readAnnouncement(text); room.addAnnouncement(item.WebThing, said, ok) && !first {
			w.applyAnnouncement(ctx, room, said)
		}
		return nil
	}
	draw := func() (chat.Message, error) { return w.bot.View(ctx, item.ID, chat.Viewer{}) }
	if item.kind == puzzleItem {
		draw = func() (chat.Message, error) { return w.bot.Puzzle(ctx, item.ID, "") }
	}
	m, err := draw()
	if err == nil {
		room.showStored(item, m)
	}
	return err
}

// announce shows content to all in room: on all replicas if it can be stored and is about no table, else on this one.
func (w *Web) announce(ctx context.Context, room *room, content announcement) {
	switch {
	case (content.Message == nil || content.Message.Table == 0) && w.storeAnnouncement(ctx, room, 0, content):
	case content.Message != nil:
		room.post(*content.Message)
	default:
		room.mu.Lock()
		defer room.mu.Unlock()
		room.add(entry{ref: room.newRef(), sentence: content.line})
	}
}

// storeAnnouncement is putAnnouncement without the number. It logs errors, and then returns false.
func (w *Web) storeAnnouncement(ctx context.Context, room *room, number int64, content announcement) bool {
	_, ok, err := w.putAnnouncement(ctx, room, number, content)
	if err != nil {
		w.config.Log.Error("cannot store room announcement", "error", err)
	}
	return ok
}

// putAnnouncement stores content, shows it on all replicas and returns its number. It replaces the announcement with
// that number; 0: it is a new one. ok is false after an error, or if the announcement no longer exists.
func (w *Web) putAnnouncement(ctx context.Context, room *room, number int64, content announcement) (stored int64,
	ok bool, err error) {
	said, text := store.WebThing{ID: number, Version: 1, At: time.Now().UnixMilli()},
		string(must(json.Marshal(content)))
	ok, err = w.update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		if number == 0 {
			said.ID, err = tx.Rooms.SayAt(string(room.place), text, said.At)
		} else {
			said.Version, err = tx.Rooms.SayAnew(string(room.place), number, text)
		}
		return err
	})
	if ok {
		room.addAnnouncement(said, content, true)
		w.queueHint(hint{Room: room.place, Look: true})
	}
	return said.ID, ok, err
}

// replacePressed shows m to all in place of the message with the pressed button. It returns false if there is none.
func (w *Web) replacePressed(ctx context.Context, room *room, pressed act, m chat.Message) bool {
	room.mu.Lock()
	var old entry
	if i := room.indexOf(pressed.On); i >= 0 {
		old = room.entries[i]
	}
	room.mu.Unlock()
	hasPress := func(b chat.Button) bool { return b.Press == pressed.Press }
	if !slices.ContainsFunc(slices.Concat(old.message.Buttons...), hasPress) {
		return false
	}
	if old.number != 0 && w.storeAnnouncement(ctx, room, old.number, announcementOf(m)) {
		return true
	}
	return room.edit(pressed.On, m) == nil // on this replica alone
}

// applyAnnouncement reads the room's host, address and removed people again: content, an announcement of another
// replica, may report a change. It is a no-op if content is a message, and in the main room.
func (w *Web) applyAnnouncement(ctx context.Context, room *room, content announcement) {
	if content.Key == "" || room == w.room {
		return
	}
	if err := w.reloadState(ctx, room); err != nil {
		chat.LogFailure(ctx, w.config.Log.Error, "read room failed", err)
		return
	}
	room.mu.Lock()
	print, address := room.state.Print, room.address
	room.mu.Unlock()
	if print == addressHash(address) {
		return
	}
	_, now, ok, err := w.movedRoom(ctx, address)
	chat.LogFailure(ctx, w.config.Log.Error, "read new room address failed", err)
	if ok {
		room.setAddress(now)
	}
}

// reloadState reads the stored state of room again. It is a no-op if the room was deleted.
func (w *Web) reloadState(ctx context.Context, room *room) error {
	was, _ := room.storedState()
	kept, ok, err := w.storedRoomByNumber(ctx, was.ID)
	if ok {
		room.loadStored(kept, "")
	}
	return err
}

// syncState is the state of reading a room from the database.
type syncState struct {
	queued   atomic.Bool // the room waits in Web.toSync
	syncing  sync.Mutex  // held while the room is read
	synced   bool        // it was read once; guarded by syncing
	lastSync time.Time   // guarded by syncing
}

// versions holds which versions of stored items the room has handled, apart from the versions in its messages.
type versions struct {
	newest        int64           // number of the newest table shown
	announcements map[int64]int64 // handled versions of announcements, by number
	closedPuzzles map[int64]int64 // handled versions of closed puzzles that are not shown, by number
}

// refFor returns an id for the new message m. For the first message of a table or puzzle it is the same on all
// replicas; else it is from newRef. The caller holds r.mu.
func (r *room) refFor(m chat.Message) chat.Ref {
	if m.Version > 0 && !m.Silent {
		ref := chat.Ref(fmt.Sprintf("web:t%d", m.Table))
		if m.Puzzle != 0 {
			ref = chat.Ref(fmt.Sprintf("web:p%d", m.Puzzle))
		}
		if r.indexOf(ref) < 0 {
			return ref
		}
	}
	return r.newRef()
}

// lastIndex returns the index of the last message about the same table or puzzle as m, or -1. The caller holds r.mu.
func (r *room) lastIndex(m chat.Message) int {
	for i, e := range slices.Backward(r.entries) {
		same := m.Puzzle != 0 && e.message.Puzzle == m.Puzzle ||
			m.Puzzle == 0 && m.Table != 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		if same && e.number == 0 {
			return i
		}
	}
	return -1
}

// staleItem is a stored table, puzzle or announcement whose newest version a room does not show.
type staleItem struct {
	store.WebThing
	kind  kind
	moved bool // the board was posted again, as the last message
}

// kind is the kind of a staleItem: a table, puzzle or announcement.
type kind int

const (
	tableItem kind = iota
	puzzleItem
	announcementItem
)

// drawWithin is how long the bot of this replica has to draw a changed board for all; then the room draws it itself.
const drawWithin = 150 * time.Millisecond

// staleItems returns the items of feed, the room as stored, whose newest version the room does not show, oldest first.
// first says that the room is read for the first time.
func (r *room) staleItems(feed store.WebFeed, first bool, now time.Time) (all []staleItem) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first && len(feed.Tables) > 1 {
		r.newest = max(r.newest, feed.Tables[1].ID) // older ones are left to showFinished
	}
	for _, t := range slices.Backward(feed.Tables) {
		if moved, lags := r.compareTable(t, now); moved || lags {
			all = append(all, staleItem{t, tableItem, moved})
		}
	}
	for _, p := range slices.Backward(feed.Puzzles) {
		shown := r.closedPuzzles[p.ID]
		if i := r.lastIndex(chat.Message{State: chat.State{Puzzle: p.ID}}); i >= 0 {
			shown = r.entries[i].message.Version
		} else if first && !p.Going { // closed before the room was opened: not shown
			shown, r.closedPuzzles[p.ID] = p.Version, p.Version
		}
		if p.Version > shown {
			all = append(all, staleItem{p, puzzleItem, false})
		}
	}
	newest, listed := int64(0), map[int64]bool{}
	for _, t := range slices.Backward(feed.Said) {
		newest, listed[t.ID] = t.ID, true
		if r.announcements[t.ID] < t.Version {
			all = append(all, staleItem{t, announcementItem, false})
		}
	}
	maps.DeleteFunc(r.announcements, func(id, _ int64) bool { return id < newest && !listed[id] })
	slices.SortStableFunc(all, func(a, b staleItem) int { return cmp.Compare(a.At, b.At) })
	return all
}

// compareTable compares the stored table t with the room. moved: its board was posted again, as the last message. lags:
// the board is missing or outdated. A board that the bot of this replica is about to draw counts as outdated only after
// drawWithin. The caller holds r.mu.
func (r *room) compareTable(t store.WebThing, now time.Time) (moved, lags bool) {
	i := r.lastIndex(chat.Message{Table: t.ID})
	if i < 0 {
		return false, t.Going || t.ID > r.newest
	}
	e := &r.entries[i]
	switch {
	case t.Message == "" || r.indexOf(chat.Ref(t.Message)) >= 0:
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
	if !e.drawnHere || t.Drawn == t.Version {
		return false, true
	}
	if e.missedVersion != t.Version {
		e.missedVersion, e.missedSince = t.Version, now
		time.AfterFunc(drawWithin, func() { r.web.queueSync(r) })
	}
	return false, now.Sub(e.missedSince) >= drawWithin
}

// showStored shows m, the newest version of item, which is a table or puzzle.
func (r *room) showStored(item staleItem, m chat.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if item.moved {
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
			return e.number == 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		})
	}
	i, e := r.lastIndex(m), entry{message: m, stored: item.Message != ""}
	if i < 0 {
		e.ref = cmp.Or(chat.Ref(item.Message), r.refFor(m))
	} else {
		e.ref = r.entries[i].ref
	}
	r.put(i, e)
}
