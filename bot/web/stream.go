package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// The event stream by which pages follow a room.

// pulse is the interval of keep-alives on a quiet stream, by which proxies keep it and lost readers are noticed.
const pulse = 20 * time.Second

// news holds the refs of the whole feed, in order, and the messages that the page does not know.
type news struct {
	All     []chat.Ref `json:"all"`
	Entries []posted   `json:"entries"`
	// Calls are all notices shown to the visitor's people.
	Calls []notice `json:"calls,omitempty"`
	// Here are the people present, and Host says whether the visitor is the host.
	Here []present `json:"here"`
	Host bool      `json:"host,omitempty"`
	// Out are the names of removed people, as far back as the feed goes.
	Out []string `json:"out,omitempty"`
}

// notice is a call as a page shows it.
type notice struct {
	Ref   chat.Ref    `json:"ref"`
	As    int         `json:"as"` // number of the called person
	Text  string      `json:"text"`
	Board chat.Ref    `json:"board,omitempty"`
	Off   chat.Button `json:"off,omitzero"`
	// Offers are the buttons of a notice about offered seats.
	Offers []offer `json:"offers,omitempty"`
}

// offer is a button and the number of the visitor's person it is for, nil: the page's choice.
type offer struct {
	chat.Button
	As *int `json:"as,omitempty"`
}

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

// events streams the feed to a page until it or the server closes. Each event holds the newest state, so a missed one
// does not matter. HEAD answers whether there is room for a page.
func (w *Web) events(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.unknown(rw, r)
		return
	}
	place := w.streams.enter(w.claims(r, v), w.roomOf(r).leads(v))
	if place == nil {
		rw.Header().Set("Retry-After", "10")
		http.Error(rw, w.pages.words(r)["wait"], http.StatusTooManyRequests)
		return
	}
	defer place.leave()
	if r.Method == http.MethodHead {
		return
	}
	rw.Header().Set("Content-Type", "text/event-stream")
	rw.Header().Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(rw)
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return
	}
	send := func(text string) bool {
		if control.SetWriteDeadline(time.Now().Add(pulse)) != nil {
			return false
		}
		_, err := io.WriteString(rw, text)
		return err == nil && control.Flush() == nil
	}
	w.follow(r, v, place, send)
}

// follow sends each change of the feed until the page closes.
func (w *Web) follow(r *http.Request, v visitor, place *slot, send func(string) bool) {
	room := w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	at := room.known(r)
	room.openPage(v, time.Now())
	defer func() { room.closePage(v, time.Now()) }()
	base := baseOf(r)
	if !send("retry: 1000\n\n") { // only a page that reads it counts as present
		return
	}
	v.Lang = w.pages.lang(r)
	ticks := time.NewTicker(pulse)
	defer ticks.Stop()
	var again <-chan time.Time
	for first := true; ; first = false {
		s := room.sight(v, at)
		v.People = s.people
		if s.out {
			send("event: out\ndata: {}\n\n")
			return
		}
		if !place.follows(s.leads) {
			return
		}
		if s.path != "" && s.path != base {
			if !s.leads {
				send(notAlong)
				return
			}
			if base = s.path; !send(movedTo(base)) {
				return
			}
		}
		count := s.count
		if first || s.count != at.count || s.own {
			drawn, whole := room.draw(r.Context(), v, s.changed)
			if at.count == 0 {
				dropSteps(drawn) // an opened page shows the final state
			}
			if again = nil; !whole { // send again what could not be drawn
				again, count = time.After(viewAgain), at.count
			}
			if !send(w.tell(r.Context(), room, v, s, drawn, count)) {
				return
			}
		}
		if s.signs != "" && !first && !send(s.signs) {
			return
		}
		at = reached{count: count, turned: s.turned, signed: s.signed}
		select {
		case <-s.next:
		case <-again:
		case <-ticks.C:
			if !send(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		case <-w.closing:
			return
		}
	}
}

// dropSteps removes the steps that led to boards.
func dropSteps(entries []posted) {
	for i := range entries {
		entries[i].Message.Steps = nil
	}
}

// reached is what a page knows: the counts of the room (and has: the messages of which alone; none: all), of turns and
// of signs.
type reached struct {
	count, turned, signed uint64
	has                   []chat.Ref
}

// known returns what a page knows when it starts to follow.
func (r *room) known(asks *http.Request) (at reached) {
	if last := asks.Header.Get("Last-Event-ID"); last != "" {
		return reached{count: r.heard(last)}
	}
	came := asks.URL.Query()
	if at.count = r.heard(came.Get("after")); at.count > 0 {
		for _, ref := range came["has"] {
			at.has = append(at.has, chat.Ref(ref))
		}
	}
	return at
}

// sight is a visitor's view of a room at one moment.
type sight struct {
	out, leads, host bool // removed; redirected to the new path; the room's host
	path             string
	all              []chat.Ref // of the feed
	changed          []entry    // those that the page does not know
	own              bool       // some of them have changed for the visitor alone
	people           []person   // of the visitor, now
	count            uint64
	next             <-chan struct{} // closes with the next change
	calls            []call
	here             []present
	shownOut         []string // names of removed people in the feed
	signs            string   // as stream events, those that the page does not know
	signed, turned   uint64
}

// sight returns a visitor's view since at.
func (r *room) sight(v visitor, at reached) sight {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := sight{out: r.excludes(v.Prefix), leads: r.followsMove(v), host: v.is(r.kept.host()), path: r.path,
		all:   []chat.Ref{},
		count: r.count, next: r.changed, calls: slices.Clone(r.calls), here: r.presentsLocked(), signed: r.signed,
		turned: r.turns, people: v.People}
	if f := r.here[v.Prefix]; f != nil {
		s.people, s.own = f.People, f.came > at.turned
	}
	anew := s.own
	if at.count > r.count {
		at.count = 0
	}
	for _, e := range r.entries {
		s.all = append(s.all, e.ref)
		page := r.opened[onBoard{v.Prefix, e.message.Table}]
		e.open = page.Opened
		s.own = s.own || page.at > at.turned
		if anew || page.at > at.turned || e.count > at.count || len(at.has) > 0 && !slices.Contains(at.has, e.ref) {
			s.changed = append(s.changed, e)
		}
		if e.said.Key == shownOutSaid {
			s.shownOut = append(s.shownOut, e.said.Name)
		}
	}
	for i := range s.here {
		s.here[i].Number, s.here[i].You = v.owns(s.here[i].user)
	}
	for _, sign := range r.signs {
		if sign.number > at.signed {
			s.signs += "event: sign\ndata: " + string(must(json.Marshal(sign))) + "\n\n"
		}
	}
	return s
}

// mark returns the name of a count in this run.
func (r *room) mark(count uint64) string { return fmt.Sprintf("%s.%d", r.boot, count) }

// heard returns the count that a page had reached before its connection broke, or 0 for an earlier run.
func (r *room) heard(last string) uint64 {
	text, ok := strings.CutPrefix(last, r.boot+".")
	n, err := strconv.ParseUint(text, 10, 64)
	if !ok || err != nil {
		return 0
	}
	return n
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
	v := r.view(e, viewer)
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

// draw draws entries for a page and reports whether all succeeded.
func (r *room) draw(ctx context.Context, v visitor, entries []entry) (all []posted, whole bool) {
	all, whole = []posted{}, true
	for _, e := range entries {
		m, drawn := r.drawFor(ctx, v, e)
		whole = whole && drawn
		all = append(all, v.posted(e, m))
	}
	return all, whole
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

// tell returns one event of the stream.
func (w *Web) tell(ctx context.Context, room *room, v visitor, s sight, drawn []posted, count uint64) string {
	n := news{All: s.all, Entries: drawn, Here: s.here, Host: s.host, Out: s.shownOut}
	for _, c := range s.calls {
		if c.Offer != nil {
			n.Calls = append(n.Calls, w.offered(ctx, room, v, c)...)
		} else if number, ok := v.owns(c.To); ok {
			n.Calls = append(n.Calls, c.notice(number, v.Lang))
		}
	}
	raw, err := json.Marshal(n)
	if err != nil {
		w.config.Log.Error("write page feed failed", "error", err)
		return ": nothing\n\n"
	}
	return fmt.Sprintf("id: %s\nevent: feed\ndata: %s\n\n", room.mark(count), raw)
}

// notice returns the call for a person, in their page's language.
func (c call) notice(number int, lang string) notice {
	n := notice{Ref: c.ref, As: number, Text: c.Before + c.Name + c.After, Board: c.Board, Off: c.Off}
	if c.In != nil {
		n.Text, n.Off.Label = c.In(lang)
	}
	return n
}

// offered returns the notice about offered seats for a page, or none if it cannot be drawn or nothing is offered any
// more.
func (w *Web) offered(ctx context.Context, room *room, v visitor, c call) []notice {
	m := *c.Offer
	room.mu.Lock()
	if i := room.last(chat.Message{Table: m.Table}); i >= 0 {
		m.People = room.entries[i].message.People
	}
	room.mu.Unlock()
	by := v.viewer(m, chat.Opened{})
	by.Offers = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
	defer cancel()
	m, err := w.bot.View(ctx, m.Table, by)
	if err != nil || m.Head == "" { // all offers have ended
		return nil
	}
	n := notice{Ref: c.ref, Text: strings.Join(append([]string{m.Head}, m.Told...), " "), Board: c.Board}
	for _, button := range slices.Concat(m.Buttons...) {
		o := offer{Button: button}
		if number, own := v.owns(button.For); own {
			o.As = &number
		}
		n.Offers = append(n.Offers, o)
	}
	return []notice{n}
}
