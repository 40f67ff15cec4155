package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// The host of a room: its maker, or the person it was handed to. Only the host changes the room.

// hostAway is how long a host may be away before a person who is present becomes host.
const hostAway = 24 * time.Hour

// asHost returns a handler that passes requests of the room's host to h, and refuses all others. who is the id of the
// person in question, as pages know it, "" if none.
func (w *Web) asHost(h func(rw http.ResponseWriter, r *http.Request, host visitor, who string)) http.HandlerFunc {
	type about struct{ Person string }
	return w.paced(w.acts, received(w, func(rw http.ResponseWriter, r *http.Request, v visitor, asked about) {
		if room := w.roomOf(r); room == w.room || !room.relation(v).host {
			http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
			return
		}
		h(rw, r, v, asked.Person)
	}))
}

// asked returns the person of the room with the id that pages know. If that person is gone, ok is false and the error
// is already sent.
func (w *Web) asked(rw http.ResponseWriter, r *http.Request, id string) (who present, ok bool) {
	for _, p := range w.roomOf(r).presents() {
		if p.ID == id {
			return p, true
		}
	}
	http.Error(rw, w.pages.words(r)["not-here"], http.StatusNotFound)
	return present{}, false
}

// handOn makes the person with the id the host of the room. The person must have a page open.
func (w *Web) handOn(rw http.ResponseWriter, r *http.Request, _ visitor, id string) {
	who, ok := w.asked(rw, r, id)
	if !ok {
		return
	}
	if who.Away {
		http.Error(rw, w.pages.words(r)["not-here"], http.StatusNotFound)
		return
	}
	switch ok, err := w.makeHost(r.Context(), w.roomOf(r), who, "host-now"); {
	case err != nil:
		w.failed(rw, r, "a room cannot be handed on", err)
	case !ok: // another replica has changed the host meanwhile
		http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
	default:
		w.writeJSON(rw, struct{}{})
	}
}

// makeHost stores who as the host of room, and announces it by the sentence of key. ok is false if the host has changed
// meanwhile, or the room is gone; then it reads the room's stored state again.
func (w *Web) makeHost(ctx context.Context, room *room, who present, key string) (ok bool, err error) {
	room.changing.Lock()
	defer room.changing.Unlock()
	kept, _ := room.storedState()
	now := time.Now().UnixMilli()
	ok, err = w.update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.HandWebRoom(kept.ID, kept.Host, string(who.user), now)
	})
	if err != nil {
		return false, err
	}
	if !ok {
		return false, w.reloadState(ctx, room)
	}
	room.mu.Lock()
	room.state.Host, room.state.Seen, room.unsaved = string(who.user), now, false
	room.touch(-1)
	room.mu.Unlock()
	w.announce(ctx, room, announcement{line: line{key, who.Name}})
	return true, nil
}

// renew gives the room a new address, and sends that to open pages. The old one redirects the host and seated people
// alone.
func (w *Web) renew(rw http.ResponseWriter, r *http.Request, host visitor, _ string) {
	room, from, to := w.roomOf(r), strings.TrimPrefix(roomBase(r), roomsBelow), rand.Text()
	sealed := sealBy(moveKey+from, to)
	room.changing.Lock()
	kept, _ := room.storedState()
	ok, err := w.update(r.Context(), func(tx *store.Tx) error {
		return tx.Rooms.MoveWebRoom(kept.ID, printOf(from), printOf(to), sealed, maxMoves)
	})
	if ok {
		room.setAddress(to)
	}
	room.changing.Unlock()
	switch {
	case err != nil:
		w.failed(rw, r, "the address of a room cannot be renewed", err)
	case !ok:
		w.noRoom(rw, r) // another request has moved it meanwhile
	default:
		w.announce(r.Context(), room, announcement{line: line{"renewed", host.People[0].Name}})
		w.writeJSON(rw, roomPath{roomsBelow + to})
	}
}

// showOut removes the browser of the person with the id from the room for good. For the bot, its people have left the
// chat.
func (w *Web) showOut(rw http.ResponseWriter, r *http.Request, host visitor, id string) {
	who, ok := w.asked(rw, r, id)
	if !ok {
		return
	}
	if host.is(who.user) {
		http.Error(rw, w.pages.words(r)["not-oneself"], http.StatusBadRequest)
		return
	}
	room := w.roomOf(r)
	kept, _ := room.storedState()
	fingerprint := room.outPrint(prefixOf(who.user))
	_, err := w.update(r.Context(), func(tx *store.Tx) error { return tx.Rooms.ShowOut(kept.ID, fingerprint) })
	if err != nil {
		w.failed(rw, r, "somebody cannot be shown out", err)
		return
	}
	left := room.removeVisitor(who.user, fingerprint)
	w.announce(r.Context(), room, announcement{line: line{shownOutSaid, who.Name}})
	w.bot.Handle(r.Context(), chat.Event{Chat: room.chat, Place: room.place, Members: chat.Members{Left: left}})
	w.writeJSON(rw, struct{}{})
}

// removeVisitor removes the visitor of user from the room, stores the visitor's fingerprint in memory, and returns
// their people in the room.
func (r *room) removeVisitor(user chat.User, fingerprint string) (left []chat.User) {
	r.mu.Lock()
	defer r.mu.Unlock()
	prefix := prefixOf(user)
	for _, p := range r.presentsLocked() {
		if strings.HasPrefix(string(p.user), prefix) {
			left = append(left, p.user)
		}
	}
	r.state.Out = append(r.state.Out, fingerprint)
	delete(r.here, prefix)
	r.touch(-1)
	return left
}

// roomPath is the JSON with the path of a room.
type roomPath struct {
	Path string `json:"path"`
}

// setAddress sets the room's address and wakes the streams, which send it to open pages.
func (r *room) setAddress(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Print, r.address, r.path = printOf(address), address, roomsBelow+address
	r.wakeStreams()
}

// movedTo returns the stream event that sends a page to the room's new path.
func movedTo(path string) string {
	return "event: moved\ndata: " + string(must(json.Marshal(roomPath{path}))) + "\n\n"
}
