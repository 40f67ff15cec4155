package web

import (
	"encoding/json"
	"slices"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
)

// What open pages and other replicas are told once and nobody keeps: signs, and where the room is from now on.

// maxSigns is how many signs wait for a page that is slow.
const maxSigns = 16

// shownSign is one that was shown.
type shownSign struct {
	ID   string `json:"id"`             // whose it is, as those who are here are named
	Seat *int   `json:"seat,omitempty"` // where they sit, if they do
	Sign string `json:"sign"`

	number uint64
}

// shows keeps a sign of somebody for the pages that are open.
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

// keeps has a sign wait for the pages that are open; the lock is held.
func (r *room) keeps(s shownSign) {
	r.signed++
	s.number = r.signed
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wake()
}

// notAlong is the event that tells a page that its room is there no more.
const notAlong = "event: gone\ndata: {}\n\n"

// roomPath is where a room is.
type roomPath struct {
	Path string `json:"path"`
}

// moves tells open pages that the room is at another path from now on.
func (r *room) moves(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.path = path
	r.wake()
}

// movedTo is the event that tells a page where its room is now.
func movedTo(path string) string {
	return "event: moved\ndata: " + string(must(json.Marshal(roomPath{path}))) + "\n\n"
}

// comesAlong reports whether a visitor is told where the room is when it moves: the host, and whoever sits there.
// The lock is held.
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

// leads reports whether a visitor is led to where the room is now.
func (r *room) leads(v visitor) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.comesAlong(v)
}

// hint is one of the things that a replica tells the others.
type hint struct {
	Room chat.Place `json:"room,omitempty"` // that it is about
	// Look: something has changed there that no table is.
	Look bool `json:"look,omitempty"`
	// Here is who is here, in a room.
	Here *replica.Presence `json:"here,omitempty"`
	// Sign is one that somebody has shown.
	Sign *shownSign `json:"sign,omitempty"`
	// Turned is a page that the visitor By has opened on a board, and Plays who plays at their browser now.
	By     string       `json:"by,omitempty"`
	Turned *chat.Opened `json:"turned,omitempty"`
	Plays  []person     `json:"plays,omitempty"`
}
