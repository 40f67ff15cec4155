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
	closed bool
	inside sync.WaitGroup
}

// enter reports whether the gate is open. The caller must then call leave.
func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.inside.Add(1)
	}
	return !g.closed
}

func (g *gate) leave() { g.inside.Done() }

// close closes the gate and waits for the users inside. It returns false if the gate was closed before.
func (g *gate) close() bool {
	g.mu.Lock()
	was := g.closed
	g.closed = true
	g.mu.Unlock()
	g.inside.Wait()
	return !was
}
