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

// Boards as pages show them: drawn for each viewer, in their language, with their private pages.

// pageMessage is one message of a room in the JSON for a visitor's page.
type pageMessage struct {
	Ref     chat.Ref     `json:"ref"`
	Message chat.Message `json:"message"`
	// Past marks the board of a past game: pages show only a line for it, even if there is no newer table.
	Past bool `json:"past,omitempty"`
	// At is the time of the last change, in Unix seconds.
	At int64 `json:"at"`
	// Mine maps seats to the numbers of the visitor's people there. Whose maps a press (the text of a button) to the
	// numbers of the visitor's people who may press it.
	Mine  map[int]int      `json:"mine,omitempty"`
	Whose map[string][]int `json:"whose,omitempty"`
}

// pageMessage returns e, drawn as m, in the form for a page of v. A button without an entry in Whose is for the mover,
// or all. The button that ends a table is for people not out of the game: those seated, then others in m.Concerns.
func (v visitor) pageMessage(e entry, m chat.Message) pageMessage {
	p := pageMessage{Ref: e.ref, Message: m, Past: e.past, At: e.at.Unix(),
		Mine: map[int]int{}, Whose: map[string][]int{}}
	var out, ends []chat.User
	for _, seat := range m.People {
		if number, own := v.numberOf(seat.User); own {
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
			if number, own := v.numberOf(user); own && !slices.Contains(p.Whose[press], number) {
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

// drawAll returns entries drawn for a page of v; whole is false if one could not be drawn. If opened (the page has just
// been opened), boards show the final state without the animated steps.
func (r *room) drawAll(ctx context.Context, v visitor, entries []entry, opened bool) (all []pageMessage, whole bool) {
	all, whole = []pageMessage{}, true
	for _, e := range entries {
		m, drawn := r.drawFor(ctx, v, e)
		whole = whole && drawn
		if opened {
			m.Steps = nil
		}
		if v.Screen {
			m = forScreen(m)
		}
		all = append(all, v.pageMessage(e, m))
	}
	return all, whole
}

// viewer returns v as a viewer of the board m. open is the private page that v has open on the board, zero for none.
func (v visitor) viewer(m chat.Message, open chat.Opened) chat.Viewer {
	viewer := chat.Viewer{Lang: v.Lang, Open: open}
	for _, user := range m.Concerns {
		if v.hasUser(user) {
			viewer.People = append(viewer.People, user)
		}
	}
	viewer.Unseated = slices.ContainsFunc(v.People, func(p person) bool {
		return !slices.ContainsFunc(m.People, func(seat chat.Person) bool { return seat.User == v.user(p.Number) })
	})
	return viewer
}

const (
	// viewWithin is the timeout of drawing a board for a viewer.
	viewWithin = 10 * time.Second
	// viewAgain is the pause before a failed drawing is tried again.
	viewAgain = 2 * time.Second
)

// drawFor returns the message of e for a page of v: a board drawn for its people, or a puzzle or sentence in its
// language. If drawing fails, m is the shared message; drawn is then false, so that the caller tries again, or
// true if the table or puzzle is gone for good.
func (r *room) drawFor(ctx context.Context, v visitor, e entry) (m chat.Message, drawn bool) {
	viewer, puzzle := chat.Viewer{Lang: v.Lang}, e.message.Puzzle
	switch {
	case e.sentence.Key != "":
		head := strings.ReplaceAll(r.web.pages.texts[v.Lang][e.sentence.Key], "{name}", e.sentence.Name)
		return chat.Message{Lang: v.Lang, Head: head, Accent: -1}, true
	case e.message.Table != 0:
		viewer = v.viewer(e.message, e.open)
	case puzzle == 0:
		return withoutOthersButtons(e.message, v.hasUser), true
	}
	r.mu.Lock()
	key := fmt.Sprint(viewer)
	drawing := e.views[key]
	if drawing == nil {
		drawing = &view{viewer: viewer}
		if len(e.views) < maxViews {
			e.views[key] = drawing
		}
	}
	drawing.requested = true
	r.mu.Unlock()
	drawing.mu.Lock()
	defer drawing.mu.Unlock()
	if !drawing.drawn {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
		defer cancel()
		draw := func() (chat.Message, error) { return r.web.bot.View(ctx, e.message.Table, viewer) }
		if puzzle != 0 {
			draw = func() (chat.Message, error) { return r.web.bot.Puzzle(ctx, puzzle, v.Lang) }
		}
		m, err := draw()
		if err != nil {
			r.web.config.Log.Debug("draw message for viewer failed", "table", e.message.Table, "puzzle", puzzle,
				"error", err)
			return e.message, errors.Is(err, chat.ErrGone)
		}
		if e.retired {
			m = withoutButtons(m)
		}
		drawing.message, drawing.drawn = m, true
	}
	return drawing.message, true
}

// view is one drawing of a board, shared by all viewers who see the same: a hundred spectators cost one drawing.
type view struct {
	mu        sync.Mutex // held while it is drawn
	drawn     bool       // message is set
	message   chat.Message
	viewer    chat.Viewer
	requested bool // a page has requested it; guarded by room.mu
}

// maxViews is how many drawings of a board are cached; further ones are drawn for each request.
const maxViews = 64

// withoutOthersButtons returns m without the buttons that only other people may press. isOwn reports whether a user is
// one of the page's people.
func withoutOthersButtons(m chat.Message, isOwn func(chat.User) bool) chat.Message {
	rows := m.Buttons
	m.Buttons = nil
	for _, row := range rows {
		m.Row(slices.DeleteFunc(slices.Clone(row), func(b chat.Button) bool {
			return len(b.By) > 0 && !slices.ContainsFunc(b.By, isOwn)
		})...)
	}
	return m
}

// withoutButtons returns a copy of the board m without anything to press. It does not change m, which pages may read.
func withoutButtons(m chat.Message) chat.Message {
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
