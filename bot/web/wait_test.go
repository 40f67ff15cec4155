package web

import (
	"testing"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// becomes changes how much is allowed, from now on and for all.
func (l *limits) becomes(every rate.Limit, burst int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.every, l.burst, l.by = every, burst, map[string]*rate.Limiter{}
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
	tab.goes(at+"/table", waits)
	looksWell(t, tab, "waits")
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
	tab.goes(at+"/fair?table=1", `document.getElementById("verdict").textContent.includes("goes on by itself")`)
	w.asks.becomes(rate.Inf, 1)
	tab.until(`document.getElementById("verdict").textContent.includes("game that is over")`)
}
