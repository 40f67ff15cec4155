package engine

// Counting the users of a database, and closing it.

import (
	"errors"
	"sync"
)

var errClosed = errors.New("the database is closed")

// gate counts the users of something until it is closed. The zero value is open.
type gate struct {
	mu     sync.Mutex
	inside int
	closed bool
	empty  chan struct{} // closed once no user is inside; nil: not waited for
}

// enter reports whether the gate is open, and then calls note. The caller must then call leave.
func (g *gate) enter(note func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.inside++
	if note != nil {
		note()
	}
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside--; g.inside == 0 && g.empty != nil {
		close(g.empty)
		g.empty = nil
	}
}

// lock runs use while no user enters or leaves.
func (g *gate) lock(use func(inside int) bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return use(g.inside)
}

// close closes the gate and waits for the users inside.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	if g.inside == 0 {
		g.mu.Unlock()
		return
	}
	empty := make(chan struct{})
	g.empty = empty
	g.mu.Unlock()
	<-empty
}
