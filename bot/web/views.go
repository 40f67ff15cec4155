package web

import (
	"fmt"
	"sync"

	"knobel/bot/chat"
)

// Boards as pages see them: drawn for their own people and in their own language, with what is open there alone.

// views are a board as pages have seen it since its last change, by what they see alike: a hundred who only
// watch cost one drawing.
type views struct {
	mu sync.Mutex
	by map[string]*view
}

// view is a board as some pages see it.
type view struct {
	mu      sync.Mutex // held while it is drawn
	drawn   bool
	message chat.Message
}

// maxViews is how many kinds of a board are kept at most; further ones are drawn each time.
const maxViews = 64

// at returns the view of a kind.
func (v *views) at(kind string) *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	if found := v.by[kind]; found != nil {
		return found
	}
	made := &view{}
	if v.by == nil {
		v.by = map[string]*view{}
	}
	if len(v.by) < maxViews {
		v.by[kind] = made
	}
	return made
}

// kindOf names what those see alike who look alike.
func kindOf(by chat.Viewer) string { return fmt.Sprintf("%+v", by) }

// retired is a board on which nothing can be pressed.
func retired(m chat.Message) chat.Message {
	m.Buttons, m.Pick, m.Steps, m.Live = nil, nil, nil, false
	for i := range m.Dice {
		m.Dice[i].Press = ""
	}
	if m.Sheet != nil {
		for _, row := range m.Sheet.Rows {
			for i := range row.Cells {
				row.Cells[i].Press, row.Cells[i].Label = "", ""
			}
		}
	}
	return m
}
