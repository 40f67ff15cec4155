package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// No GET makes or replaces a visitor where another site can have caused it,
// whatever path it asks for and whether or not the browser says where it is from.
func TestNoLinkMakesOrReplacesAVisitor(t *testing.T) {
	browsed := []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}
	led := [][]string{browsed} // an old browser, or a page without TLS in a home network
	for _, site := range []string{"cross-site", "same-site", "same-origin", "none"} {
		led = append(led, append([]string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest",
			"document"}, browsed...))
	}
	for _, site := range []string{"cross-site", "same-site"} {
		for _, mode := range []string{"cors", "no-cors", "websocket"} {
			led = append(led, []string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode})
		}
	}
	paths := []string{"/", "/table", "/fair", "/me", "/events", "/record?table=1", "/games", "/complete?text=/",
		must(thePages().statics.at("page.css")), "/sign-in", "/people", "/look", "/press", "/command", "/healthz",
		"/readyz", "/nowhere", "/take", "/way", "/?secret=s", "/?secret=no"}
	for _, secret := range []string{"", "s"} {
		at := serve(t, New(Config{Secret: secret}), &pretend{})
		for _, head := range led {
			for _, method := range []string{"GET", "HEAD"} {
				for _, path := range paths {
					res, _ := do(t, client(t), method, at+path, "", head...)
					if cookies := res.Header.Values("Set-Cookie"); len(cookies) > 0 {
						t.Errorf("with the secret %q, %s %s %q sets %q", secret, method, path, head, cookies)
					}
				}
			}
		}
		res, _ := do(t, client(t), "POST", at+"/me", "", "Sec-Fetch-Site", "cross-site")
		want(t, res, http.StatusForbidden)
		res, _ = do(t, client(t), "POST", at+"/sign-in", "secret=s", "Sec-Fetch-Site", "cross-site", "Content-Type",
			"application/x-www-form-urlencoded")
		want(t, res, http.StatusForbidden)
	}
}

// No stranger gets a name used in the room.
func TestStrangersHaveNamesOfTheirOwn(t *testing.T) {
	w := New(Config{})
	taken := map[string]bool{}
	for i := range 80 {
		taken[fmt.Sprintf("Guest %d", 10+i)] = true
	}
	for range 200 {
		name := propose("Guest", taken)
		if taken[name] || !strings.HasPrefix(name, "Guest ") {
			t.Fatalf("%q is proposed, and is somebody else", name)
		}
		taken[name] = true
	}
	m := board(1, "Anna is to throw.")
	w.room.post(m)
	for _, p := range m.People {
		if !w.room.names()[p.Name] {
			t.Errorf("nobody knows that %q sits at a board", p.Name)
		}
	}
}

// elsewhere is a page of another site with a link, and its address.
func elsewhere(t *testing.T, link string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(rw, `<!DOCTYPE html><title>elsewhere</title><a href="%s">Come and play</a>`, link)
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

func linkFromElsewhere(t *testing.T, tab *tab) {
	// A browser tells a page that is not on its own machine and has no TLS hardly
	// anything of where a request comes from.
	for _, c := range []struct{ secret, host string }{{"", "127.0.0.1"}, {"three swans", "127.0.0.1"},
		{"three swans", "dice.test"}} {
		secret := c.secret
		at := serve(t, New(Config{Secret: secret}), &pretend{})
		at = strings.Replace(strings.TrimSuffix(at, "/"), "127.0.0.1", c.host, 1)
		invitation := at + "/?secret=" + url.QueryEscape(secret)
		tab.isAsked()
		tab.do(chromedp.Navigate(invitation))
		tab.press(labelled("Play here"))
		tab.comesIn("Anna")
		tab.until(`document.querySelector(".person")?.textContent === "Anna"`)
		if where := ask[string](tab, `location.search`); secret != "" && where != "" {
			t.Errorf("the address still tells the secret: %s", where)
		}
		for _, link := range []string{invitation, at + "/", at + "/table", at + "/?secret=wrong", at + "/me"} {
			tab.do(chromedp.Navigate(elsewhere(t, link)))
			tab.press(labelled("Come and play"))
			tab.until(`location.hostname === ` + quoted(c.host) +
				` && (location.pathname === "/me" || document.querySelector(".person, #secret, .front"))`)
			tab.goes(at+"/table", `document.querySelector(".person")`)
			if who := ask[string](tab, `document.querySelector(".person").textContent`); who != "Anna" {
				t.Errorf("after a link to %s Anna is %s", link, who)
			}
		}
	}
}

func askedForAName(t *testing.T, tab *tab) {
	at := serve(t, New(Config{Secret: "three swans"}), &pretend{})
	at = strings.Replace(strings.TrimSuffix(at, "/"), "127.0.0.1", "dice.test", 1)
	tab.do(chromedp.Navigate(at + "/"))
	tab.press(labelled("Play with friends"))
	tab.press(`document.getElementById("secret")`)
	tab.do(chromedp.KeyEvent("three swans"))
	tab.isAsked()
	tab.press(labelled("Come in"))
	const asked = `document.getElementById("names")?.open`
	tab.until(`location.pathname.startsWith("/r/") && ` + asked) // what was wished for comes about
	tab.goes(at+"/#in", `document.body.dataset.ready && location.hash === ""`)
	if ask[string](tab, `location.pathname`) != "/" {
		t.Error("a link makes a room")
	}
	other := tab.another(t)
	other.do(chromedp.Navigate(at + "/"))
	other.press(labelled("Play here"))
	other.press(`document.getElementById("secret")`)
	other.do(chromedp.KeyEvent("three swans"))
	other.press(labelled("Come in"))
	other.until(`location.pathname === "/table" && ` + asked)
	tab.goes(at+"/table", asked)
	name := ask[string](tab, `document.getElementById("names-name").value`)
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`!document.getElementById("names").open`)
	tab.until(`(fetch("/me").then((answer) => answer.json()).then((self) => { globalThis.answered = !self.fresh; }), globalThis.answered)`)
	tab.goes(at+"/table", `document.querySelector(".person")`)
	if again := ask[string](tab, `document.querySelector(".person").textContent`); again != name {
		t.Errorf("%s has become %s", name, again)
	}
	if ask[bool](tab, asked) {
		t.Error("who wants no name is asked again")
	}
}
