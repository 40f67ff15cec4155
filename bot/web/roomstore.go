package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// The stored state of rooms that people make.

// storedRoom is the stored state of a room. Out lists the fingerprints (hashes) of removed visitors.
type storedRoom struct {
	store.WebRoom
	Out []string
}

// host returns the user who may change the room, "" if there is none or their data was deleted.
func (r storedRoom) host() chat.User {
	if store.Forgotten(r.Host) != 0 {
		return ""
	}
	return chat.User(r.Host)
}

const roomPrefix = "web:r-"

// roomChatOf returns the chat of the room with a number. Its only place has the same id.
func roomChatOf(number int64) chat.Chat { return chat.Chat(roomPrefix + strconv.FormatInt(number, 10)) }

// query runs read on the database and returns its result. If read returns store.ErrNotFound, ok is false and err nil.
func query[T any](ctx context.Context, w *Web, read func(*store.Tx) (T, error)) (result T, ok bool, err error) {
	err = w.config.Store.View(ctx, func(tx *store.Tx) (err error) {
		result, err = read(tx)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return result, false, nil
	}
	return result, err == nil, err
}

// update runs change on the database in a transaction. If change returns store.ErrNotFound, ok is false and err nil.
func (w *Web) update(ctx context.Context, change func(*store.Tx) error) (ok bool, err error) {
	err = w.config.Store.Update(ctx, change)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// storedRoomAt returns the stored room with an address; ok is false if there is none.
func (w *Web) storedRoomAt(ctx context.Context, address string) (r storedRoom, ok bool, err error) {
	return w.readStoredRoom(ctx, func(tx *store.Tx) (store.WebRoom, error) {
		return tx.Rooms.WebRoomByPrint(addressHash(address))
	})
}

// storedRoomByNumber returns the stored room with a number; ok is false if there is none.
func (w *Web) storedRoomByNumber(ctx context.Context, number int64) (r storedRoom, ok bool, err error) {
	return w.readStoredRoom(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(number) })
}

// readStoredRoom returns the room that read finds, with its removed visitors; ok is false if there is none.
func (w *Web) readStoredRoom(ctx context.Context, read func(*store.Tx) (store.WebRoom, error)) (
	r storedRoom, ok bool, err error) {
	return query(ctx, w, func(tx *store.Tx) (r storedRoom, err error) {
		if r.WebRoom, err = read(tx); err == nil {
			r.Out, err = tx.Rooms.ShownOut(r.ID)
		}
		return r, err
	})
}

// roomPathPrefix begins the paths of rooms that people make.
const roomPathPrefix = "/r/"

// addresses matches the address of a room, which is the last part of its path, in capitals.
var addresses = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// addressHash returns the fingerprint (SHA-256) of a room's address, whose 130 random bits cannot be guessed.
func addressHash(address string) string {
	sum := sha256.Sum256([]byte("knobel room " + address))
	return hex.EncodeToString(sum[:])
}

// storedState returns the stored state of the room as last read, and when the room was last used.
func (r *room) storedState() (state storedRoom, used time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.used
}

// loadStored takes over stored, the state read from the database. address is where the room was found; "" keeps the
// known address. It keeps a later visit of the host and further removed visitors that only memory has.
func (r *room) loadStored(stored storedRoom, address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used, r.address = time.Now(), cmp.Or(address, r.address)
	if r.state.Host == stored.Host {
		stored.Seen = max(stored.Seen, r.state.Seen)
	}
	if len(r.state.Out) > len(stored.Out) {
		stored.Out = r.state.Out // the state from the database may be older
	}
	other := stored.Host != r.state.Host || len(stored.Out) > len(r.state.Out)
	if r.state = stored; other {
		r.touch(-1)
	}
}

// removalHash returns the fingerprint of a removed visitor with that id prefix. It differs from room to room.
func (r *room) removalHash(prefix string) string {
	return shortHash("knobel out " + string(r.chat) + " " + prefix)
}

// shortHash returns half of the SHA-256 of text in hexadecimal.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Upkeep of rooms: a new host for an absent one, and deletion of unused rooms from memory and the database.

const (
	// keepEvery is the interval of upkeep.
	keepEvery = time.Minute
	// unusedIn is how long a room without an open page, request or message stays in memory.
	unusedIn = time.Hour
	// storedEvery is the interval at which the times of the last visits are stored: a crash loses no more than that.
	storedEvery = time.Hour
	// saidFor is the least time for which announcements are stored, so that a reloaded page shows them again. It covers
	// the notice before an evening, at most a day, and the evening.
	saidFor = 48 * time.Hour
	// idleFor is how long an empty room without a game is kept.
	idleFor = 30 * 24 * time.Hour
	// maxDropped is how many rooms and announcements are deleted at once.
	maxDropped = 10_000
	// backWithin is the time for hosts to return after the program starts: they may have been present when it stopped.
	backWithin = time.Hour
)

// runUpkeep runs upkeep every keepEvery until ctx is done, and logs its errors.
func (w *Web) runUpkeep(ctx context.Context) {
	ticks := time.NewTicker(keepEvery)
	defer ticks.Stop()
	for {
		chat.LogFailure(ctx, w.config.Log.Error, "room upkeep failed", w.upkeep(ctx, time.Now()))
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
	}
}

// upkeep does the upkeep of all rooms once. From memory it drops rooms, except the main one, without an open page,
// request or message for unusedIn. Their boards are drawn again at the next visit.
func (w *Web) upkeep(ctx context.Context, now time.Time) error {
	for _, room := range w.rooms.all() {
		if room == w.room || room.embeds {
			continue
		}
		if err := w.upkeepRoom(ctx, room, now); err != nil {
			return err
		}
	}
	w.rooms.mu.Lock()
	maps.DeleteFunc(w.rooms.byPlace, func(_ chat.Place, r *room) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r != w.room && len(r.here)+r.screens == 0 && now.Sub(r.used) > unusedIn
	})
	w.rooms.mu.Unlock()
	if err := w.dropEnded(ctx, now); err != nil {
		return err
	}
	if now.Sub(w.dropped) < storedEvery {
		return nil
	}
	w.dropped = now
	return w.config.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
		_, err := tx.Rooms.DropIdleWebRooms(now.Add(-idleFor).UnixMilli(), maxDropped)
		return errors.Join(err, tx.Rooms.DropSaid(now.Add(-saidFor).UnixMilli(), maxDropped))
	})
}

// upkeepRoom gives room a new host if the host was away for hostAway. Else it stores the times of the last visits, if
// due.
func (w *Web) upkeepRoom(ctx context.Context, room *room, now time.Time) error {
	next, due := room.checkHost(now, w.started)
	if next.user != "" { // another replica may have seen the host: read the stored state first
		if err := w.reloadState(ctx, room); err != nil {
			return err
		}
		next, due = room.checkHost(now, w.started)
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
	kept, used := room.storedState()
	_, err := w.update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.SeenInWebRoom(kept.ID, kept.Host, kept.Seen, used.UnixMilli())
	})
	if err != nil {
		return err
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	room.state.Used, room.unsaved = used.UnixMilli(), false
	return nil
}

// checkHost updates the times of the last visits, for the time now. next is the person who must become host, zero if
// none. due says that the times of the last visits must be stored. began is when this replica started.
func (r *room) checkHost(now, began time.Time) (next present, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	host, hosted, seen := prefixOf(r.state.host()), false, time.UnixMilli(r.state.Seen)
	var first follower // present longest among those who may become host
	for _, f := range r.followers(now) {
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
			r.state.Seen = now.UnixMilli()
		}
	}
	if back := began.Add(backWithin - hostAway); seen.Before(back) {
		seen = back
	}
	// If first is on another replica, that replica makes them host.
	if !hosted && r.here[first.Prefix] != nil && (host == "" || now.Sub(seen) > hostAway) {
		p := first.People[0]
		return present{Name: p.Name, user: visitor{Prefix: first.Prefix}.user(p.Number)}, false
	}
	return present{}, r.unsaved || r.used.Sub(time.UnixMilli(r.state.Used)) >= storedEvery
}

// all returns the rooms in memory.
func (rs *rooms) all() []*room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return slices.Collect(maps.Values(rs.byPlace))
}
