package web

import (
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

const (
	maxRequests = 12
	maxWeight   = 60_000 // bytes, heads included
)

// traffic is what a page asks for, and what it weighs on the wire.
type traffic struct {
	mu    sync.Mutex
	names map[network.RequestID]string
	bytes map[network.RequestID]float64
	order []network.RequestID
	kept  map[network.RequestID]bool // by the browser: the server is not asked
}

// hear notes an event of the browser's network.
func (f *traffic) hear(ev any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if strings.HasPrefix(ev.Request.URL, "http") { // what stands in a style sheet was sent with it
			f.names[ev.RequestID] = ev.Request.Method + " " + ev.Request.URL
			f.order = append(f.order, ev.RequestID)
		}
	case *network.EventRequestServedFromCache:
		f.kept[ev.RequestID] = true
	case *network.EventResponseReceived:
		f.bytes[ev.RequestID] += ev.Response.EncodedDataLength
	case *network.EventDataReceived:
		f.bytes[ev.RequestID] += float64(ev.EncodedDataLength)
	case *network.EventLoadingFinished:
		f.bytes[ev.RequestID] = max(f.bytes[ev.RequestID], ev.EncodedDataLength)
	}
}

// watch begins to note what a page asks for.
func (b *tab) watch() *traffic {
	b.t.Helper()
	f := &traffic{names: map[network.RequestID]string{}, bytes: map[network.RequestID]float64{},
		kept: map[network.RequestID]bool{}}
	done(b.t, chromedp.Listen(b.ctx, f.hear))
	tells(b, network.Enable, network.EnableParams{})
	return f
}

// What a first visit asks for until the board of a game in play can be pressed, and what a later one of which the
// browser has kept nothing but who it is.
func weighsLittle(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	inPlayOf(t, w, "")
	f := tab.watch()
	tab.goes(url+"/table", answers)
	f.weighs(t, url)
	tab.until(`!document.getElementById("names").open`)
	tab.do(chromedp.Navigate("about:blank"))
	tells(tab, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	tells(tab, network.ClearBrowserCache, cdp.Empty{})
	f.forget()
	tab.goes(url+"/table", answers)
	f.weighs(t, url)
}

// forget forgets what was noted.
func (f *traffic) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.names)
	clear(f.bytes)
	clear(f.kept)
	f.order = nil
}

// weighs reports what is too much of what was asked of a server.
func (f *traffic) weighs(t *testing.T, url string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	asked, sum := 0, 0.0
	for _, id := range f.order {
		if f.kept[id] {
			continue
		}
		asked++
		t.Logf("%6.0f %s", f.bytes[id], strings.TrimPrefix(f.names[id], url))
		sum += f.bytes[id]
		if _, at, _ := strings.Cut(f.names[id], " "); !strings.HasPrefix(at, url+"/") {
			t.Errorf("somebody else is asked: %s", at)
		}
	}
	t.Logf("%d requests, %.0f bytes", asked, sum)
	if asked < 4 || asked > maxRequests {
		t.Errorf("%d requests, at most %d may be", asked, maxRequests)
	}
	if sum < 10_000 || sum > maxWeight {
		t.Errorf("%.0f bytes, at most %d may be", sum, maxWeight)
	}
}

// answers is true once the buttons of the board in play are there to be pressed.
const answers = `[...document.querySelectorAll("#entries .board button")].some((b) => b.dataset.press && b.checkVisibility())`

// inPlayOf has the room show a table at which a user is to move.
func inPlayOf(t *testing.T, w *Web, mover chat.User) {
	t.Helper()
	row := chat.TileRow{Owner: "Anna"}
	for n := range 9 {
		row.Tiles = append(row.Tiles, chat.Tile{Number: n + 1, Open: n != 3})
	}
	_, err := w.Post(t.Context(), roomPlace, chat.Message{
		Table: 1, Head: "Anna is to choose.", Lang: "en",
		People:  []chat.Person{{Seat: 0, User: mover, Name: "Anna", State: "to-move"}, {Seat: 1, Name: "Ben"}},
		Dice:    []chat.Die{{Face: 6, Sides: 6}, {Face: 4, Sides: 6}},
		Tiles:   []chat.TileRow{row},
		Buttons: [][]chat.Button{{{Label: "9+1", Press: "1:1:0:9+1"}, {Label: "8+2", Press: "1:1:0:8+2"}}},
	})
	done(t, err)
}
