package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// becomes changes how much is allowed, from now on and for all.
func (l *limits) becomes(every rate.Limit, burst int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.every, l.burst, l.by = every, burst, map[string]*rate.Limiter{}
}

// Opening pages without end from one address must wait, in the page's language; players there continue.
func TestArrivalsDoNotStarvePresses(t *testing.T) {
	w := New(Config{})
	url := serve(t, w, &pretend{answer: chat.Reply{Toast: "done"}})
	c, _ := enter(t, w, url)
	w.comers.becomes(1e-9, 3)
	for _, ask := range [][2]string{{"GET", "/table"}, {"GET", "/me"}, {"POST", "/me"}} {
		res, _ := do(t, c, ask[0], url+ask[1], "")
		want(t, res, http.StatusOK)
	}
	for _, ask := range [][2]string{{"GET", "/games"}, {"GET", "/me"}, {"POST", "/me"}} {
		res, said := do(t, c, ask[0], url+ask[1], "", "Accept-Language", "de")
		want(t, res, http.StatusTooManyRequests)
		if !strings.Contains(said, "Warte kurz") || res.Header.Get("Retry-After") == "" {
			t.Errorf("%s says %q, and for how long %q", ask, said, res.Header.Get("Retry-After"))
		}
	}
	if got := send[answer](t, c, url+"/press", act{Press: "p"}); got.Toast != "done" {
		t.Errorf("a press is answered %+v", got)
	}
	for _, path := range []string{"/complete?text=/", "/qr.svg"} {
		res, _ := do(t, c, "GET", url+path, "")
		want(t, res, http.StatusOK)
	}
}

// Whether there is room for one more page can be asked without taking it.
func TestWhetherAPageMayFollowIsTold(t *testing.T) {
	w := New(Config{})
	w.streams = newStreams(1, 1)
	url := serve(t, w, &pretend{})
	c, _ := enter(t, w, url)
	for range 2 {
		res, _ := do(t, c, "HEAD", url+"/events", "")
		want(t, res, http.StatusOK)
	}
	listen(t, c, url, "").next()
	res, _ := do(t, c, "HEAD", url+"/events", "")
	want(t, res, http.StatusTooManyRequests)
}

// A page that is told to wait says so, and goes on by itself once it may: when it is opened, when it follows the
// room, and when something was pressed.
func saysThatItWaits(t *testing.T, tab *tab) {
	w := New(Config{})
	w.comers = newLimits(0, 0)
	b := &pretend{answer: chat.Reply{Toast: "done"}}
	at := serve(t, w, b)
	const waits = `document.getElementById("away").checkVisibility() &&
		document.getElementById("away").textContent.startsWith("Many pages are open from here.")`
	const goesOn = `!document.getElementById("away").checkVisibility() && Boolean(` +
		`document.querySelector("#new-tables button"))`
	tab.do(chromedp.Navigate(at + "/table"))
	tab.until(waits)
	accessible(t, tab, "a page that waits")
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		tab.picture(fmt.Sprintf("waits-%d-%s", width, theme))
	})
	w.streams.mu.Lock()
	w.streams.most = 0
	w.streams.mu.Unlock()
	w.comers.becomes(rate.Inf, 1)
	tab.until(`document.querySelector("#new-tables button") && ` + waits)
	w.streams.mu.Lock()
	w.streams.most = maxStreams
	w.streams.mu.Unlock()
	tab.until(goesOn)

	w.acts.becomes(0, 0)
	tab.press(`document.querySelector("#new-tables button")`)
	tab.until(`document.querySelector(".toast.refused")?.textContent.includes("goes on by itself")`)
	w.acts.becomes(rate.Inf, 1)
	tab.until(`document.querySelector(".toast")?.textContent.includes("done")`)
	if _, n := b.last(); n != 1 {
		t.Errorf("the press has arrived %d times", n)
	}

	w.asks.becomes(0, 0)
	tab.do(chromedp.Navigate(at + "/fair?table=1"))
	tab.until(`document.getElementById("verdict").textContent.includes("goes on by itself")`)
	w.asks.becomes(rate.Inf, 1)
	tab.until(`document.getElementById("verdict").textContent.includes("game that is over")`)
}
