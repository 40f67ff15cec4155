package web

import (
	"fmt"
	"net/http"
	"slices"

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

// screenPages are the names in Config.Pages of the data that pages for televisions read: nothing in it is for one
// person alone.
var screenPages = []string{"evening", "log"}

// readerOf returns the visitor that requests the data called name, and the person who reads it; ok is false if there is
// none. A page for a television is no person.
func (w *Web) readerOf(r *http.Request, name string) (v visitor, who person, ok bool) {
	if isForScreen(r) && slices.Contains(screenPages, name) && !w.roomOf(r).embeds {
		return screen, person{}, true
	}
	if v, ok = w.visitorOf(r); ok {
		who = v.People[0]
	}
	return v, who, ok
}

// signOfLife returns a stream event for a page of v that shows that the stream is alive. One for a television names the
// version of the page's files: a newer one makes the page reload itself.
func (w *Web) signOfLife(v visitor) string {
	if !v.Screen {
		return ": still here\n\n"
	}
	return fmt.Sprintf("event: alive\ndata: %q\n\n", w.pages.statics.prefix)
}

// forScreen returns a copy of m for a page without controls: of a board all but what can be pressed or copied, and the
// steps to replay; of another message its sentences alone.
func forScreen(m chat.Message) chat.Message {
	if m.Table == 0 {
		return chat.Message{Lang: m.Lang, Head: m.Head, Told: m.Told, Lines: m.Lines, Accent: -1}
	}
	live, steps := m.Live, m.Steps
	m = withoutButtons(m)
	m.Live, m.Steps, m.Guide, m.Houses, m.Choices = live, steps, "", nil, nil
	m.Exact, m.Grids, m.Picture, m.File = nil, nil, nil, nil
	return m
}
