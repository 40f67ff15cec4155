package web

import (
	"bytes"
	"knobel/store/storetest"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// linkOf makes a link of the visitor's own.
func linkOf(t *testing.T, c *http.Client, at string) (code string) {
	t.Helper()
	shown := send[wayShown](t, c, at+"/way", wayAct{Make: true})
	if len(shown.Code) < 20 {
		t.Fatalf("the link is %q", shown.Code)
	}
	return shown.Code
}

// whoIs is the visitor of a browser.
func whoIs(t *testing.T, w *Web, c *http.Client, at string) visitor {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/me", "")
	return cookieOf(t, w, res)
}

// A link of one's own makes another browser the same visitor, with names as they
// are now, and not before its person has said so.
func TestALinkOfOnesOwnTakesAVisitorToAnotherBrowser(t *testing.T) {
	w, _, at, c, anna := enters(t, Config{})
	code := linkOf(t, c, at)
	send[self](t, c, at+"/people", change{Rename: &person{0, "Anna"}})
	other, stranger := enter(t, w, at)
	seen := send[taken](t, other, at+"/take", taking{Code: code})
	if seen.Then[0].Name != "Anna" || seen.Now[0].Name != stranger.People[0].Name || seen.Same {
		t.Errorf("the page is told %+v", seen)
	}
	if still := whoIs(t, w, other, at); still.ID != stranger.ID {
		t.Error("who only looks at a link becomes somebody else")
	}
	send[taken](t, other, at+"/take", taking{Code: code, Yes: true})
	there := whoIs(t, w, other, at)
	if there.ID != anna.ID || there.People[0].Name != "Anna" {
		t.Errorf("the other browser is %+v", there)
	}
	if again := send[taken](t, other, at+"/take", taking{Code: code}); !again.Same {
		t.Errorf("who is Anna already is told %+v", again)
	}
	send[self](t, c, at+"/people", change{Add: "Ben"})
	send[self](t, other, at+"/people", change{Add: "Clara"})
	here, there := whoIs(t, w, c, at), whoIs(t, w, other, at)
	if here.user(here.People[1].Number) == there.user(there.People[1].Number) {
		t.Error("Ben, who was added here, and Clara, who was added there, are one person")
	}
}

// A link works until it is revoked or a new one is made, in whichever browser.
func TestALinkOfOnesOwnIsRevoked(t *testing.T) {
	_, _, at, c, _ := enters(t, Config{})
	first := linkOf(t, c, at)
	if shown := send[wayShown](t, c, at+"/way", wayAct{}); shown.Code != first {
		t.Errorf("the link %s is shown as %s", first, shown.Code)
	}
	other := client(t)
	send[taken](t, other, at+"/take", taking{Code: first, Yes: true})
	second := linkOf(t, other, at)
	works := func(code string, status int) {
		t.Helper()
		res, _ := do(t, client(t), "POST", at+"/take", `{"code":"`+code+`","yes":true}`)
		want(t, res, status)
		if in := len(res.Cookies()) > 0; in != (status == http.StatusOK) {
			t.Errorf("a browser is given a visitor: %v", in)
		}
	}
	works(first, http.StatusNotFound)
	works(second, http.StatusOK)
	if shown := send[wayShown](t, c, at+"/way", wayAct{}); shown.Code != "" {
		t.Errorf("a link that works no more is shown: %s", shown.Code)
	}
	send[wayShown](t, c, at+"/way", wayAct{Revoke: true})
	works(second, http.StatusNotFound)
	send[self](t, other, at+"/people", change{Rename: &person{0, "Anna"}})
	works(second, http.StatusNotFound) // a new name brings nothing back
}

// Signing in after a change of the secret also holds for the browsers of the visitor's link. Numbers of new people fit
// 32 bits.
func TestALinkLeadsInOnceItsOwnerHasSaidTheNewSecret(t *testing.T) {
	db, key := storetest.Open(t), make([]byte, 32)
	at := serve(t, New(Config{Secret: "old", Key: key, Store: db}), &pretend{})
	c := client(t)
	signIn(t, c, at, "old", http.StatusSeeOther)
	code := linkOf(t, c, at)
	w := New(Config{Secret: "new", Key: key, Store: db})
	at = serve(t, w, &pretend{})
	signIn(t, c, at, "new", http.StatusSeeOther)
	other := client(t)
	send[taken](t, other, at+"/take", taking{Code: code, Yes: true})
	res, _ := do(t, other, "POST", at+"/me", "")
	want(t, res, http.StatusOK)
	if v := cookieOf(t, w, res); v.Next < 1_000_000 || v.Next > math.MaxInt32-maxPeople {
		t.Errorf("whoever is added next has the number %d", v.Next)
	}
}

// Links cannot be guessed, and lead nobody past the secret who was let in by
// another one.
func TestLinksOfOnesOwnAreGuarded(t *testing.T) {
	var log bytes.Buffer
	db := storetest.Open(t)
	key := make([]byte, 32)
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	at := serve(t, New(Config{Secret: "old", Key: key, Store: db, Log: logger}), &pretend{})
	c := client(t)
	signIn(t, c, at, "old", http.StatusSeeOther)
	send[self](t, c, at+"/people", change{Rename: &person{0, "Anna"}})
	code := linkOf(t, c, at)
	for i := range 6 {
		res, _ := do(t, client(t), "POST", at+"/take", `{"code":"guess"}`)
		want(t, res, map[bool]int{true: http.StatusNotFound, false: http.StatusTooManyRequests}[i < 5])
	}
	for _, head := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}} {
		res, _ := do(t, client(t), "POST", at+"/take", `{"code":"`+code+`","yes":true}`, head...)
		want(t, res, http.StatusForbidden)
	}
	for _, path := range []string{"/take", "/take?code=" + code, "/take?yes=true&code=" + code} {
		if res, _ := do(t, client(t), "GET", at+path, ""); len(res.Cookies()) > 0 {
			t.Errorf("%s makes somebody a visitor", path)
		}
	}
	newer := serve(t, New(Config{Secret: "new", Key: key, Store: db, Log: logger}), &pretend{})
	other := client(t)
	send[taken](t, other, newer+"/take", taking{Code: code, Yes: true})
	res, _ := do(t, other, "POST", newer+"/me", "")
	want(t, res, http.StatusUnauthorized)
	signIn(t, other, newer, "new", http.StatusSeeOther)
	if s := whoami(t, other, newer); s.People[0].Name != "Anna" {
		t.Errorf("with the new secret they are %+v", s)
	}
	stored := must(New(Config{Store: db}).findWay(t.Context(), code))
	for _, secret := range []string{code, "Anna", "web:"} {
		if strings.Contains(log.String(), secret) || strings.Contains(stored, secret) {
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
	code := linkOf(t, c, at)
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
