package web

import (
	"context"
	"errors"
	"net/http"
)

// self is what a page knows of its own visitor.
type self struct {
	People []person `json:"people"`
	Full   bool     `json:"full"`            // nobody more can be added
	Fresh  bool     `json:"fresh,omitempty"` // a stranger, who has yet to say a name
	Toast  string   `json:"toast,omitempty"`
}

// change is what a page asks to do with the people at its browser: one of its
// three parts.
type change struct {
	Add    string  `json:"add,omitempty"`
	Rename *person `json:"rename,omitempty"`
	Remove *int    `json:"remove,omitempty"`
}

// me tells a page who its visitor is, and makes a visitor of a stranger.
func (w *Web) me(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		v = newVisitor(w.pages.words(r)["guest"])
	}
	w.remember(rw, r, v)
	s := selfOf(v)
	s.Fresh = !ok
	w.writeJSON(rw, s)
}

func selfOf(v visitor) self {
	return self{People: v.People, Full: len(v.People) >= maxPeople}
}

// people adds, renames or removes somebody at this browser.
func (w *Web) people(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.receiveJSON(rw, r)
	if !ok {
		return
	}
	var c change
	if err := readJSON(r.Body, &c); err != nil {
		refuseBody(rw, err)
		return
	}
	err := v.change(c)
	if err == nil {
		w.remember(rw, r, v)
	}
	s := selfOf(v)
	if err != nil {
		s.Toast = w.pages.words(r)[refusal(err)]
	}
	w.writeJSON(rw, s)
}

// change does one change and leaves the visitor alone where it cannot.
func (v *visitor) change(c change) error {
	switch {
	case c.Rename != nil:
		return v.rename(c.Rename.Number, c.Rename.Name)
	case c.Remove != nil:
		return v.remove(*c.Remove)
	default:
		return v.add(c.Add)
	}
}

// refusal is the key of the sentence that says why people stay as they are.
func refusal(err error) string {
	switch {
	case errors.Is(err, errFull):
		return "people-full"
	case errors.Is(err, errLastPerson):
		return "people-last"
	case errors.Is(err, errNoPerson):
		return "people-unknown"
	default:
		return "people-no-name"
	}
}

// everybody may change the room.
func everybody(context.Context) bool { return true }
