package bare

// Databases of versions before.

import (
	"os"
	"sync"
	"time"

	"knobel/store"
)

// Bygone is what has been played in houses of several tests: the first of them plays it, the others begin with a copy
// of its database.
type Bygone struct {
	mu     sync.Mutex
	file   []byte // nil: nobody has played yet
	until  time.Time
	seeds  Counting
	events int
}

// Into gives a house its past, and a bot that was started after it.
func (p *Bygone) Into(h *House, play func()) {
	h.T.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	seeds := p.seeds
	h.Seeds = &seeds
	if p.file == nil {
		h.Restart()
		play()
	}
	if err := h.Store.Close(); err != nil {
		h.T.Fatal(err)
	}
	if p.file != nil {
		h.Wait(p.until.Sub(h.Time()))
		h.Events = p.events
		if err := os.WriteFile(h.File, p.file, 0o600); err != nil {
			h.T.Fatal(err)
		}
	} else if store.IsFile(h.File) {
		file, err := os.ReadFile(h.File)
		if err != nil {
			h.T.Fatal(err)
		}
		p.file, p.until, p.seeds, p.events = file, h.Time(), seeds, h.Events
	}
	h.Open()
}
