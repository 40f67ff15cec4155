package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"knobel/bot/chat"
	"knobel/store"
)

// self is a page's view of its own visitor.
type self struct {
	People []person `json:"people"`
	Full   bool     `json:"full"`            // no more people can be added
	Fresh  bool     `json:"fresh,omitempty"` // the proposed name was neither changed nor confirmed
	Toast  string   `json:"toast,omitempty"`
}

// change is one change of the people at a browser: one of its fields.
type change struct {
	Add    string  `json:"add,omitempty"`
	Rename *person `json:"rename,omitempty"`
	Remove *int    `json:"remove,omitempty"`
	// Nameless keeps the proposed name of a new person.
	Nameless bool `json:"nameless,omitempty"`
}

// me returns the page's visitor, and creates one for a stranger. Pages use POST, which no other site can send. GET is
// for programs and creates nothing for a browser led here by a link.
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

// unknown answers a request without a visitor: the browser has opened no page before, or keeps no cookies.
func (w *Web) unknown(rw http.ResponseWriter, r *http.Request) {
	http.Error(rw, w.pages.words(r)["no-cookies"], http.StatusPreconditionRequired)
}

// led reports whether another site may have led a browser here. Such a request carries no strict cookie, so it may
// belong to a known visitor.
func led(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" || site != "" && site != "same-origin" || wantsPage(r)
}

func selfOf(v visitor) self {
	return self{People: v.People, Full: len(v.People) >= maxPeople, Fresh: v.Fresh}
}

// people adds, renames or removes a person at this browser.
func (w *Web) people(rw http.ResponseWriter, r *http.Request) {
	var c change
	v, ok := w.receive(rw, r, &c)
	if !ok {
		return
	}
	err := v.change(c)
	if err == nil {
		w.remember(rw, r, v)
		for _, room := range w.rooms.all() {
			room.plays(v.Prefix, v.People, v.Fresh)
		}
		w.hint(hint{By: v.ID, Plays: v.People})
		w.renewWay(r.Context(), v)
	}
	if c.Rename != nil && err == nil {
		who, _ := v.person(c.Rename.Number)
		ev := w.event(r, v, act{who: who})
		ev.Renamed = true
		w.bot.Handle(r.Context(), ev)
	}
	s := selfOf(v)
	if err != nil {
		s.Toast = w.pages.words(r)[err.Error()]
	}
	w.writeJSON(rw, s)
}

// change applies one change, or leaves the visitor as it was.
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

// guest returns a name for a stranger that is not used in the room: at a board, in the settlement, or by those present.
func (w *Web) guest(r *http.Request) string {
	room := w.roomOf(r)
	taken := room.names()
	known, _, err := query(r.Context(), w, func(tx *store.Tx) ([]store.Standing, error) {
		return tx.Scores.Standings(store.Wanted{Chat: string(room.chat)})
	})
	chat.LogFailure(r.Context(), w.config.Log.Error, "read names of room failed", err)
	for _, s := range known {
		taken[s.Name] = true
	}
	for _, p := range room.presents() {
		taken[p.Name] = true
	}
	return propose(w.pages.words(r)["guest"], taken)
}

// propose returns a word with a number of two digits, or more if these are taken.
func propose(word string, taken map[string]bool) (name string) {
	for least, tries := 10, 0; name == "" || taken[name]; tries++ {
		if tries == 64 {
			least, tries = least*10, 0
		}
		name = fmt.Sprintf("%s %d", word, least+rand.IntN(9*least))
	}
	return name
}
