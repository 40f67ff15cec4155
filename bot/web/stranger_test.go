package web

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// next returns the first button that advances the game.
const next = `(() => {
	const board = [...document.querySelectorAll(".board:not(.over)")].at(-1);
	const buttons = [...board.querySelectorAll(".buttons button")];
	return buttons.find((b) => b.className === "primary") ?? buttons.find((b) => !b.textContent.includes("✓"));
})()`

// cookieless is a way to a server on which all cookies are lost, as in a browser that keeps none. It counts
// what is asked by method and path.
type cookieless struct {
	mu    sync.Mutex
	asked []string
}

// count is how often something was asked.
func (c *cookieless) count(what string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.asked {
		if one == what {
			n++
		}
	}
	return n
}

// to is the address at which the server at another is reached so.
func (c *cookieless) to(t *testing.T, at string) string {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(must(url.Parse(at)))
	proxy.ModifyResponse = func(res *http.Response) error {
		res.Header.Del("Set-Cookie")
		return nil
	}
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.Method+" "+r.URL.Path)
		c.mu.Unlock()
		r.Header.Del("Cookie")
		r.Header["X-Forwarded-For"] = nil // the server takes this for its own machine
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// Without cookies, the page says once that they are needed; no room is made, and nothing is sent.
func cookiesNeeded(t *testing.T, tab *tab) {
	way, w := &cookieless{}, New(Config{})
	server := serve(t, w, &pretend{})
	at := way.to(t, server)
	const needed = "This page needs cookies: allow them for it in your browser."
	tab.isAsked()
	tab.do(chromedp.Navigate(at))
	tab.press(labelled("Play with friends"))
	tab.until(`document.getElementById("problem").textContent === ` + quoted(needed))
	if room, ok, err := w.roomOfNumber(t.Context(), 1); ok || err != nil {
		t.Errorf("a room is made that nobody can enter: %+v, %v", room, err)
	}
	tab.picture("cookies-front-390-light")

	c, _ := enter(t, w, server)
	for _, path := range []string{makes(t, c, server), "/table"} {
		tab.goes(at+path, `document.querySelector("main h1")?.textContent === `+quoted(needed))
		if ask[bool](tab, `Boolean(document.querySelector("dialog[open]"))`) {
			t.Error("a name is asked for all the same")
		}
		for _, width := range []int64{390, 1280} {
			tab.look(width, "light")
			tab.picture(map[int64]string{390: "cookies-room-390-light", 1280: "cookies-room-1280-light"}[width])
		}
		for _, what := range []string{"GET " + path, "POST " + path + "/me"} {
			if n := way.count(what); n > 1 {
				t.Errorf("%s is asked %d times", what, n)
			}
		}
	}
	if n := way.count("POST /me"); n != 1 {
		t.Errorf("the page of the room that is always there asks %d times who it is", n)
	}
}
