package web

import (
	"fmt"
	"slices"
	"sync"

	"knobel/bot/chat"
)

// Boards as pages see them: for their people, in their language, with their opened pages.

// view is one drawing of a board for all viewers who see the same: a hundred spectators cost one drawing. The room's
// lock guards asked.
type view struct {
	mu      sync.Mutex // held while it is drawn
	drawn   bool
	message chat.Message
	by      chat.Viewer
	asked   bool // by a page
}

// maxViews is how many drawings of a board are kept; further ones are drawn each time.
const maxViews = 64

// view returns the view of a viewer whose page asks for a board.
func (r *room) view(e entry, by chat.Viewer) *view {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := fmt.Sprint(by)
	v := e.views[key]
	if v == nil {
		v = &view{by: by}
		if len(e.views) < maxViews {
			e.views[key] = v
		}
	}
	v.asked = true
	return v
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
