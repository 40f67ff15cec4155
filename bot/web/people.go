package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
)

// self is what a page knows of its own visitor.
type self struct {
	People []person `json:"people"`
	Full   bool     `json:"full"`            // nobody more can be added
	Fresh  bool     `json:"fresh,omitempty"` // nobody has said a name yet, or that they want none
	Toast  string   `json:"toast,omitempty"`
}

// change is what a page asks to do with the people at its browser: one of its
// parts.
type change struct {
	Add    string  `json:"add,omitempty"`
	Rename *person `json:"rename,omitempty"`
	Remove *int    `json:"remove,omitempty"`
	// Nameless: a new person keeps the name that was proposed.
	Nameless bool `json:"nameless,omitempty"`
}

// me returns the page's visitor, and makes a visitor of a stranger. The page asks by POST, which no
// other site can send. A program may ask by GET, which gives nothing of a browser away; a visitor
// whom a link has led here does not change.
func (w *Web) me(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	switch {
	case ok && r.Method == http.MethodPost:
		w.remember(rw, r, v)
	case ok:
	case r.Method != http.MethodPost && led(r):
		http.Error(rw, "no visitor: open the page first", http.StatusForbidden)
		return
	default:
		v = newVisitor(w.guest(r))
		w.remember(rw, r, v)
	}
	w.writeJSON(rw, selfOf(v))
}

// unknown answers a request without a visitor: its browser has opened no page before, or keeps no cookies.
func (w *Web) unknown(rw http.ResponseWriter, r *http.Request) {
	http.Error(rw, w.pages.words(r)["no-cookies"], http.StatusPreconditionRequired)
}

// led reports whether a link or a page of another site may have led a browser here: such a request
// asks for a page, and names its origin if the browser does that. It carries no strict cookie, so a
// request without one may belong to a known visitor.
func led(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" || site != "" && site != "same-origin" || wantsPage(r)
}

func selfOf(v visitor) self {
	return self{People: v.People, Full: len(v.People) >= maxPeople, Fresh: v.Fresh}
}

// people adds, renames or removes a person at this browser.
func (w *Web) people(b core, rw http.ResponseWriter, r *http.Request) {
	var c change
	v, ok := w.receive(rw, r, &c)
	if !ok {
		return
	}
	err := v.change(c)
	if err == nil {
		w.remember(rw, r, v)
		w.opened.plays(v.ID, v.People)
		w.line.Tell(hint{By: v.ID, Room: w.roomOf(r).place, Plays: v.People})
		w.renewWay(r.Context(), v)
		w.roomOf(r).renames(v)
	}
	if c.Rename != nil && err == nil {
		who, _ := v.person(c.Rename.Number)
		ev := w.event(r, v, act{who: who})
		ev.Renamed = true
		b.Handle(r.Context(), ev)
	}
	s := selfOf(v)
	if err != nil {
		s.Toast = w.pages.words(r)[err.Error()]
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
	case c.Nameless:
		v.Fresh = false
		return nil
	default:
		return v.add(c.Add)
	}
}

// guest returns a proposed name for a stranger that is not in use in the room: at a board, in the
// books, or by who is there.
func (w *Web) guest(r *http.Request) string {
	room := w.roomOf(r)
	taken := room.names()
	if w.config.Names != nil {
		known, err := w.config.Names(r.Context(), room.chat)
		if err != nil && r.Context().Err() == nil {
			w.config.Log.Error("read names of room failed", "error", err)
		}
		for _, name := range known {
			taken[name] = true
		}
	}
	for _, p := range room.presents() {
		taken[p.Name] = true
	}
	return propose(w.pages.words(r)["guest"], taken)
}

// propose makes a name of a word and a number of two digits, or of more where
// these are taken.
func propose(word string, taken map[string]bool) (name string) {
	for least, tries := 10, 0; name == "" || taken[name]; tries++ {
		if tries == 64 {
			least, tries = least*10, 0
		}
		name = fmt.Sprintf("%s %d", word, least+rand.IntN(9*least))
	}
	return name
}
