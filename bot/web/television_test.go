package web

import (
	"cmp"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
)

// act sends a command of the first person of a page, and waits until it was carried out.
func (b *tab) act(id, text string) {
	b.t.Helper()
	if !ask[bool](b, `fetch("/command", { method: "POST", headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ id: `+quoted(id)+`, text: `+quoted(text)+` }) }).then(({ ok }) => ok)`) {
		b.t.Fatalf("%s is refused", text)
	}
}

// A television shows real games and the evening between them. After a restart of the server with the same database, it
// shows the next table by itself. It is nobody: no seat, no person in the room, and its stream has nothing private.
func televisionGoesOn(t *testing.T, tv *tab) {
	c, at := withStore(t, Config{}), "127.0.0.1:0"
	anna, ben := tv.otherBrowser(t), tv.otherBrowser(t)
	in := func(t *testing.T, b *tab) *tab { return &tab{t: t, ctx: b.ctx} }
	serves := func(t *testing.T) (w *Web) {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", at)
		done(t, err)
		at, c.Listener = l.Addr().String(), l
		w, _ = serveBot(t, c, true, shutbox.Game{}, sets.Kniffel())
		return w
	}
	large := televisions[2:]
	t.Run("before", func(t *testing.T) {
		w, tv, anna, ben := serves(t), in(t, tv), in(t, anna), in(t, ben)
		tv.open("http://"+at+"/table?view=screen", `document.body.dataset.ready && document.querySelector(".welcome .box")`)
		anna.setLook(1366, "light")
		anna.do(chromedp.Navigate("http://" + at + "/table"))
		anna.enterName("Anna")
		anna.act("a-first-table", "/shutbox 10")
		tv.until(`document.querySelectorAll(".plate").length === 1 && document.querySelector(".howto").checkVisibility()`)
		tv.fitsOn("television-lobby", large...)
		ben.do(chromedp.Navigate("http://" + at + "/table"))
		ben.enterName("Ben") // he joins by this
		tv.until(`document.querySelectorAll(".plate").length === 2`)
		anna.press(labelled("Start"))
		anna.press(labelled("Roll"))
		tv.until(`document.querySelector(".board .dice .die")`)
		tv.fitsOn("television-tiles", large...)
		ask[bool](anna, `(`+playOut+`, true)`)
		ask[bool](ben, playOut)
		tv.until(ended + ` && ` + eveningShown + ` && document.querySelectorAll(".evening .own").length === 2`)
		tv.fitsOn("television-over", large...)
		if people := w.room.presentPeople(); len(people) != 2 {
			t.Errorf("%+v are there", people)
		}
		person := visitor{ID: "an id", Prefix: prefixOf(w.room.presentPeople()[0].user)}
		s := openStream(t, newClient(t), "http://"+at, "", map[string][]string{"view": {"screen"}})
		events := s.until([]string{`"event: feed"`, `"Anna"`, `"\n\n"`})
		if found := secretsIn(events, person); len(found) > 0 {
			t.Errorf("the television receives %q in\n%s", found, events)
		}
	})
	ask[bool](tv, `(window.same = true)`)
	tv.until(`document.getElementById("away").checkVisibility()`)
	t.Run("after", func(t *testing.T) {
		serves(t)
		tv, anna := in(t, tv), in(t, anna)
		anna.open("http://"+at+"/table", cameIn)
		tv.until(`!document.getElementById("away").checkVisibility() && ` + eveningShown)
		anna.act("a-second-table", "/kniffel")
		tv.until(`document.querySelector(".board.lobby") && document.querySelector("main > .evening")?.checkVisibility()`)
		tv.fitsOn("television-evening", large...)
		anna.press(labelled("Start"))
		for range 4 {
			anna.press(nextButton)
			anna.until(rested)
		}
		tv.until(`document.querySelector(".pad td") && document.querySelector(".last .die") && !` + eveningShown)
		tv.fitsOn("television-sheet", large...)
		if !ask[bool](tv, `window.same`) {
			t.Error("the page was loaded again, but it is the same version")
		}
	})
}

// hurries is a script that makes a page's timers twenty times as fast. later adds milliseconds to its clock.
const hurries = `(() => {
	const { setTimeout, setInterval } = window;
	window.setTimeout = (f, ms = 0, ...args) => setTimeout(f, ms / 20, ...args);
	window.setInterval = (f, ms = 0, ...args) => setInterval(f, ms / 20, ...args);
	const now = performance.now.bind(performance);
	performance.now = () => now() + (window.later ?? 0);
})()`

// A television loads its page again for a newer version, after an error of a proxy, and when its stream is silent.
func televisionReloads(t *testing.T, tab *tab) {
	var serving atomic.Pointer[http.Handler]
	var pages atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == "/table" {
			pages.Add(1)
		}
		(*serving.Load()).ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	switchTo := func(h http.Handler) {
		serving.Store(&h)
		server.CloseClientConnections()
	}
	c := withStore(t, Config{})
	version := func(prefix string) http.Handler {
		w := New(c)
		w.pages.statics.prefix = cmp.Or(prefix, w.pages.statics.prefix)
		return w.handler(t.Context(), &fakeBot{})
	}
	switchTo(version(""))
	tab.onEveryPage(hurries)
	const ready, old = `document.body.dataset.ready && !window.old`, `(window.old = true)`
	tab.open(server.URL+"/table?view=screen", ready)

	ask[bool](tab, old)
	switchTo(version("/static/newer/"))
	tab.until(ready + ` && document.querySelector("script[src]").src.includes("/static/newer/")`)

	ask[bool](tab, old)
	before := pages.Load()
	switchTo(http.NotFoundHandler()) // as a proxy answers while the server is away
	tab.until(`document.getElementById("away").checkVisibility()`)
	for pages.Load() < before+2 {
		ask[bool](tab, `new Promise((done) => setTimeout(done, 200)).then(() => true)`)
	}
	if !ask[bool](tab, `window.old`) {
		t.Error("the page of a proxy takes the place of the television")
	}
	switchTo(version("/static/newer/"))
	tab.until(ready)

	ask[bool](tab, old)
	ask[bool](tab, `(window.later = 61_000, true)`)
	tab.until(ready)
	if count := strings.Count(ask[string](tab, `document.body.innerText`), "Ready to play?"); count != 1 {
		t.Errorf("the page shows its picture %d times", count)
	}
}
