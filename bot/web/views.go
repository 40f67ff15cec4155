package web

import (
	"fmt"
	"slices"
	"sync"

	"knobel/bot/chat"
)

// Boards as pages see them: for their people, in their language, with their opened pages.

// views holds the drawings of a board since its last change, by viewer: a hundred spectators cost one drawing.
type views struct {
	mu sync.Mutex
	by map[string]*view
}

// view is one drawing of a board.
type view struct {
	mu      sync.Mutex // held while it is drawn
	drawn   bool
	message chat.Message
	by      chat.Viewer
	asked   bool // by a page
}

// maxViews is how many drawings of a board are kept; further ones are drawn each time.
const maxViews = 64

// newViews returns the views posted with a board.
func newViews(all []chat.View, retires bool) *views {
	v := &views{by: map[string]*view{}}
	for _, came := range all {
		if retires {
			came.Message = retired(came.Message)
		}
		seen := v.at(came.By, false)
		seen.drawn, seen.message = true, came.Message
	}
	return v
}

// at returns the view of a viewer. asks says that a page has asked for it.
func (v *views) at(by chat.Viewer, asks bool) *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	kind := fmt.Sprintf("%+v", by)
	if v.by[kind] == nil && len(v.by) < maxViews {
		v.by[kind] = &view{by: by}
	}
	found := v.by[kind]
	if found == nil {
		return &view{}
	}
	found.asked = found.asked || asks
	return found
}

// any reports whether a page has asked for the board.
func (v *views) any() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.by) > 0
}

// asked returns the viewers whose pages have asked for the board.
func (v *views) asked() (all []chat.Viewer) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, one := range v.by {
		if one.asked {
			all = append(all, one.by)
		}
	}
	return all
}

// pressable returns a message without the buttons that none of some people may press.
func pressable(m chat.Message, theirs func(chat.User) bool) chat.Message {
	rows := m.Buttons
	m.Buttons = nil
	for _, row := range rows {
		m.Row(slices.DeleteFunc(slices.Clone(row), func(b chat.Button) bool {
			return len(b.By) > 0 && !slices.ContainsFunc(b.By, theirs)
		})...)
	}
	return m
}

// retired returns a copy of a board without buttons: pages may be reading the board.
func retired(m chat.Message) chat.Message {
	m.Buttons, m.Pick, m.Steps, m.Live, m.Ends = nil, nil, nil, false, ""
	m.Dice = slices.Clone(m.Dice)
	for i := range m.Dice {
		m.Dice[i].Press = ""
	}
	if m.Sheet != nil {
		sheet := *m.Sheet
		sheet.Rows = slices.Clone(sheet.Rows)
		m.Sheet = &sheet
		for r := range sheet.Rows {
			row := &sheet.Rows[r]
			row.Cells = slices.Clone(row.Cells)
			for i := range row.Cells {
				row.Cells[i].Press, row.Cells[i].Label = "", ""
			}
		}
	}
	return m
}
