package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// whoIs is the visitor of a browser.
func whoIs(t *testing.T, w *Web, c *http.Client, at string) visitor {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/me", "")
	return cookieOf(t, w, res)
}

// Neither a link nor the people behind it stand in the log or the database.
func TestLinksOfOnesOwnAreGuarded(t *testing.T) {
	var log bytes.Buffer
	w, _, at, c, _ := enters(t, Config{Log: slog.New(slog.NewTextHandler(&log,
		&slog.HandlerOptions{Level: slog.LevelDebug}))})
	send[self](t, c, at+"/people", change{Rename: &person{0, "Anna"}})
	code := send[wayShown](t, c, at+"/way", map[string]bool{"make": true}).Code
	send[taken](t, client(t), at+"/take", map[string]any{"code": code, "yes": true})
	stored := must(w.findWay(t.Context(), code))
	for _, secret := range []string{code, "Anna", "web:"} {
		if stored == "" || strings.Contains(log.String()+stored, secret) {
			t.Errorf("%q is logged or stored", secret)
		}
	}
}

// A link is made on the page, and asks before it replaces the people of a browser.
func linkOfOnesOwn(t *testing.T, tab *tab) {
	w := New(Config{})
	at := strings.TrimSuffix(serve(t, w, &pretend{}), "/")
	c, _ := enter(t, w, at)
	send[self](t, c, at+"/people", change{Rename: &person{0, "Ben"}})
	code := send[wayShown](t, c, at+"/way", map[string]bool{"make": true}).Code
	annaComes(tab, at)
	tab.people()
	tab.press(labelled("Other browser"))
	tab.press(labelled("Make a link"))
	tab.until(`document.getElementById("way-link").value.startsWith(` + quoted(at+"/take#") + `)`)
	accessible(t, tab, "with a link of one's own")
	tab.do(chromedp.Navigate(at + "/take#" + code))
	tab.until(`document.getElementById("take").innerText.includes("This browser plays as Anna now")`)
	tab.do(chromedp.Navigate(at + "/table"))
	tab.until(`document.querySelector(".person")?.textContent === "Anna"`)
	tab.do(chromedp.Navigate(at + "/take#" + code))
	tab.press(labelled("Play on as Ben"))
	tab.until(`document.querySelector(".person")?.textContent === "Ben"`)
	tab.do(chromedp.Navigate(at + "/take#nothing"))
	tab.until(`document.querySelector(".problem")`)
}
