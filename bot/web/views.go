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

// Boards as pages see them: for their people, in their language, with their opened pages.

// posted is one message of the feed as a visitor sees it.
type posted struct {
	Ref     chat.Ref     `json:"ref"`
	Message chat.Message `json:"message"`
	// Past marks an older finished table, shown among those even if it is the only one.
	Past bool `json:"past,omitempty"`
	// At is the time of the last change, in Unix seconds.
	At int64 `json:"at"`
	// Mine maps seats to the numbers of the visitor's people, and Whose presses to the people they are for.
	Mine  map[int]int      `json:"mine,omitempty"`
	Whose map[string][]int `json:"whose,omitempty"`
}

// posted returns an entry, drawn as m, with the visitor's people by seat and by press: for each press those it is for,
// seated ones first. A missing press is for the mover, or for all. A table is ended by seated people who are not out,
// then by the others in Concerns.
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

// draw draws entries for a page and reports whether all succeeded. A page that was just opened shows the final state
// without the steps that led there.
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

// viewer returns the viewer of a board.
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

// drawFor returns a message as a page sees it: a board drawn for its people while its table is known, or a puzzle in
// their language. If that fails, drawn is false and the message is the shared one.
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
