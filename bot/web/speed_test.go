package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"knobel/bot/fakes/needs"
)

// soonEnough is how many milliseconds a board may take to answer on a slow line where nothing else runs.
const soonEnough = 1500

// On a slow line and a slow processor the buttons of a board in play answer soon, though nothing of the page was kept.
func TestBoardsAnswerSoonOnASlowLine(t *testing.T) {
	needs.Alone(t)
	page := slowly(t, browser(t))
	var took []float64
	for range 5 {
		took = append(took, page.opens())
	}
	slices.Sort(took)
	t.Logf("answers after %.0f ms, in the median of %d", took[len(took)/2], len(took))
	if took[0] > soonEnough {
		t.Errorf("it takes %.0f ms, at most %d may be", took, soonEnough)
	}
	page.press(`document.querySelector("#entries .board button[data-press='1:1:0:8+2']")`)
	page.until(`performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/press"))`)
	if ev, _ := page.bot.last(); ev.Press != "1:1:0:8+2" {
		t.Errorf("what answers has sent %q", ev.Press)
	}
}

// A browser that is known waits for the page, its style sheet and its script, and for no other answer, until the
// board in play can be pressed: that the others never come is not seen.
func waitsForLittle(t *testing.T, tab *tab) {
	w, bot := New(kept(t, Config{})), &pretend{}
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
	tab.goes(srv.URL+"/table", `document.getElementById("welcome").checkVisibility()`)
	inPlayOf(t, w, w.room.presents()[0].user)
	mute.Store(true)
	tab.goes(srv.URL+"/table", answers)
	tab.press(`document.querySelector("#entries .board button[data-press='1:1:0:8+2']")`)
	tab.until(`performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/press"))`)
	if ev, _ := bot.last(); ev.Press != "1:1:0:8+2" {
		t.Errorf("what answers has sent %q", ev.Press)
	}
}

// slowTab is a browser on a slow line and a slow processor, whose visitor is to move on a board.
type slowTab struct {
	*tab
	url string
	bot *pretend
}

// slowly opens the room of a new browser table, which has a board in play, and slows what comes from then on.
func slowly(t *testing.T, first context.Context) slowTab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(first, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	w, bot := New(kept(t, Config{})), &pretend{}
	srv := httptest.NewServer(w.handler(t.Context(), bot))
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	b := &tab{t: t, ctx: ctx}
	b.look(390, "light")
	b.keepsProposals()
	b.goes(srv.URL+"/table", `document.getElementById("welcome").checkVisibility()`)
	inPlayOf(t, w, w.room.presents()[0].user)
	b.until(answers)
	b.onEveryPage(notesAnswer)
	tells(b, network.Enable, network.EnableParams{})
	tells(b, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true})
	tells(b, cdp.Command[slowLine, cdp.Empty]{Method: network.CommandEmulateNetworkConditionsByRule}, slowLine{
		MatchedNetworkConditions: []*network.Conditions{
			{Latency: 150, DownloadThroughput: 1_600_000 / 8, UploadThroughput: 1_600_000 / 8}, // bytes a second
		},
	})
	tells(b, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	return slowTab{b, srv.URL + "/table", bot}
}

// slowLine is what the command takes: Chromium to version 148 at least wants to be told that the line is there.
type slowLine struct {
	Offline                  bool                  `json:"offline"`
	MatchedNetworkConditions []*network.Conditions `json:"matchedNetworkConditions"`
}

// notesAnswer is a script that notes when the buttons of the board in play answer, in milliseconds from where the page
// was asked for.
const notesAnswer = `(() => {
	const look = new MutationObserver(() => {
		if (!document.body || !(` + answers + `)) return;
		look.disconnect();
		requestAnimationFrame(() => { globalThis.answered = performance.now(); });
	});
	look.observe(document, { subtree: true, childList: true, attributes: true });
})()`

// opens is how many milliseconds it takes until the board answers, where nothing of the page has been kept.
func (b slowTab) opens() float64 {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"))
	tells(b.tab, network.ClearBrowserCache, cdp.Empty{})
	b.goes(b.url, `Boolean(globalThis.answered)`)
	return ask[float64](b.tab, `answered`)
}
