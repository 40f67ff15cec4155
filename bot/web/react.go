package web

import (
	"net/http"
	"slices"
)

// Reactions: short-lived signs that somebody shows to all in a room. They are not kept.

// reactions are the signs that there are.
var reactions = []string{"clap", "laugh", "wow", "cry", "fire", "dice"}

// reaction is what a page sends to show a sign.
type reaction struct {
	As   int    `json:"as"`
	Sign string `json:"sign"`
}

// react shows a sign to all.
func (w *Web) react(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.receiveJSON(rw, r)
	if !ok {
		return
	}
	var a reaction
	if err := readJSON(r.Body, &a); err != nil {
		refuseBody(rw, err)
		return
	}
	who, ok := v.person(a.As)
	if !ok || !slices.Contains(reactions, a.Sign) {
		http.Error(rw, "no such sign", http.StatusBadRequest)
		return
	}
	w.roomOf(r).shows(v, who, a.Sign)
	w.writeJSON(rw, struct{}{})
}
