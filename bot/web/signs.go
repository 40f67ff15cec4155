package web

import (
	"encoding/json"
	"slices"
)

// Events sent once to open pages and other replicas, and not stored: signs, and the room's new path.

// maxSigns is how many signs are kept for a slow page.
const maxSigns = 16

// shownSign is a sign that was shown.
type shownSign struct {
	ID   string `json:"id"`             // the person's id as in present
	Seat *int   `json:"seat,omitempty"` // their seat, if any
	Sign string `json:"sign"`

	number uint64
}

// shows queues a person's sign for the open pages.
func (r *room) shows(v visitor, who person, what string) *shownSign {
	r.mu.Lock()
	defer r.mu.Unlock()
	user := v.user(who.Number)
	s := shownSign{ID: r.idOf(user), Sign: what}
	for _, p := range r.seated() {
		if p.User == user {
			s.Seat = &p.Seat
		}
	}
	r.keeps(s)
	return &s
}

// keeps queues a sign for the open pages; the lock is held.
func (r *room) keeps(s shownSign) {
	r.signed++
	s.number = r.signed
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wake()
}

// notAlong is the event that tells a page that its room is gone.
const notAlong = "event: gone\ndata: {}\n\n"

// roomPath is the path of a room.
type roomPath struct {
	Path string `json:"path"`
}

// moves tells open pages the room's new path.
func (r *room) moves(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.path = path
	r.wake()
}

// movedTo returns the event with the room's new path.
func movedTo(path string) string {
	return "event: moved\ndata: " + string(must(json.Marshal(roomPath{path}))) + "\n\n"
}

// comesAlong reports whether a visitor learns the room's new path: the host and seated people do. The lock is held.
func (r *room) comesAlong(v visitor) bool {
	if v.is(r.kept.Host) {
		return true
	}
	for _, p := range r.seated() {
		if v.is(p.User) {
			return true
		}
	}
	return false
}

// leads reports whether a visitor is redirected to the room's new path.
func (r *room) leads(v visitor) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.comesAlong(v)
}
