package bot_test

import (
	"os"
	"sync"
	"time"

	"knobel/store"
)

// bygone is what has been played in houses of several tests: the first of them plays it, the others begin with a copy
// of its database.
type bygone struct {
	mu     sync.Mutex
	file   []byte // nil: nobody has played yet
	until  time.Time
	seeds  counting
	events int
}

// into gives a house its past, and a bot that was started after it.
func (p *bygone) into(h *house, play func()) {
	h.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	seeds := p.seeds
	h.seeds = &seeds
	if p.file == nil {
		h.restart()
		play()
	}
	if err := h.store.Close(); err != nil {
		h.t.Fatal(err)
	}
	if p.file != nil {
		h.wait(p.until.Sub(h.time()))
		h.events = p.events
		if err := os.WriteFile(h.file, p.file, 0o600); err != nil {
			h.t.Fatal(err)
		}
	} else if store.IsFile(h.file) {
		file, err := os.ReadFile(h.file)
		if err != nil {
			h.t.Fatal(err)
		}
		p.file, p.until, p.seeds, p.events = file, h.time(), seeds, h.events
	}
	h.open()
}
