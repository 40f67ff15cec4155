package web

import (
	"context"
	"errors"
	"time"

	"knobel/bot/chat"
)

// What becomes of rooms with time: hosts who stay away, rooms that nobody looks at, rooms that nobody uses.

const (
	// keepEvery is how often rooms are looked at.
	keepEvery = time.Minute
	// unusedIn is how long a room that nobody follows stays in memory.
	unusedIn = time.Hour
	// storedEvery is how much of what has been seen in a room may be lost by a crash.
	storedEvery = time.Hour
	// saidFor is how long what all in a room were told is kept at least, for who loads a page anew.
	saidFor = time.Hour
	// idleFor is how long a room without any game is kept when nobody is there.
	idleFor = 30 * 24 * time.Hour
	// backWithin is how long hosts have to come back after a start: they may have been there until the end.
	backWithin = time.Hour
)

// keeping looks at the rooms until ctx is done.
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

// keep looks at the rooms once.
func (w *Web) keep(ctx context.Context, now time.Time) error {
	for _, room := range w.rooms.all() {
		if room == w.room {
			continue
		}
		if err := w.keepRoom(ctx, room, now); err != nil {
			return err
		}
	}
	w.rooms.unload(now, w.room)
	if now.Sub(w.dropped) < storedEvery {
		return nil
	}
	w.dropped = now
	err := w.config.Rooms.DropIdle(ctx, now.Add(-idleFor))
	if w.config.Replicas != nil {
		err = errors.Join(err, w.config.Replicas.Shared.DropSaid(ctx, now.Add(-saidFor)))
	}
	return err
}

// keepRoom hands one room on whose host stays away, and stores when somebody was there.
func (w *Web) keepRoom(ctx context.Context, room *room, now time.Time) error {
	next, due := room.looks(now, w.began)
	if next.user != "" && room.shared != nil { // the host may have been seen on another replica
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
	number, host, seen, used := room.kept.Number, room.kept.Host, room.kept.HostSeen, room.used
	room.mu.Unlock()
	if err := w.config.Rooms.Seen(ctx, number, host, seen, used); err != nil {
		return err
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	room.kept.Used, room.unsaved = used, false
	return nil
}

// looks notes who is there. next becomes host, if somebody has to; due is whether it is time to store when
// somebody was there.
func (r *room) looks(now, began time.Time) (next present, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var longest *follower
	hosted := false
	for _, f := range r.here {
		if f.pages == 0 {
			continue
		}
		r.used = now
		hosted = hosted || f.is(r.kept.Host)
		if longest == nil || f.since.Before(longest.since) {
			longest = f
		}
	}
	seen := r.kept.HostSeen
	if hosted {
		r.unsaved = r.unsaved || now.Sub(seen) >= storedEvery
		r.kept.HostSeen = now
	}
	if back := began.Add(backWithin - hostAway); seen.Before(back) {
		seen = back
	}
	for _, a := range r.attending(now) {
		hosted = hosted || r.kept.Host != "" && a.Prefix == prefixOf(r.kept.Host)
		if longest != nil && a.Since.Before(longest.since) && a.Prefix != longest.Prefix && r.here[a.Prefix] == nil {
			longest = nil // who has been here longest is on another replica, which hands the room on
		}
	}
	if !hosted && longest != nil && (r.kept.Host == "" || now.Sub(seen) > hostAway) {
		p := longest.People[0]
		return present{Name: p.Name, user: longest.user(p.Number)}, false
	}
	return present{}, r.unsaved || r.used.Sub(r.kept.Used) >= storedEvery
}

// all are the rooms in memory.
func (rs *rooms) all() (all []*room) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.by {
		all = append(all, r)
	}
	return all
}

// unload forgets the feeds of rooms but one that nobody has followed or asked for lately: whoever comes next
// has the board drawn anew.
func (rs *rooms) unload(now time.Time, always *room) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for place, r := range rs.by {
		if r != always && r.unused(now) {
			delete(rs.by, place)
		}
	}
}

// unused reports whether nobody follows the room and nothing was asked or posted for long.
func (r *room) unused(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.here) == 0 && now.Sub(r.used) > unusedIn
}
