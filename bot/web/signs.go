package web

import (
	"encoding/json"
	"slices"
)

// What open pages are told once and nobody keeps: signs, and where the room is from now on.

// maxSigns is how many signs wait for a page that is slow.
const maxSigns = 16

// shownSign is one that was shown.
type shownSign struct {
	ID   string `json:"id"`             // whose it is, as those who are here are named
	Seat *int   `json:"seat,omitempty"` // where they sit, if they do
	Sign string `json:"sign"`

	number uint64
}

// shows keeps a sign for the pages that are open.
func (r *room) shows(v visitor, who person, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	user := v.user(who.Number)
	r.signed++
	s := shownSign{ID: r.idOf(user), Sign: what, number: r.signed}
	for _, p := range r.seated() {
		if p.User == user {
			s.Seat = &p.Seat
		}
	}
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wake()
}

// signsAfter returns the signs that were shown after one, as events of the stream, and the last.
func (r *room) signsAfter(number uint64) (events string, last uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.signs {
		if s.number > number {
			raw, err := json.Marshal(s)
			if err != nil {
				panic(err) // strings and numbers always marshal
			}
			events += "event: sign\ndata: " + string(raw) + "\n\n"
		}
	}
	return events, r.signed
}

// moves tells open pages where the room is from now on.
func (r *room) moves(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.path = path
	r.wake()
}

// movedFrom returns the event that tells a page at a path where the room is, "" where it is there, and its path now.
// It goes by the path: a page may have come to the old one just before the room moved.
func (r *room) movedFrom(path string) (event, now string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path == "" || r.path == path {
		return "", path
	}
	raw, err := json.Marshal(roomPath{r.path})
	if err != nil {
		panic(err) // a string always marshals
	}
	return "event: moved\ndata: " + string(raw) + "\n\n", r.path
}

// roomPath is where a room is.
type roomPath struct {
	Path string `json:"path"`
}
