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

// Stored state of the rooms that people make.

// storedRoom is the stored state of a room, with Out, the fingerprints of removed visitors.
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

// chatOf returns the chat of the room with a number; its one place has the same name.
func chatOf(number int64) chat.Chat { return chat.Chat(roomPrefix + strconv.FormatInt(number, 10)) }

// query returns the result of read on the database; ok is false, without an error, if read fails with
// store.ErrNotFound.
func query[T any](ctx context.Context, w *Web, read func(*store.Tx) (T, error)) (got T, ok bool, err error) {
	err = w.config.Store.View(ctx, func(tx *store.Tx) (err error) {
		got, err = read(tx)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return got, false, nil
	}
	return got, err == nil, err
}

// update carries out a change of the database; ok is false, without an error, if change fails with store.ErrNotFound.
func (w *Web) update(ctx context.Context, change func(*store.Tx) error) (ok bool, err error) {
	err = w.config.Store.Update(ctx, change)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// roomAtAddress returns the stored room at an address; ok is false if there is none.
func (w *Web) roomAtAddress(ctx context.Context, address string) (r storedRoom, ok bool, err error) {
	return w.storedRoom(ctx, func(tx *store.Tx) (store.WebRoom, error) {
		return tx.Rooms.WebRoomByPrint(printOf(address))
	})
}

// roomOfNumber returns the stored room with a number; ok is false if there is none.
func (w *Web) roomOfNumber(ctx context.Context, number int64) (r storedRoom, ok bool, err error) {
	return w.storedRoom(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(number) })
}

// storedRoom returns the room that read finds, with the visitors removed from it; ok is false if there is none.
func (w *Web) storedRoom(ctx context.Context, read func(*store.Tx) (store.WebRoom, error)) (
	r storedRoom, ok bool, err error) {
	return query(ctx, w, func(tx *store.Tx) (r storedRoom, err error) {
		if r.WebRoom, err = read(tx); err == nil {
			r.Out, err = tx.Rooms.ShownOut(r.ID)
		}
		return r, err
	})
}

// roomsBelow is the beginning of the paths of rooms that people make.
const roomsBelow = "/r/"

// addresses matches the last part of a room's path, in capitals.
var addresses = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// printOf returns the fingerprint of a room's address, whose 130 random bits cannot be guessed.
func printOf(address string) string {
	sum := sha256.Sum256([]byte("knobel room " + address))
	return hex.EncodeToString(sum[:])
}

// stored returns the stored state of the room as last read, and when the room was last used.
func (r *room) storedState() (kept storedRoom, used time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.used
}

// loadStored takes over kept, read from the database, and the address by which the room was found unless that is "".
// What memory has and kept lacks stays: a later visit of the host, and further removed visitors.
func (r *room) loadStored(kept storedRoom, address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used, r.address = time.Now(), cmp.Or(address, r.address)
	if r.state.Host == kept.Host {
		kept.Seen = max(kept.Seen, r.state.Seen)
	}
	if len(r.state.Out) > len(kept.Out) {
		kept.Out = r.state.Out // the state from the database may be older
	}
	other := kept.Host != r.state.Host || len(kept.Out) > len(r.state.Out)
	if r.state = kept; other {
		r.touch(-1)
	}
}

// outPrint returns the fingerprint that is stored when the visitor with that prefix of ids is removed. It differs in
// each room.
func (r *room) outPrint(prefix string) string {
	return imprint("knobel out " + string(r.chat) + " " + prefix)
}

// imprint returns half of the SHA-256 of text in hexadecimal, as a fingerprint.
func imprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Upkeep of rooms: a new host for an absent one, and removal of unused rooms from memory and the database.

const (
	// keepEvery is the interval of upkeep.
	keepEvery = time.Minute
	// unusedIn is how long a room without an open page, request or message stays in memory.
	unusedIn = time.Hour
	// storedEvery is the interval of storing when rooms and their hosts were last seen: a crash loses no more.
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

// keeping runs keep every keepEvery until ctx is done, and logs its errors.
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

// keep does the upkeep of all rooms once. It drops those from memory, except the main one, that had no open page,
// request or message for unusedIn: their boards are drawn again for the next visitor.
func (w *Web) keep(ctx context.Context, now time.Time) error {
	for _, room := range w.rooms.all() {
		if room == w.room {
			continue
		}
		if err := w.keepRoom(ctx, room, now); err != nil {
			return err
		}
	}
	w.rooms.mu.Lock()
	maps.DeleteFunc(w.rooms.by, func(_ chat.Place, r *room) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r != w.room && len(r.here) == 0 && now.Sub(r.used) > unusedIn
	})
	w.rooms.mu.Unlock()
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

// keepRoom replaces a host who is away for hostAway, or else stores when the room was last used, if that is due.
func (w *Web) keepRoom(ctx context.Context, room *room, now time.Time) error {
	next, due := room.checkHost(now, w.began)
	if next.user != "" { // the host may be present on another replica
		if err := w.reloadState(ctx, room); err != nil {
			return err
		}
		next, due = room.checkHost(now, w.began)
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

// checkHost notes that the host and others are present at now. It returns the person who must become host, zero if
// none, and whether the last visit must be stored. began is when this replica started.
func (r *room) checkHost(now, began time.Time) (next present, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	host, hosted, seen := prefixOf(r.state.host()), false, time.UnixMilli(r.state.Seen)
	var first follower // the first to come of those who may become host
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
	// If the first one is on another replica, that one makes them host.
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
	return slices.Collect(maps.Values(rs.by))
}
