package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
)

// The stream of events by which pages follow the room.

// pulse is how often a quiet stream says that it lives, so that proxies keep
// it and a reader who has gone is noticed.
const pulse = 20 * time.Second

// news is what a page needs to show the newest feed: all that stand in it, in
// order, and those that it does not know yet.
type news struct {
	All     []chat.Ref `json:"all"`
	Entries []posted   `json:"entries"`
	// Calls are the notices for the visitor's people, all that are up now.
	Calls []notice `json:"calls,omitempty"`
}

// notice is a call as the page that it is for shows it.
type notice struct {
	Ref   chat.Ref    `json:"ref"`
	As    int         `json:"as"` // the number of who is called
	Text  string      `json:"text"`
	Board chat.Ref    `json:"board,omitempty"`
	Off   chat.Button `json:"off"`
}

// posted is one message of the feed as one visitor sees it.
type posted struct {
	Ref     chat.Ref     `json:"ref"`
	Message chat.Message `json:"message"`
	// Mine maps seats to the numbers of the visitor's own people.
	Mine map[int]int `json:"mine,omitempty"`
}

// streams counts the pages that follow the room.
type streams struct {
	mu         sync.Mutex
	most, each int // of all, and of one address
	all        int
	by         map[string]int
}

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, by: map[string]int{}}
}

// enter counts one more page of an address, if there is room for it. Every true
// is followed by leave.
func (s *streams) enter(from string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= s.most || s.by[from] >= s.each {
		return false
	}
	s.all++
	s.by[from]++
	return true
}

// leave counts one page of an address less.
func (s *streams) leave(from string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.by[from]--; s.by[from] == 0 {
		delete(s.by, from)
	}
}

// events streams the feed to a page until the page goes or ctx is done. Every
// event carries the newest state; one that was missed is never needed.
func (w *Web) events(ctx context.Context, rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		http.Error(rw, "no visitor: open the page first", http.StatusForbidden)
		return
	}
	from := w.address(r)
	if !w.streams.enter(from) {
		rw.Header().Set("Retry-After", "10")
		http.Error(rw, "too many pages follow this room", http.StatusServiceUnavailable)
		return
	}
	defer w.streams.leave(from)
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
		_, err := rw.Write([]byte(text))
		return err == nil && control.Flush() == nil
	}
	if send("retry: 1000\n\n") {
		w.follow(ctx, r, v, send)
	}
}

// follow sends each change of the feed until the page leaves.
func (w *Web) follow(ctx context.Context, r *http.Request, v visitor, send func(string) bool) {
	count := w.heard(r.Header.Get("Last-Event-ID"))
	ticks := time.NewTicker(pulse)
	defer ticks.Stop()
	for first := true; ; first = false {
		all, changed, now, next := w.room.since(count)
		if (first || now != count) && !send(w.tell(v, all, changed, now)) {
			return
		}
		count = now
		select {
		case <-next:
		case <-ticks.C:
			if !send(": still here\n\n") {
				return
			}
		case <-r.Context().Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// heard is the count that a page had reached before its connection broke, 0
// when it was told by an earlier run.
func (w *Web) heard(last string) uint64 {
	text, ok := strings.CutPrefix(last, w.room.boot+".")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// tell writes one event of the stream.
func (w *Web) tell(v visitor, all []chat.Ref, changed []entry, now uint64) string {
	n := news{All: all, Entries: []posted{}}
	if n.All == nil {
		n.All = []chat.Ref{}
	}
	for _, e := range changed {
		n.Entries = append(n.Entries, posted{Ref: e.ref, Message: e.message, Mine: v.mine(e.message)})
	}
	for _, c := range w.room.called() {
		if number, ok := v.owns(c.To); ok {
			n.Calls = append(n.Calls, notice{Ref: c.ref, As: number, Text: c.Before + c.Name + c.After, Board: c.Board,
				Off: c.Off})
		}
	}
	raw, err := json.Marshal(n)
	if err != nil {
		w.config.Log.Error("write the feed", "error", err)
		return ": nothing\n\n"
	}
	return fmt.Sprintf("id: %s.%d\nevent: feed\ndata: %s\n\n", w.room.boot, now, raw)
}

// mine finds the visitor's people among the seats of a board.
func (v visitor) mine(m chat.Message) map[int]int {
	var mine map[int]int
	for _, p := range m.People {
		if number, ok := v.owns(p.User); ok {
			if mine == nil {
				mine = map[int]int{}
			}
			mine[p.Seat] = number
		}
	}
	return mine
}
