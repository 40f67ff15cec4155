package web

import (
	"context"
	"slices"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// The content of rooms, read from the database.

const (
	// lookEvery is the interval of reading a followed room.
	lookEvery = 2 * time.Second
	// lookWithin is the timeout of a reading.
	lookWithin = 10 * time.Second
)

// alone reports whether no other replica changes rooms.
func (w *Web) alone() bool { return w.config.Alone == nil || w.config.Alone() }

// drawn draws a room's boards if it was just opened, or other replicas may have changed it since it was last read.
func (w *Web) drawn(ctx context.Context, room *room) {
	room.drawing.Lock()
	defer room.drawing.Unlock()
	if !room.isDrawn || !w.alone() && time.Since(room.looked) >= lookEvery {
		w.looked(context.WithoutCancel(ctx), room)
	}
}

// recall adds the boards of finished tables to the feed of a newly opened room, except those that cannot be drawn.
func (w *Web) recall(ctx context.Context, room *room) {
	past, _, err := query(ctx, w, func(tx *store.Tx) ([]store.Table, error) {
		return tx.Scores.LastFinished(string(room.chat), 0, maxPast+1)
	})
	chat.LogFailure(ctx, w.config.Log.Error, "finished tables of a room cannot be read", err, "chat", room.chat)
	room.filesOutlived()
	for _, t := range past {
		m, err := w.bot.View(ctx, t.ID, chat.Viewer{})
		if err == nil {
			room.remembers(m, time.UnixMilli(t.Ending.Ended))
		}
		chat.LogFailure(ctx, w.config.Log.Error, "a finished table cannot be drawn", err, "table", t.ID)
	}
}

// looked reads a room and logs when that fails and works again; drawing is held.
func (w *Web) looked(ctx context.Context, room *room) {
	within, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	err := w.look(within, room)
	if ctx.Err() != nil {
		return
	}
	switch was := w.blind.Swap(err != nil); {
	case err != nil && !was:
		w.config.Log.Error("read boards of room failed", "error", err)
	case err == nil && was:
		w.config.Log.Info("watching rooms resumed")
	}
}

// look shows the stored state in a room; drawing is held.
func (w *Web) look(ctx context.Context, room *room) error {
	room.looked = time.Now()
	s, _, err := query(ctx, w, func(tx *store.Tx) (store.WebFeed, error) {
		return tx.Rooms.WebFeed(string(room.place))
	})
	if err != nil {
		return err
	}
	return w.catchUp(ctx, room, s)
}

// catchUp shows what a room lacks of the stored state; drawing is held.
func (w *Web) catchUp(ctx context.Context, room *room, s store.WebFeed) error {
	now, first := time.Now(), !room.isDrawn
	for _, l := range room.lacks(s, first, now) {
		err := w.show(ctx, room, l, first)
		if first && store.OfDatabase(err) {
			return err // the next look begins anew
		}
		if err != nil {
			w.config.Log.Debug("draw room message failed", "kind", l.kind, "id", l.ID, "error", err)
		}
	}
	if first {
		w.recall(ctx, room)
	}
	room.mu.Lock()
	called := room.uncalled(s.Calls, now)
	room.mu.Unlock()
	room.isDrawn = true
	for _, c := range called {
		if w.config.Call == nil {
			break
		}
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
	switch l.kind {
	case aSaying:
		text, _, err := query(ctx, w, func(tx *store.Tx) (string, error) {
			return tx.Rooms.SaidAt(string(room.place), l.ID)
		})
		if err != nil {
			return err
		}
		if said, ok := readSaying(text); room.announces(l, said, ok) && !first {
			w.becomes(ctx, room, said)
		}
		return nil
	case aPuzzle:
		m, err := w.bot.Puzzle(ctx, l.ID, "")
		if err == nil {
			room.stands(l, m)
		}
		return err
	}
	m, err := w.bot.View(ctx, l.ID, chat.Viewer{})
	if err == nil {
		room.stands(l, m)
	}
	return err
}

// says announces something in a room, on all replicas if it can be stored.
func (w *Web) says(ctx context.Context, room *room, s saying) {
	if s.Message == nil || s.Message.Table == 0 {
		said := store.WebThing{Version: 1, At: time.Now().UnixMilli()}
		_, err := w.update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
			said.ID, err = tx.Rooms.SayAt(string(room.place), s.text(), said.At)
			return err
		})
		if err == nil {
			room.announces(lack{WebThing: said}, s, true)
			w.hint(hint{Room: room.place, Look: true})
			return
		}
		w.config.Log.Error("store room message failed", "error", err)
	}
	if s.Message != nil {
		room.post(*s.Message)
		return
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	room.add(entry{ref: room.ownRef(), said: s.line})
}

// replaced replaces the message of a pressed button by news for all. It returns false if the message is not in the
// room.
func (w *Web) replaced(ctx context.Context, room *room, a act, m chat.Message) bool {
	old, ok := room.find(a.On)
	pressed := func(b chat.Button) bool { return b.Press == a.Press }
	if !ok || !slices.ContainsFunc(slices.Concat(old.message.Buttons...), pressed) {
		return false
	}
	if old.number == 0 {
		return room.edit(a.On, m) == nil
	}
	said, is := sayingOf(m), store.WebThing{ID: old.number}
	ok, err := w.update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
		is.Version, err = tx.Rooms.SayAnew(string(room.place), is.ID, said.text())
		return err
	})
	if err != nil || !ok { // no longer stored: replaced on this replica alone
		return room.edit(a.On, m) == nil
	}
	room.announces(lack{WebThing: is}, said, true)
	w.hint(hint{Room: room.place, Look: true})
	return true
}

// becomes applies an announcement of another replica: a new host, a new address, or a removed person.
func (w *Web) becomes(ctx context.Context, room *room, s saying) {
	if s.Key == "" || room == w.room {
		return
	}
	if err := w.rereads(ctx, room); err != nil {
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
		room.moves(now)
	}
}

// rereads reads the stored state of a room again.
func (w *Web) rereads(ctx context.Context, room *room) error {
	room.mu.Lock()
	number := room.kept.ID
	room.mu.Unlock()
	kept, ok, err := w.roomOfNumber(ctx, number)
	if ok {
		room.reads(kept, "")
	}
	return err
}
