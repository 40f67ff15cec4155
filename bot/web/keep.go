package web

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Upkeep of rooms: absent hosts, and rooms that are not followed or not used.

const (
	// keepEvery is the interval of upkeep.
	keepEvery = time.Minute
	// unusedIn is how long a room that nobody follows stays in memory.
	unusedIn = time.Hour
	// storedEvery is how much of the times last seen a crash may lose.
	storedEvery = time.Hour
	// saidFor is how long announcements are kept at least, for a page that reloads.
	saidFor = time.Hour
	// idleFor is how long an empty room without a game is kept.
	idleFor = 30 * 24 * time.Hour
	// maxDropped is how many rooms and announcements are deleted at once.
	maxDropped = 10_000
	// backWithin is how long hosts have to return after a start: they may have been present until the end.
	backWithin = time.Hour
)

// keeping runs keep until ctx is done.
func (w *Web) keeping(ctx context.Context) {
	ticks := time.NewTicker(keepEvery)
	defer ticks.Stop()
	for {
		chat.LogFailure(ctx, w.config.Log.Error, "rooms cannot be looked through", w.keep(ctx, time.Now()))
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// keep does the upkeep of all rooms once.
func (w *Web) keep(ctx context.Context, now time.Time) error {
	for _, room := range w.rooms.all() {
		if room == w.room {
			continue
		}
		if err := w.keepRoom(ctx, room, now); err != nil {
			return err
		}
	}
	w.unload(now)
	if now.Sub(w.dropped) < storedEvery {
		return nil
	}
	w.dropped = now
	_, err := w.update(ctx, func(tx *store.Tx) error {
		_, err := tx.Rooms.DropIdleWebRooms(now.Add(-idleFor).UnixMilli(), maxDropped)
		return errors.Join(err, tx.Rooms.DropSaid(now.Add(-saidFor).UnixMilli(), maxDropped))
	})
	return err
}

// keepRoom replaces a host who stays away, and stores when a room was last visited.
func (w *Web) keepRoom(ctx context.Context, room *room, now time.Time) error {
	next, due := room.looks(now, w.began)
	if next.user != "" { // the host may be on another replica
		if err := w.rereads(ctx, room); err != nil {
			return err
		}
		next, due = room.looks(now, w.began)
	}
	if next.user != "" {
		_, err := w.makeHost(ctx, room, next, "host-away")
		return err
	}
	if !due {
		return nil
	}
	room.changing.Lock()
	defer room.changing.Unlock()
	room.mu.Lock()
	kept, used := room.kept.WebRoom, room.used.UnixMilli()
	room.mu.Unlock()
	_, err := w.update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.SeenInWebRoom(kept.ID, kept.Host, kept.Seen, used)
	})
	if err != nil {
		return err
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	room.kept.Used, room.unsaved = used, false
	return nil
}

// looks notes who is present. It returns the next host, if one is needed, and whether the last visit must be stored.
func (r *room) looks(now, began time.Time) (next present, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	host, hosted, seen := prefixOf(r.kept.host()), false, time.UnixMilli(r.kept.Seen)
	var first follower // of those who may be host, the one who came first
	for _, f := range r.attending(now) {
		hosted = hosted || f.Prefix == host
		own := r.here[f.Prefix]
		switch {
		case own == nil:
		case own.pages == 0:
			continue
		default:
			r.used = now
		}
		if first.Prefix == "" {
			first = f
		}
		if own != nil && f.Prefix == host {
			r.unsaved = r.unsaved || now.Sub(seen) >= storedEvery
			r.kept.Seen = now.UnixMilli()
		}
	}
	if back := began.Add(backWithin - hostAway); seen.Before(back) {
		seen = back
	}
	// A first one on another replica is made host there.
	if !hosted && r.here[first.Prefix] != nil && (host == "" || now.Sub(seen) > hostAway) {
		p := first.People[0]
		return present{Name: p.Name, user: visitor{Prefix: first.Prefix}.user(p.Number)}, false
	}
	return present{}, r.unsaved || r.used.Sub(time.UnixMilli(r.kept.Used)) >= storedEvery
}

// all returns the rooms in memory.
func (rs *rooms) all() []*room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return slices.Collect(maps.Values(rs.by))
}

// unload drops the feeds of rooms without a follower that long had no request or message, except the main room. Boards
// are redrawn for the next visitor.
func (w *Web) unload(now time.Time) {
	w.rooms.mu.Lock()
	defer w.rooms.mu.Unlock()
	maps.DeleteFunc(w.rooms.by, func(_ chat.Place, r *room) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r != w.room && len(r.here) == 0 && now.Sub(r.used) > unusedIn
	})
}
