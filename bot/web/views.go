package web

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// Boards as pages show them: drawn for their people, in their language, with their private pages.

// posted is one message of the feed in the form that a visitor's page receives.
type posted struct {
	Ref     chat.Ref     `json:"ref"`
	Message chat.Message `json:"message"`
	// Past marks a table that ended earlier, which is shown among past games even if it is the only one.
	Past bool `json:"past,omitempty"`
	// At is the time of the last change, in Unix seconds.
	At int64 `json:"at"`
	// Mine maps seats to the numbers of the visitor's people, and Whose maps presses to the numbers of those who may
	// press.
	Mine  map[int]int      `json:"mine,omitempty"`
	Whose map[string][]int `json:"whose,omitempty"`
}

// posted returns the entry e, drawn as m, in the form for a page of v. Mine has the visitor's people by seat, and Whose
// by press, seated ones first. A press missing from Whose is for the mover, or for all. The press that ends a table is
// for seated people who are not out of the game, then for the others in m.Concerns.
func (v visitor) posted(e entry, m chat.Message) posted {
	p := posted{Ref: e.ref, Message: m, Past: e.past, At: e.at.Unix(), Mine: map[int]int{}, Whose: map[string][]int{}}
	var out, ends []chat.User
	for _, seat := range m.People {
		if number, own := v.owns(seat.User); own {
			p.Mine[seat.Seat] = number
		}
		if seat.State == games.Out {
			out = append(out, seat.User)
		} else if !seat.Reserved {
			ends = append(ends, seat.User)
		}
	}
	for _, user := range m.Concerns {
		if !slices.Contains(out, user) {
			ends = append(ends, user)
		}
	}
	adds := func(press string, users ...chat.User) {
		for _, user := range users {
			if number, own := v.owns(user); own && !slices.Contains(p.Whose[press], number) {
				p.Whose[press] = append(p.Whose[press], number)
			}
		}
	}
	if m.Ends != "" {
		adds(m.Ends, ends...)
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if on, _ := chat.ParsePress(b.Press); on.What == "!end" || strings.HasPrefix(on.What, "!end ") {
			adds(b.Press, ends...)
		} else {
			adds(b.Press, append([]chat.User{b.For}, b.By...)...)
		}
	}
	return p
}

// draw returns entries drawn for a page of v, and reports whether all could be drawn. If the page was just opened, its
// boards show the final state without the steps that led there.
func (r *room) draw(ctx context.Context, v visitor, entries []entry, opened bool) (all []posted, whole bool) {
	all, whole = []posted{}, true
	for _, e := range entries {
		m, drawn := r.drawFor(ctx, v, e)
		whole = whole && drawn
		if opened {
			m.Steps = nil
		}
		all = append(all, v.posted(e, m))
	}
	return all, whole
}

// viewer returns v as a viewer of the board m, with the private page open.
func (v visitor) viewer(m chat.Message, open chat.Opened) chat.Viewer {
	by := chat.Viewer{Lang: v.Lang, Open: open}
	for _, user := range m.Concerns {
		if v.is(user) {
			by.People = append(by.People, user)
		}
	}
	by.Unseated = slices.ContainsFunc(v.People, func(p person) bool {
		return !slices.ContainsFunc(m.People, func(seat chat.Person) bool { return seat.User == v.user(p.Number) })
	})
	return by
}

const (
	// viewWithin is the timeout of drawing a board.
	viewWithin = 10 * time.Second
	// viewAgain is the pause before drawing is tried again.
	viewAgain = 2 * time.Second
)

// drawFor returns the message of e as a page of the visitor by shows it: a board drawn for its people, a puzzle or a
// sentence in their language. If drawing fails, m is the message that all share, and drawn is false unless the table or
// puzzle is gone for good.
func (r *room) drawFor(ctx context.Context, by visitor, e entry) (m chat.Message, drawn bool) {
	viewer, puzzle := chat.Viewer{Lang: by.Lang}, e.message.Puzzle
	switch {
	case e.said.Key != "":
		head := strings.ReplaceAll(r.web.pages.texts[by.Lang][e.said.Key], "{name}", e.said.Name)
		return chat.Message{Lang: by.Lang, Head: head, Accent: -1}, true
	case e.message.Table != 0:
		viewer = by.viewer(e.message, e.open)
	case puzzle == 0:
		return pressable(e.message, by.is), true
	}
	r.mu.Lock()
	key := fmt.Sprint(viewer)
	v := e.views[key]
	if v == nil {
		v = &view{by: viewer}
		if len(e.views) < maxViews {
			e.views[key] = v
		}
	}
	v.asked = true
	r.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.drawn {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
		defer cancel()
		draw := func() (chat.Message, error) { return r.web.bot.View(ctx, e.message.Table, viewer) }
		if puzzle != 0 {
			draw = func() (chat.Message, error) { return r.web.bot.Puzzle(ctx, puzzle, by.Lang) }
		}
		m, err := draw()
		if err != nil {
			r.web.config.Log.Debug("draw message for viewer failed", "table", e.message.Table, "puzzle", puzzle,
				"error", err)
			return e.message, errors.Is(err, chat.ErrGone)
		}
		if e.retired {
			m = retired(m)
		}
		v.message, v.drawn = m, true
	}
	return v.message, true
}

// view is one drawing of a board for all viewers who see the same: a hundred spectators cost one drawing. The lock of
// the room guards asked.
type view struct {
	mu      sync.Mutex // held while it is drawn
	drawn   bool
	message chat.Message
	by      chat.Viewer
	asked   bool // a page has requested it
}

// maxViews is how many drawings of a board are kept; further ones are drawn each time.
const maxViews = 64

// pressable returns m without the buttons that only other people may press; theirs reports whether a user is one of the
// page's people.
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

// retired returns a copy of a board without anything to press. It changes no part of m, which pages may be reading.
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
