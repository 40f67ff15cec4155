package web

import (
	"net/http"

	"knobel/bot/chat"
)

// The page of a room for a television, BASE?view=screen: it needs no cookie, makes no person present, and has
// no controls.

// screen is the visitor of all these pages, without people: no person has an id with its prefix.
var screen = visitor{Prefix: "web:screen:", Screen: true}

// screenView is the query of the page for a television, and of its event stream.
const screenView = "view=screen"

// isForScreen reports whether r comes from a page for a television, or asks for one.
func isForScreen(r *http.Request) bool { return r.URL.Query().Get("view") == "screen" }

// countScreen counts a page for a television, and returns a function that ends the count.
func (r *room) countScreen() (closed func()) {
	add := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.screens += n
	}
	add(1)
	return func() { add(-1) }
}

// forScreen returns a copy of m for a page without controls, with the steps to replay.
func forScreen(m chat.Message) chat.Message {
	live, steps := m.Live, m.Steps
	m = withoutButtons(m)
	m.Live, m.Steps, m.Guide, m.Houses, m.Choices = live, steps, "", nil, nil
	return m
}
