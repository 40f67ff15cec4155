package engine

// Hints by which processes learn early of each other's changes.

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxHint is the largest length of a hint, in bytes.
const maxHint = 7000

// Tellable reports whether a text can be a hint: it is UTF-8 without zero bytes, of at most 7,000 bytes.
func Tellable(text string) bool {
	return text != "" && len(text) <= maxHint && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// Hints are the listeners in this process. The zero value is ready; it is safe for concurrent use.
type Hints struct {
	mu    sync.Mutex
	last  int
	hears map[int]func(text string)
}

// Hear calls hear with each hint until stop is called; a call that has begun may still run.
func (h *Hints) Hear(hear func(text string)) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hears == nil {
		h.hears = map[int]func(text string){}
	}
	h.last++
	key := h.last
	h.hears[key] = hear
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.hears, key)
	}
}

// Tell calls all listeners.
func (h *Hints) Tell(texts ...string) {
	if len(texts) == 0 {
		return
	}
	h.mu.Lock()
	all := slices.Collect(maps.Values(h.hears))
	h.mu.Unlock()
	for _, text := range texts {
		for _, hear := range all {
			hear(text)
		}
	}
}
