package engine

// Who works with a database, and how it is closed.

import (
	"errors"
	"sync"
)

var errClosed = errors.New("the database is closed")

// gate counts those who work with something until it is closed. The zero value is open.
type gate struct {
	mu     sync.Mutex
	inside int
	closed bool
	empty  chan struct{} // is closed once no one is inside; nil: it is not waited for
}

// enter reports whether the gate is open, and then calls note. The caller has to call leave then.
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

// lock runs use while the gate is locked: no one enters or leaves.
func (g *gate) lock(use func(inside int) bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return use(g.inside)
}

// close closes the gate, and waits for those who are inside.
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
