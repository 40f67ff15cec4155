package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// The host of a room: its maker, or the person who was made host later. Only the host changes the room.

// hostAway is how long a host may be away before a person who is present becomes host.
const hostAway = 24 * time.Hour

// hostOnly returns a handler that passes requests of the room's host to h, and refuses all others. id is the public id
// (known to pages) of the person that the host acts on, "" if the request names none.
func (w *Web) hostOnly(h func(rw http.ResponseWriter, r *http.Request, host visitor, id string)) http.HandlerFunc {
	type about struct{ Person string }
	return w.rateLimited(w.acts, jsonHandler(w, func(rw http.ResponseWriter, r *http.Request, v visitor, asked about) {
		if room := w.roomOf(r); room == w.room || !room.roleOf(v).host {
			http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
			return
		}
		h(rw, r, v, asked.Person)
	}))
}

// personByID returns the person in the room with that public id, which pages know. If not ok, it has sent an error.
func (w *Web) personByID(rw http.ResponseWriter, r *http.Request, personID string) (found present, ok bool) {
	for _, p := range w.roomOf(r).presentPeople() {
		if p.ID == personID {
			return p, true
		}
	}
	http.Error(rw, w.pages.words(r)["not-here"], http.StatusNotFound)
	return present{}, false
}

// handOver makes the person with the public id personID the host of the room. The person must have a page open.
func (w *Web) handOver(rw http.ResponseWriter, r *http.Request, _ visitor, personID string) {
	person, ok := w.personByID(rw, r, personID)
	if !ok {
		return
	}
	if person.Away {
		http.Error(rw, w.pages.words(r)["not-here"], http.StatusNotFound)
		return
	}
	switch ok, err := w.makeHost(r.Context(), w.roomOf(r), person, "host-now"); {
	case err != nil:
		w.answerFailure(rw, r, "store new host failed", err)
	case !ok: // another replica has changed the host meanwhile
		http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
	default:
		w.writeJSON(rw, struct{}{})
	}
}

// makeHost stores newHost as the host of room, and announces this by the sentence under sentenceKey. ok is false if the
// host has changed meanwhile, or the room was deleted; then room takes over its stored state.
func (w *Web) makeHost(ctx context.Context, room *room, newHost present, sentenceKey string) (ok bool, err error) {
	room.changing.Lock()
	defer room.changing.Unlock()
	kept, _ := room.storedState()
	now := time.Now().UnixMilli()
	ok, err = w.update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.HandWebRoom(kept.ID, kept.Host, string(newHost.user), now)
	})
	if err != nil {
		return false, err
	}
	if !ok {
		return false, w.reloadState(ctx, room)
	}
	room.mu.Lock()
	room.state.Host, room.state.Seen, room.unsaved = string(newHost.user), now, false
	room.touch(-1)
	room.mu.Unlock()
	w.announce(ctx, room, announcement{line: line{sentenceKey, newHost.Name}})
	return true, nil
}

// renewAddress gives the room a new address, and sends it to open pages. Requests at the old address are redirected for
// the host and seated people alone. Pushes to all others end.
func (w *Web) renewAddress(rw http.ResponseWriter, r *http.Request, host visitor, _ string) {
	room, from, to := w.roomOf(r), strings.TrimPrefix(roomBase(r), roomPathPrefix), rand.Text()
	sealed := encryptText(moveKey+from, to)
	isStranger := func(prefix string) bool { return !room.roleOf(visitor{Prefix: prefix}).privileged }
	room.changing.Lock()
	kept, _ := room.storedState()
	ok, err := w.update(r.Context(), func(tx *store.Tx) error {
		return cmp.Or(tx.Rooms.MoveWebRoom(kept.ID, addressHash(from), addressHash(to), sealed, maxMoves),
			room.dropPushes(tx, isStranger))
	})
	if ok {
		room.setAddress(to)
	}
	room.changing.Unlock()
	switch {
	case err != nil:
		w.answerFailure(rw, r, "renew room address failed", err)
	case !ok:
		w.noRoom(rw, r) // another request has moved it meanwhile
	default:
		w.announce(r.Context(), room, announcement{line: line{"renewed", host.People[0].Name}})
		w.writeJSON(rw, roomPath{roomPathPrefix + to})
	}
}

// removePerson removes the browser of the person with the public id personID from the room for good. The bot is told
// that all people at this browser have left the chat.
func (w *Web) removePerson(rw http.ResponseWriter, r *http.Request, host visitor, personID string) {
	person, ok := w.personByID(rw, r, personID)
	if !ok {
		return
	}
	if host.hasUser(person.user) {
		http.Error(rw, w.pages.words(r)["not-oneself"], http.StatusBadRequest)
		return
	}
	room := w.roomOf(r)
	kept, _ := room.storedState()
	fingerprint := room.removalHash(prefixOf(person.user))
	_, err := w.update(r.Context(), func(tx *store.Tx) error {
		return cmp.Or(tx.Rooms.ShowOut(kept.ID, fingerprint),
			room.dropPushes(tx, func(prefix string) bool { return prefix == prefixOf(person.user) }))
	})
	if err != nil {
		w.answerFailure(rw, r, "store removed visitor failed", err)
		return
	}
	left := room.removeVisitor(person.user, fingerprint)
	w.announce(r.Context(), room, announcement{line: line{removedKey, person.Name}})
	w.bot.Handle(r.Context(), chat.Event{Chat: room.chat, Place: room.place, Members: chat.Members{Left: left}})
	w.writeJSON(rw, struct{}{})
}

// removeVisitor removes the visitor at whose browser user plays from the room in memory. It adds fingerprint, their
// removalHash, to the list of removed visitors. It returns the people at this browser who were present.
func (r *room) removeVisitor(user chat.User, fingerprint string) (removed []chat.User) {
	r.mu.Lock()
	defer r.mu.Unlock()
	prefix := prefixOf(user)
	for _, p := range r.presentLocked() {
		if strings.HasPrefix(string(p.user), prefix) {
			removed = append(removed, p.user)
		}
	}
	r.state.Out = append(r.state.Out, fingerprint)
	delete(r.here, prefix)
	r.touch(-1)
	return removed
}

// roomPath is the JSON with the path of a room.
type roomPath struct {
	Path string `json:"path"`
}

// setAddress sets the room's address and wakes the streams, which send it to open pages.
func (r *room) setAddress(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Print, r.address, r.path = addressHash(address), address, roomPathPrefix+address
	r.wakeStreams()
}

// movedTo returns the stream event that sends a page to the room's new path.
func movedTo(path string) string {
	return "event: moved\ndata: " + string(must(json.Marshal(roomPath{path}))) + "\n\n"
}
