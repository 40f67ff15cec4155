package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
)

const (
	maxRequests = 12
	maxWeight   = 65_000 // bytes, heads included
	maxEmbedded = 70_000 // of a page inside a client
)

// traffic holds the requests of a page and their bytes on the wire.
type traffic struct {
	mu    sync.Mutex
	names map[network.RequestID]string
	bytes map[network.RequestID]float64
	order []network.RequestID
	kept  map[network.RequestID]bool // answered from the browser's cache
}

// record records an event of the browser's network.
func (f *traffic) record(ev any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if strings.HasPrefix(ev.Request.URL, "http") { // data in a style sheet was sent with it
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

// recordTraffic returns the traffic of a page, recorded from now on.
func (b *tab) recordTraffic() *traffic {
	b.t.Helper()
	f := &traffic{names: map[network.RequestID]string{}, bytes: map[network.RequestID]float64{},
		kept: map[network.RequestID]bool{}}
	done(b.t, chromedp.Listen(b.ctx, f.record))
	runCommand(b, network.Enable, network.EnableParams{})
	return f
}

// The bytes from the first page to the first roll are limited, and those of a later visit to a running game, without
// cache, too.
func weighsLittle(t *testing.T, tab *tab) {
	url := serveGames(t)
	f := tab.recordTraffic()
	runCommand(tab, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	tab.askForName()
	tab.open(url, `document.body.dataset.ready`)
	tab.press(labelled("Play with friends"))
	tab.enterName("Anna")
	tab.press(labelled("Start"))
	tab.press(labelled("Roll"))
	tab.until(`document.querySelectorAll(".board .die").length === 2`)
	f.wantLight(t, url, maxWeight)

	w := New(Config{})
	url = serve(t, w, &fakeBot{})
	tab.keepProposals()
	tab.open(url+"/table", welcomed)
	showTurnOf(t, w, "")
	tab.until(buttonsWork)
	tab.do(chromedp.Navigate("about:blank"))
	runCommand(tab, network.ClearBrowserCache, cdp.Empty{})
	f.forget()
	tab.open(url+"/table", buttonsWork)
	f.wantLight(t, url, maxWeight)
}

// forget drops the recorded traffic.
func (f *traffic) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.names)
	clear(f.bytes)
	clear(f.kept)
	f.order = nil
}

// wantLight fails the test for more than most bytes, or too many requests to a server.
func (f *traffic) wantLight(t *testing.T, url string, most float64) {
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
	if sum < 10_000 || sum > most {
		t.Errorf("%.0f bytes, at most %.0f may be", sum, most)
	}
}

// buttonsWork is a script that is true once the buttons of the running game can be pressed.
const buttonsWork = `[...document.querySelectorAll("#tables .board button")].some((b) => b.dataset.press && b.checkVisibility())`

// showTurnOf makes the room show a table where it is the turn of mover.
func showTurnOf(t *testing.T, w *Web, mover chat.User) {
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

// soonEnough is the most milliseconds until the buttons of a board work, on a slow line without other load.
const soonEnough = 1500

// On a slow line and a slow processor the buttons of a running game work soon, even with an empty cache.
func TestBoardsAnswerSoonOnASlowLine(t *testing.T) {
	needs.Alone(t)
	page := openSlowRoom(t, browser(t))
	var took []float64
	for range 5 {
		took = append(took, page.millisecondsToOpen())
	}
	slices.Sort(took)
	t.Logf("answers after %.0f ms, in the median of %d", took[len(took)/2], len(took))
	if took[0] > soonEnough {
		t.Errorf("it takes %.0f ms, at most %d may be", took, soonEnough)
	}
	page.press(`document.querySelector("#tables .board button[data-press='1:1:0:8+2']")`)
	page.until(`performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/press"))`)
	if ev, _ := page.bot.lastEvent(); ev.Press != "1:1:0:8+2" {
		t.Errorf("what answers has sent %q", ev.Press)
	}
}

// A known browser needs only the page, its style sheet and its script until the buttons of a running game work: it does
// so even if no other answer ever arrives.
func waitsForLittle(t *testing.T, tab *tab) {
	w, bot := New(withStore(t, Config{})), &fakeBot{}
	inside := w.handler(t.Context(), bot)
	var mute atomic.Bool
	ended := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if mute.Load() && slices.Contains([]string{"/me", "/games", "/events"}, r.URL.Path) {
			<-ended
			return
		}
		inside.ServeHTTP(rw, r)
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	t.Cleanup(func() { close(ended) })
	tab.open(srv.URL+"/table", `document.getElementById("welcome").checkVisibility()`)
	showTurnOf(t, w, w.room.presentPeople()[0].user)
	mute.Store(true)
	tab.open(srv.URL+"/table", buttonsWork)
	tab.press(`document.querySelector("#tables .board button[data-press='1:1:0:8+2']")`)
	tab.until(`performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/press"))`)
	if ev, _ := bot.lastEvent(); ev.Press != "1:1:0:8+2" {
		t.Errorf("what answers has sent %q", ev.Press)
	}
}

// slowTab is a browser on a slow line and a slow processor, whose visitor has the turn on a board.
type slowTab struct {
	*tab
	url string
	bot *fakeBot
}

// openSlowRoom opens a new browser table with a running game in the browser of first, and slows everything after that.
func openSlowRoom(t *testing.T, first context.Context) slowTab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(first, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	w, bot := New(withStore(t, Config{})), &fakeBot{}
	srv := httptest.NewServer(w.handler(t.Context(), bot))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	b := &tab{t: t, ctx: ctx}
	b.setLook(390, "light")
	b.keepProposals()
	b.open(srv.URL+"/table", `document.getElementById("welcome").checkVisibility()`)
	showTurnOf(t, w, w.room.presentPeople()[0].user)
	b.until(buttonsWork)
	b.onEveryPage(recordFirstWork)
	runCommand(b, network.Enable, network.EnableParams{})
	runCommand(b, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	runCommand(b, cdp.Command[slowLine, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}, slowLine{
		MatchedNetworkConditions: []*network.Conditions{
			{Latency: 150, DownloadThroughput: 1_600_000 / 8, UploadThroughput: 1_600_000 / 8}, // bytes a second
		},
	})
	runCommand(b, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	return slowTab{b, srv.URL + "/table", bot}
}

// slowLine holds the parameters of network emulation: Chromium up to 148 needs the flag that the line is online.
type slowLine struct {
	Offline                  bool                  `json:"offline"`
	MatchedNetworkConditions []*network.Conditions `json:"matchedNetworkConditions"`
}

// recordFirstWork is a script that records when the buttons of the running game work, in ms from the request of the
// page.
const recordFirstWork = `(() => {
	const look = new MutationObserver(() => {
		if (!document.body || !(` + buttonsWork + `)) return;
		look.disconnect();
		requestAnimationFrame(() => { globalThis.answered = performance.now(); });
	});
	look.observe(document, { subtree: true, childList: true, attributes: true });
})()`

// millisecondsToOpen returns the milliseconds until the board's buttons work with an empty cache.
func (b slowTab) millisecondsToOpen() float64 {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"))
	runCommand(b.tab, network.ClearBrowserCache, cdp.Empty{})
	b.open(b.url, `Boolean(globalThis.answered)`)
	return ask[float64](b.tab, `answered`)
}

// setRate changes the rate and burst of l, for all addresses and from now on.
func (l *limits) setRate(every rate.Limit, burst int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.every, l.burst, l.byAddress = every, burst, map[string]*rate.Limiter{}
}

// A page above a rate limit shows that it waits, and continues once it may: after opening, in the stream, after a
// press.
func saysThatItWaits(t *testing.T, tab *tab) {
	w := New(Config{})
	w.comers = newLimits(0, 0)
	b := &fakeBot{answer: chat.Reply{Toast: "done"}}
	at := serve(t, w, b)
	const waits = `document.getElementById("away").checkVisibility() &&
		document.getElementById("away").textContent.startsWith("Many pages are open from here.")`
	const goesOn = `!document.getElementById("away").checkVisibility() && Boolean(` +
		`document.body.dataset.ready)`
	tab.open(at+"/table", waits)
	wantNoFaults(t, tab, "waits")
	w.streams.mu.Lock()
	w.streams.most = 0
	w.streams.mu.Unlock()
	w.comers.setRate(rate.Inf, 1)
	tab.until(`document.body.dataset.ready && ` + waits)
	w.streams.mu.Lock()
	w.streams.most = maxStreams
	w.streams.mu.Unlock()
	tab.until(goesOn)

	w.acts.setRate(0, 0)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/shutbox\r"))
	tab.until(`document.querySelector(".toast.refused")?.textContent.includes("continues by itself")`)
	w.acts.setRate(rate.Inf, 1)
	tab.until(`document.querySelector(".toast")?.textContent.includes("done")`)
	if _, n := b.lastEvent(); n != 1 {
		t.Errorf("the press has arrived %d times", n)
	}

	w.asks.setRate(0, 0)
	tab.open(at+"/fair?table=1", `document.getElementById("verdict").textContent.includes("continues by itself")`)
	w.asks.setRate(rate.Inf, 1)
	tab.until(`document.getElementById("verdict").textContent.includes("once it is over")`)
}
