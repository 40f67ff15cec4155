package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
)

// maxGuests is how many proposed names are remembered: more than can sit at
// the tables of a room and not have said a name.
const maxGuests = 512

// guests remembers which names were proposed to strangers, the newest last.
type guests struct {
	mu    sync.Mutex
	given []string
}

// guest returns a proposed name for a stranger that is not in use in the room: at a board, in the
// books, or as another proposal.
func (w *Web) guest(r *http.Request) string {
	room := w.roomOf(r)
	taken := room.names()
	if w.config.Names != nil {
		known, err := w.config.Names(r.Context(), room.chat)
		if err != nil {
			w.config.Log.Error("read who is known in the room", "error", err)
		}
		for _, name := range known {
			taken[name] = true
		}
	}
	return w.guests.propose(w.pages.words(r)["guest"], taken)
}

// propose makes a name of a word and a number of two digits, or of more where
// these are taken.
func (g *guests) propose(word string, taken map[string]bool) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	name := ""
	for least, tries := 10, 0; name == "" || taken[name] || slices.Contains(g.given, name); tries++ {
		if tries == 64 {
			least, tries = least*10, 0
		}
		name = fmt.Sprintf("%s %d", word, least+rand.IntN(9*least))
	}
	if g.given = append(g.given, name); len(g.given) > maxGuests {
		g.given = slices.Delete(g.given, 0, len(g.given)-maxGuests)
	}
	return name
}
