package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
)

// The event stream, by which open pages receive the changes of a room.

// pulse is the interval of keep-alives on a quiet stream: proxies keep it open, and a closed page is noticed.
const pulse = 20 * time.Second

// news is the JSON of a feed event: the refs of the whole feed, in order, and the messages that the page does not know.
type news struct {
	All     []chat.Ref `json:"all"`
	Entries []posted   `json:"entries"`
	// Calls are all notices for the visitor's people.
	Calls []notice `json:"calls,omitempty"`
	// Here are the people present, and Host says whether the visitor is the host.
	Here []present `json:"here"`
	Host bool      `json:"host,omitempty"`
	// Out are the names of removed people, as far back as the feed goes.
	Out []string `json:"out,omitempty"`
}

// notice is a call in the form that a page receives.
type notice struct {
	Ref   chat.Ref    `json:"ref"`
	As    int         `json:"as"` // number of the called person
	Text  string      `json:"text"`
	Board chat.Ref    `json:"board,omitempty"`
	Off   chat.Button `json:"off,omitzero"`
	// Offers are the buttons of a notice about offered seats.
	Offers []offer `json:"offers,omitempty"`
}

// offer is a button about an offered seat, and the number of the visitor's person it is for; nil: the page chooses.
type offer struct {
	chat.Button
	As *int `json:"as,omitempty"`
}

// events streams the feed to a page until it or the server closes. Each event holds the newest state, so a missed one
// does not matter. A HEAD request only checks whether the limits allow one more stream.
func (w *Web) events(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.unknown(rw, r)
		return
	}
	place := w.streams.enter(w.claims(r, v), w.roomOf(r).relation(v).leads)
	if place == nil {
		rw.Header().Set("Retry-After", "10")
		http.Error(rw, w.pages.words(r)["wait"], http.StatusTooManyRequests)
		return
	}
	defer place.leave()
	if r.Method != http.MethodHead {
		rw.Header().Set("Content-Type", "text/event-stream")
		rw.Header().Set("X-Accel-Buffering", "no")
		w.follow(rw, r, v, place)
	}
}

// follow sends each change of the room to the page of v until the page or the server closes, v is removed or the room
// has moved without v, or the limits, counted by place, leave v no stream.
func (w *Web) follow(rw http.ResponseWriter, r *http.Request, v visitor, place *slot) {
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
	room := w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	at := room.known(r)
	room.openPage(v, time.Now())
	defer func() { room.closePage(v, time.Now()) }()
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
		if s.ends != "" {
			send(s.ends)
			return
		}
		if s.leads != place.leads && !place.follows(s.leads) || s.moved != "" && !send(s.moved) {
			return
		}
		if first || s.now.count != at.count || s.own {
			text, whole := room.tell(r.Context(), v, s, at)
			if again = nil; !whole { // send again what could not be drawn
				again, s.now.count = time.After(viewAgain), at.count
			}
			if !send(text) {
				return
			}
		}
		if s.signs != "" && !first && !send(s.signs) {
			return
		}
		at = s.now
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

// reached is the state that a page has: the values of the room's count, turns and signed, and the prefix of the room's
// addresses. If has is not empty, it names the only messages that the page has.
type reached struct {
	count, turned, signed uint64
	has                   []chat.Ref
	base                  string
}

// known returns the state that a page has when it opens the stream: by the id of its last event, if its connection
// broke, or by the data it began with, each "boot.count". After a restart of this replica a page has nothing.
func (r *room) known(asks *http.Request) reached {
	last, came, at := asks.Header.Get("Last-Event-ID"), asks.URL.Query(), reached{base: baseOf(asks)}
	text, ours := strings.CutPrefix(cmp.Or(last, came.Get("after")), r.boot+".")
	if n, err := strconv.ParseUint(text, 10, 64); ours && err == nil {
		at.count = n
	}
	if last == "" && at.count > 0 {
		for _, ref := range came["has"] {
			at.has = append(at.has, chat.Ref(ref))
		}
	}
	return at
}

// sight is a visitor's view of a room at one moment.
type sight struct {
	relation
	news                 // without Entries and Calls
	ends, moved string   // stream events, "" for none: the last one, and that of a new path
	changed     []entry  // messages that the page does not know
	own         bool     // v has changed people or pages, so some boards differ for v alone
	people      []person // the visitor's people now
	now         reached
	next        <-chan struct{} // closes with the next change
	calls       []call
	signs       string // as stream events, the ones that the page does not know
}

// sight returns the room as v sees it, with the changes since at, the state that the page has.
func (r *room) sight(v visitor, at reached) sight {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := sight{relation: r.relationLocked(v), news: news{All: []chat.Ref{}, Here: r.presentsLocked()},
		people: v.People, now: reached{count: r.count, turned: r.turns, signed: r.signed, base: at.base},
		next: r.changed, calls: slices.Clone(r.calls)}
	s.Host = s.host
	switch moved := r.path != "" && r.path != at.base; {
	case s.out:
		s.ends = "event: out\ndata: {}\n\n"
	case moved && !s.leads:
		s.ends = "event: gone\ndata: {}\n\n"
	case moved:
		s.now.base, s.moved = r.path, movedTo(r.path)
	}
	if f := r.here[v.Prefix]; f != nil {
		s.people, s.own = f.People, f.came > at.turned
	}
	anew := s.own
	if at.count > r.count {
		at.count = 0
	}
	for _, e := range r.entries {
		s.All = append(s.All, e.ref)
		page := r.opened[onBoard{v.Prefix, e.message.Table}]
		e.open = page.Opened
		s.own = s.own || page.at > at.turned
		if anew || page.at > at.turned || e.count > at.count || len(at.has) > 0 && !slices.Contains(at.has, e.ref) {
			s.changed = append(s.changed, e)
		}
		if e.said.Key == shownOutSaid {
			s.Out = append(s.Out, e.said.Name)
		}
	}
	for i, p := range s.Here {
		s.Here[i].Number, s.Here[i].You = v.owns(p.user)
	}
	for _, sign := range r.signs {
		if sign.number > at.signed {
			s.signs += "event: sign\ndata: " + string(must(json.Marshal(sign))) + "\n\n"
		}
	}
	return s
}

// tell returns the feed event that brings a page of v from the state at to the sight s. If a board could not be drawn,
// whole is false, and the id of the event stays at the count of at, so that the board is sent again.
func (r *room) tell(ctx context.Context, v visitor, s sight, at reached) (event string, whole bool) {
	n := s.news
	if n.Entries, whole = r.draw(ctx, v, s.changed, at.count == 0); !whole {
		s.now.count = at.count
	}
	for _, c := range s.calls {
		if c.Offer != nil {
			n.Calls = append(n.Calls, r.offered(ctx, v, c)...)
		} else if number, ok := v.owns(c.To); ok {
			one := notice{Ref: c.ref, As: number, Text: c.Before + c.Name + c.After, Board: c.Board, Off: c.Off}
			if c.In != nil { // in the page's language
				one.Text, one.Off.Label = c.In(v.Lang)
			}
			n.Calls = append(n.Calls, one)
		}
	}
	raw, err := json.Marshal(n)
	if err != nil {
		r.web.config.Log.Error("write page feed failed", "error", err)
		return ": nothing\n\n", whole
	}
	return fmt.Sprintf("id: %s.%d\nevent: feed\ndata: %s\n\n", r.boot, s.now.count, raw), whole
}

// offered returns c, a notice about offered seats, as v sees it; nil if it cannot be drawn or no seat is offered any
// more.
func (r *room) offered(ctx context.Context, v visitor, c call) []notice {
	m := *c.Offer
	r.mu.Lock()
	if i := r.last(chat.Message{Table: m.Table}); i >= 0 {
		m.People = r.entries[i].message.People
	}
	r.mu.Unlock()
	by := v.viewer(m, chat.Opened{})
	by.Offers = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
	defer cancel()
	m, err := r.web.bot.View(ctx, m.Table, by)
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
