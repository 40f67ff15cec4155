package web

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
)

// The content of rooms: of this process alone, or of all replicas through the database.

const (
	// lookEvery is the interval of reading a followed room.
	lookEvery = 2 * time.Second
	// lookWithin is the timeout of a reading.
	lookWithin = 10 * time.Second
)

// shares makes a room one shared by replicas.
func (w *Web) shares(r *room) {
	if w.config.Replicas == nil {
		return
	}
	place := r.place
	r.shared = &shared{salt: hex.EncodeToString(sign(w.config.Key, "here "+string(place))[:16]),
		said: map[int64]int64{}, puzzles: map[int64]int64{}, elsewhere: replica.Crews{},
		tells: func() { w.notes.TellOf(place) }, looks: func() { w.notes.Look(place) }}
}

// drawn draws a room's boards unless that was done since it was opened.
func (w *Web) drawn(ctx context.Context, b core, room *room) {
	room.drawing.Lock()
	defer room.drawing.Unlock()
	switch {
	case room.shared != nil:
		if !room.isDrawn || !w.config.Replicas.Lonely() && time.Since(room.shared.looked) >= lookEvery {
			w.looked(context.WithoutCancel(ctx), b, room)
		}
	case !room.isDrawn:
		if err := b.Redraw(ctx, room.place); err != nil {
			chat.LogFailure(ctx, w.config.Log.Error, "the boards of a room cannot be drawn", err)
			return
		}
		w.recall(ctx, b, room)
		room.isDrawn = true
	}
}

// recall adds the boards of finished tables to the feed of a newly opened room, except those that cannot be drawn.
func (w *Web) recall(ctx context.Context, b core, room *room) {
	if w.config.Past == nil {
		return
	}
	past, err := w.config.Past(ctx, room.chat, maxPast)
	chat.LogFailure(ctx, w.config.Log.Error, "finished tables of a room cannot be read", err, "chat", room.chat)
	for _, p := range past {
		m, err := b.View(ctx, p.Table, chat.Viewer{})
		if err == nil {
			room.remembers(m, p.Ended)
		}
		chat.LogFailure(ctx, w.config.Log.Error, "a finished table cannot be drawn", err, "table", p.Table)
	}
}

// changed has a room read after a change made there.
func (w *Web) changed(room *room) {
	if !w.config.Replicas.Lonely() {
		w.notes.Look(room.place)
	}
}

// looked reads a room and logs when that fails and works again; drawing is held.
func (w *Web) looked(ctx context.Context, b core, room *room) {
	within, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	err := w.look(within, b, room)
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
func (w *Web) look(ctx context.Context, b core, room *room) error {
	now, first := time.Now(), !room.isDrawn
	room.shared.looked = now
	s, err := w.config.Replicas.Shared.Look(ctx, room.place)
	if err != nil {
		return err
	}
	for _, l := range room.lacks(s, first, now) {
		if err := w.show(ctx, b, room, l, first); err != nil {
			w.config.Log.Debug("draw room message failed", "kind", l.kind, "id", l.ID, "error", err)
		}
	}
	if first {
		w.recall(ctx, b, room)
	}
	room.mu.Lock()
	called := room.uncalled(s.Calls, now)
	room.mu.Unlock()
	room.isDrawn = true
	for _, c := range called {
		said, ok, err := w.config.Replicas.Shared.Call(ctx, c.ID)
		if err != nil {
			return err
		}
		if ok {
			room.call(said, c.Ref, true)
		}
	}
	return nil
}

// show shows one thing that a room lacks.
func (w *Web) show(ctx context.Context, b core, room *room, l lack, first bool) error {
	switch l.kind {
	case aSaying:
		text, err := w.config.Replicas.Shared.Said(ctx, room.place, l.ID)
		if err != nil {
			return err
		}
		if said, ok := readSaying(text); room.hears(l, said, ok) && !first {
			w.becomes(ctx, room, said)
		}
		return nil
	case aPuzzle:
		m, err := b.Puzzle(ctx, l.ID, "")
		if err == nil {
			room.stands(l, m)
		}
		return err
	}
	m, err := b.View(ctx, l.ID, chat.Viewer{})
	if err == nil {
		room.stands(l, m)
	}
	return err
}

// says announces something in a room, on all replicas if it can be stored.
func (w *Web) says(ctx context.Context, room *room, s saying) {
	if w.config.Replicas != nil && (s.Message == nil || s.Message.Table == 0) {
		now := time.Now()
		number, err := w.config.Replicas.Shared.Say(context.WithoutCancel(ctx), room.place, s.text(), now)
		if err == nil {
			room.hears(lack{Thing: replica.Thing{ID: number, Version: 1, At: now}}, s, true)
			w.line.Tell(hint{Room: room.place, Look: true})
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
	said := sayingOf(m)
	version, err := w.config.Replicas.Shared.SayAnew(context.WithoutCancel(ctx), room.place, old.number, said.text())
	if err != nil { // no longer stored: replaced on this replica alone
		return room.edit(a.On, m) == nil
	}
	room.hears(lack{Thing: replica.Thing{ID: old.number, Version: version}}, said, true)
	w.line.Tell(hint{Room: room.place, Look: true})
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
	print, address := room.kept.Print, room.shared.address
	room.mu.Unlock()
	if print == printOf(address) {
		return
	}
	_, now, ok, err := w.moved(ctx, address)
	if err != nil {
		chat.LogFailure(ctx, w.config.Log.Error, "the new address of a room cannot be read", err)
		return
	}
	if ok {
		room.finds(now)
		room.moves(roomsBelow + now)
	}
}

// rereads reads the stored state of a room again.
func (w *Web) rereads(ctx context.Context, room *room) error {
	room.mu.Lock()
	number := room.kept.Number
	room.mu.Unlock()
	kept, ok, err := w.config.Rooms.Room(ctx, number)
	if ok {
		room.reads(kept)
	}
	return err
}

// finds notes the address by which a room was found.
func (r *room) finds(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared != nil {
		r.shared.address = strings.TrimPrefix(address, roomsBelow)
	}
}
