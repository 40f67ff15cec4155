package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// reborn is a server at one address that begins anew, as after a restart: whoever follows it is cut off.
type reborn struct {
	mu   sync.Mutex
	now  http.Handler
	ends context.CancelFunc
}

// begins has a browser table serve from now on.
func (r *reborn) begins(t *testing.T, w *Web, b core) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ends != nil {
		r.ends()
	}
	r.now, r.ends = w.handler(ctx, b), cancel
}

func (r *reborn) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	now := r.now
	r.mu.Unlock()
	now.ServeHTTP(rw, req)
}

// A restart of the server takes nothing out of the hands of whoever plays: what they have chosen, and where the focus
// is. Nothing that stood there is read out again, nor are games of before.
func restartIsNoNews(t *testing.T, tab *tab) {
	key := []byte(strings.Repeat("k", 32))
	first, second := New(Config{Key: key}), New(Config{Key: key})
	server, b := &reborn{}, &pretend{}
	server.begins(t, first, b)
	srv := httptest.NewServer(server)
	t.Cleanup(func() { server.ends(); srv.Close() })
	tab.do(chromedp.Navigate(srv.URL + "/table"))
	tab.until(cameIn)
	m := elevenThrown("9+2", "8+3", "6+3+2")
	m.Live, m.People[0].User = true, firstHere(first.room)
	over := board(1, "Anna wins.")
	over.Record, over.Buttons = 1, nil
	first.room.post(over)
	first.room.post(m)
	tab.until(`Boolean(` + tile(9) + `)`)
	tab.press(tile(9))
	tab.until(tile(9) + `.ariaPressed === "true"`)
	ask[bool](tab, `(`+tile(2)+`.focus(), document.getElementById("live").replaceChildren(), true)`)
	listens(tab)

	second.room.remembers(over, second.began)
	second.room.post(m)
	server.begins(t, second, b)
	who := firstHere(second.room) // the page has come back
	if who != m.People[0].User {
		t.Errorf("whoever played was %s and is %s", m.People[0].User, who)
	}
	second.room.announce(line{"renewed", "Anna"}) // which comes behind all else
	tab.until(`document.getElementById("entries").textContent.includes("Anna")` +
		` && document.getElementById("away").hidden && document.getElementById("live").textContent.includes("new address")`)
	if state := ask[string](tab, tile(9)+`.ariaPressed`); state != "true" {
		t.Errorf("what was chosen is not any more: %s", state)
	}
	if !ask[bool](tab, `document.activeElement === `+tile(2)) {
		t.Errorf("the focus has gone to %s", ask[string](tab, `document.activeElement.outerHTML.slice(0, 200)`))
	}
	for _, said := range ask[[]string](tab, `globalThis.heard`) {
		if strings.Contains(said, "close 11") || strings.Contains(said, "wins") {
			t.Errorf("%q is read out again", said)
		}
	}
}
