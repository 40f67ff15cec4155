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

	"github.com/gorilla/websocket"

	"knobel/bot/chat"
)

// The event stream (server-sent events), by which open pages receive the changes of a room.

// pulse is the interval of keep-alives on a quiet stream: proxies keep it open, and a closed page is noticed.
const pulse = 20 * time.Second

// news is the JSON of a feed event: the ids of all messages of the room, in order, and the messages new to the page.
type news struct {
	All     []chat.Ref    `json:"all"`
	Entries []pageMessage `json:"entries"`
	// Calls lists all notices for the visitor's people.
	Calls []notice `json:"calls,omitempty"`
	// Here lists the people present, and Host says whether the visitor is the host.
	Here []present `json:"here"`
	Host bool      `json:"host,omitempty"`
	// Out lists the names of people who were removed from the room, as long as a message of the room says so.
	Out []string `json:"out,omitempty"`
}

// notice is the JSON of a call: a notice that asks a person to come to their game.
type notice struct {
	Ref   chat.Ref    `json:"ref"`
	As    int         `json:"as"` // number of the called person at this browser
	Text  string      `json:"text"`
	Board chat.Ref    `json:"board,omitempty"` // the message of the table
	Off   chat.Button `json:"off,omitzero"`    // turns calls off
	// Offers are the buttons of a notice about offered seats.
	Offers []offer `json:"offers,omitempty"`
}

// offer is a button about an offered seat. The person with the number As presses it; if As is nil, the page asks which
// person does.
type offer struct {
	chat.Button
	As *int `json:"as,omitempty"`
}

// events streams the room's messages to a page until the page or the server closes. Each event holds the newest state,
// so a missed one does not matter. A HEAD request only checks whether the limits allow one more stream.
func (w *Web) events(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if isForScreen(r) {
		v, ok = screen, true
	}
	if !ok {
		w.refuseUnknown(rw, r)
		return
	}
	slot := w.streams.acquire(w.claimsOf(r, v), w.roomOf(r).roleOf(v).privileged)
	if slot == nil {
		w.tooManyStreams(rw, r)
		return
	}
	defer slot.release()
	if r.Method != http.MethodHead && http.NewResponseController(rw).SetReadDeadline(time.Time{}) == nil {
		rw.Header().Set("Content-Type", "text/event-stream")
		rw.Header().Set("X-Accel-Buffering", "no")
		w.follow(rw, nil, r, v, slot)
	}
}

// tooManyStreams answers that the limits allow no further stream.
func (w *Web) tooManyStreams(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Retry-After", "10")
	http.Error(rw, w.pages.words(r)["wait"], http.StatusTooManyRequests)
}

// follow sends each change of the room to the page of v, by socket or, if that is nil, in the response. It returns when
// the page or the server closes, v is removed, the room has an address that v may not know, or the limits allow the
// stream in slot no longer.
func (w *Web) follow(rw http.ResponseWriter, socket *websocket.Conn, r *http.Request, v visitor, slot *slot) {
	control := http.NewResponseController(rw)
	send := func(text string) bool { // false: the page is closed
		if socket != nil {
			return sendBySocket(socket, text) == nil
		}
		if control.SetWriteDeadline(time.Now().Add(pulse)) != nil {
			return false
		}
		_, err := io.WriteString(rw, text)
		return err == nil && control.Flush() == nil
	}
	room := w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	at, hello := room.stateOfPage(r), "retry: 1000\n\n"
	if v.Screen {
		hello += w.signOfLife(v)
		defer room.countScreen()()
	} else {
		page := r.URL.Query().Get("page")
		room.openPage(v, time.Now())
		room.setSight(v.Prefix, page, true) // the page tells if it is hidden
		defer func() {
			room.setSight(v.Prefix, page, false)
			room.closePage(v, time.Now())
		}()
	}
	if !send(hello) { // only a page that reads it counts as present
		return
	}
	v.Lang = w.pages.lang(r)
	ticks := time.NewTicker(pulse)
	defer ticks.Stop()
	var again <-chan time.Time
	for first := true; ; first = false {
		s := room.snapshot(v, at)
		v.People = s.people
		if s.ends != "" {
			send(s.ends)
			return
		}
		if s.privileged != slot.privileged && !slot.setPrivileged(s.privileged) || s.moved != "" && !send(s.moved) {
			return
		}
		if first || s.now.count != at.count || s.own {
			text, whole := room.feedEvent(r.Context(), v, s, at)
			if again = nil; !whole { // send again what could not be drawn
				again, s.now.count = time.After(viewAgain), at.count
			}
			if !send(text) {
				return
			}
		}
		if s.lines != "" && !send(s.lines) || s.signs != "" && !first && !send(s.signs) {
			return
		}
		at = s.now
		select {
		case <-s.next:
		case <-again:
		case <-ticks.C:
			if last, leaves := w.endOfVisit(r); !send(cmp.Or(last, w.signOfLife(v))) || leaves {
				return
			}
		case <-r.Context().Done():
			return
		case <-w.closing:
			return
		}
	}
}

// pageState is the data that a page has received: the room's count, personalCount, signed and talked at its last event,
// and the prefix of the room's paths. If has is not empty, the page has only the messages with the ids in has.
type pageState struct {
	count, personal, signed, talked uint64
	has                             []chat.Ref
	base                            string
}

// stateOfPage returns the state of the page that opens a stream by req. The page sends "boot.count": the id of its last
// event if its connection broke, else a value from its initial data. After a restart of this replica it has nothing.
func (r *room) stateOfPage(req *http.Request) pageState {
	last, came, at := req.Header.Get("Last-Event-ID"), req.URL.Query(), pageState{base: roomBase(req)}
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

// snapshot is a room as one visitor sees it at one moment.
type snapshot struct {
	role
	news                        // without Entries and Calls
	ends, moved string          // stream events, "" for none: the last one, and the one with a new path
	changed     []entry         // messages that are new to the page
	own         bool            // the people or private pages of v have changed: boards differ for v alone
	people      []person        // the visitor's people now
	now         pageState       // the state of the page after this snapshot
	next        <-chan struct{} // closes at the next change
	calls       []call
	signs       string // stream events with the signs that are new to the page
	lines       string // the stream event with the lines that are new to the page, "" for none
}

// snapshot returns the room as v sees it, with the changes after known, the state that the page of v has.
func (r *room) snapshot(v visitor, known pageState) snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := snapshot{role: r.roleLocked(v), news: news{All: []chat.Ref{}, Here: r.presentLocked()},
		people: v.People, now: pageState{count: r.count, personal: r.personalCount, signed: r.signed, talked: r.talked,
			base: known.base},
		next: r.changed, calls: slices.Clone(r.calls)}
	if s.Host = s.host; v.Screen {
		s.calls = nil // they ask people to press something
	}
	switch moved := r.path != "" && r.path != known.base; {
	case s.out:
		s.ends = "event: out\ndata: {}\n\n"
	case moved && !s.privileged:
		s.ends = "event: gone\ndata: {}\n\n"
	case moved:
		s.now.base, s.moved = r.path, movedTo(r.path)
	}
	if f := r.here[v.Prefix]; f != nil {
		s.people, s.own = f.People, f.peopleCount > known.personal
	}
	anew := s.own
	if known.count > r.count {
		known.count = 0
	}
	for _, e := range r.entries {
		s.All = append(s.All, e.ref)
		page := r.opened[pageKey{v.Prefix, e.message.Table}]
		e.open = page.Opened
		s.own = s.own || page.count > known.personal
		if anew || page.count > known.personal || e.count > known.count ||
			len(known.has) > 0 && !slices.Contains(known.has, e.ref) {
			s.changed = append(s.changed, e)
		}
		if e.sentence.Key == removedKey {
			s.Out = append(s.Out, e.sentence.Name)
		}
	}
	for i, p := range s.Here {
		s.Here[i].Number, s.Here[i].You = v.numberOf(p.user)
	}
	s.lines = r.linesEvent(v, known.talked)
	for _, sign := range r.signs {
		if sign.number > known.signed {
			s.signs += "event: sign\ndata: " + string(must(json.Marshal(sign))) + "\n\n"
		}
	}
	return s
}

// feedEvent returns the stream event that brings a page of v from the state known to the snapshot s. If a message could
// not be drawn, whole is false and the id of the event has the count of known, so that the message is sent again.
func (r *room) feedEvent(ctx context.Context, v visitor, s snapshot, known pageState) (event string, whole bool) {
	n := s.news
	if n.Entries, whole = r.drawAll(ctx, v, s.changed, known.count == 0); !whole {
		s.now.count = known.count
	}
	for _, c := range s.calls {
		if c.Offer != nil {
			n.Calls = append(n.Calls, r.offerNotice(ctx, v, c)...)
		} else if number, ok := v.numberOf(c.To); ok {
			one := notice{Ref: c.ref, As: number, Text: c.Before + c.Name + c.After, Board: c.Board, Off: c.Off}
			if c.In != nil { // c.In returns both texts in the page's language
				one.Text, one.Off.Label = c.In(v.Lang)
			}
			n.Calls = append(n.Calls, one)
		}
	}
	raw, err := json.Marshal(n)
	if err != nil {
		r.web.config.Log.Error("encode page event failed", "error", err)
		return ": nothing\n\n", whole
	}
	return fmt.Sprintf("id: %s.%d\nevent: feed\ndata: %s\n\n", r.boot, s.now.count, raw), whole
}

// offerNotice returns c, a call about offered seats, as a notice for v; nil if it cannot be drawn or no offer is left.
func (r *room) offerNotice(ctx context.Context, v visitor, c call) []notice {
	m := *c.Offer
	r.mu.Lock()
	if i := r.lastIndex(chat.Message{Table: m.Table}); i >= 0 {
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
		if number, own := v.numberOf(button.For); own {
			o.As = &number
		}
		n.Offers = append(n.Offers, o)
	}
	return []notice{n}
}
