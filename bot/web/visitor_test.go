package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
)

func TestNamesBecomeOneLineThatCanBeSeen(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"Anna", "Anna"},
		{"  Anna \t\n Maria ", "Anna Maria"},
		{"", ""},
		{" \u200d\u202e ", ""},
		{"<b>*_[x](y)@everyone", "<b>*_[x](y)@everyone"},
		{"A\u202enna", "A nna"},
		{"👩‍👩‍👧 Kai", "👩‍👩‍👧 Kai"},
		{"A\xffnna", "Anna"},
		{strings.Repeat("ä", 4000), strings.Repeat("ä", 32)},
	} {
		if got := tidyName(c.given); got != c.want {
			t.Errorf("tidyName(%.20q) = %q, want %q", c.given, got, c.want)
		}
	}
}

func TestPeopleComeChangeTheirNamesAndGo(t *testing.T) {
	v := newVisitor("Guest 12")
	if len(v.People) != 1 || v.People[0].Name != "Guest 12" {
		t.Fatalf("a stranger is %v", v.People)
	}
	anna, one := person{0, "Anna"}, 1
	for _, step := range []struct {
		change change
		want   string
	}{
		{change{Rename: &anna}, ""},
		{change{Add: "Ben"}, ""},
		{change{Add: "Clara"}, ""},
		{change{Remove: &one}, ""},
		{change{Remove: &one}, "people-unknown"},
		{change{Add: "Dora"}, ""},
		{change{Add: " "}, "people-no-name"},
	} {
		before := v.People
		if problem := v.apply(step.change); problem != step.want {
			t.Fatalf("%+v: %q, want %q", step.change, problem, step.want)
		} else if problem != "" && !cmp.Equal(before, v.People) {
			t.Fatalf("%+v was refused and changed the people", step.change)
		}
	}
	if diff := cmp.Diff([]person{{0, "Anna"}, {2, "Clara"}, {3, "Dora"}}, v.People); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	for len(v.People) < maxPeople {
		v.apply(change{Add: "Gast"})
	}
	if problem := v.apply(change{Add: "Elf"}); problem != "people-full" {
		t.Errorf("the eleventh: %q", problem)
	}
	if sealed := sealVisitor(make([]byte, 32), v); len(sealed) > 4000 {
		t.Errorf("a full screen needs a cookie of %d bytes", len(sealed))
	}
}

func TestCookieOpensOnlyWithItsKeyAndUnchanged(t *testing.T) {
	key, other := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	v := newVisitor("Gast")
	v.Pass = "in"
	sealed := sealVisitor(key, v)
	got, ok := openVisitor(key, sealed)
	if !ok || !cmp.Equal(v, got) {
		t.Fatalf("opened %v %v, sealed %v", got, ok, v)
	}
	if _, ok := openVisitor(other, sealed); ok {
		t.Error("another key opens the cookie")
	}
	for i := range sealed {
		changed := []byte(sealed)
		changed[i] ^= 1
		if got, ok := openVisitor(key, string(changed)); ok && !cmp.Equal(v, got) {
			t.Errorf("byte %d changed opens as %v", i, got)
		}
	}
}

func TestUsersBelongToOneVisitor(t *testing.T) {
	v, w := newVisitor("a"), newVisitor("b")
	if v.user(1) == w.user(1) || v.user(1) == v.user(2) {
		t.Error("two people are one user")
	}
	if strings.Contains(string(v.user(0)), v.ID) {
		t.Error("a user's id tells the cookie")
	}
	if n, ok := v.numberOf(v.user(7)); !ok || n != 7 {
		t.Error("a visitor's person is not theirs")
	}
	for _, u := range []chat.User{w.user(0), "", "web:", chat.User(v.Prefix), chat.User(v.Prefix + "x")} {
		if _, ok := v.numberOf(u); ok {
			t.Errorf("%q counts as the visitor's", u)
		}
	}
}

func FuzzTidyName(f *testing.F) {
	for _, s := range []string{"Anna", "", "\u202e", "👩‍👩‍👧", strings.Repeat("x ", 40), "\xff\xfe", "a\u200d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := tidyName(s)
		if !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxName || len(name) > maxNameBytes {
			t.Errorf("tidyName(%q) = %q", s, name)
		}
		if again := tidyName(name); again != name {
			t.Errorf("tidying %q twice gives %q", name, again)
		}
	})
}

func FuzzCookie(f *testing.F) {
	key := make([]byte, 32)
	f.Add(sealVisitor(key, newVisitor("Guest")))
	f.Add("")
	f.Add(".")
	f.Add("e30.e30")
	f.Fuzz(func(t *testing.T, value string) {
		if v, ok := openVisitor(key, value); ok && (v.ID == "" || len(v.People) == 0) {
			t.Errorf("%q opens as %v", value, v)
		}
	})
}

// TestAStreamOpenedDuringARenameShowsTheNewName opens a stream with a cookie from before the rename.
func TestAStreamOpenedDuringARenameShowsTheNewName(t *testing.T) {
	_, _, at, c, _ := serveWithBrowser(t, Config{})
	stale, address := newClient(t), must(url.Parse(at))
	stale.Jar.SetCookies(address, c.Jar.Cookies(address))
	postJSON[self](t, c, at+"/people", change{Rename: &person{0, "Anna"}})
	if _, n, _ := openStream(t, stale, at, "").next(); len(n.Here) != 1 || n.Here[0].Name != "Anna" {
		t.Errorf("the stream shows %+v", n.Here)
	}
}

// Two installations on one machine, at two ports, leave each other's visitors alone, although a browser shares its
// cookies among all ports. A visitor with a cookie of an older version, or of another port of the same installation,
// remains the same visitor.
func TestInstallationsAtTwoPortsShareNoVisitor(t *testing.T) {
	key := make([]byte, 32)
	ours, others := New(Config{Key: key}), New(Config{})
	at, there := serve(t, ours, &fakeBot{}), serve(t, others, &fakeBot{})
	c, anna := openPage(t, ours, at)
	if res, _ := do(t, c, "POST", there+"/me", ""); visitorIn(t, others, res).ID == anna.ID {
		t.Error("both have the same visitor")
	}
	if again := visitorAt(t, ours, c, at); again.ID != anna.ID {
		t.Error("the other installation's cookie has taken the place of ours")
	}
	moved := New(Config{Key: key})
	if still := visitorAt(t, moved, c, serve(t, moved, &fakeBot{})); still.ID != anna.ID {
		t.Error("at another port Anna is somebody else")
	}
	before := newVisitor("Ben")
	res, _ := do(t, newClient(t), "POST", at+"/me", "", "Cookie", visitorCookie+"="+sealVisitor(key, before))
	if v := visitorIn(t, ours, res); v.ID != before.ID {
		t.Error("who came with a cookie of before is somebody else")
	}
	older := anna
	older.People = []person{{0, "Old"}}
	port := at[strings.LastIndexByte(at, ':')+1:]
	res, _ = do(t, newClient(t), "POST", at+"/me", "", "Cookie", visitorCookie+"="+sealVisitor(key, older)+"; "+
		visitorCookie+"_"+port+"="+sealVisitor(key, anna))
	if v := visitorIn(t, ours, res); v.People[0].Name == "Old" {
		t.Error("the older cookie counts")
	}
}

// visitorAt returns the visitor of the browser c at a URL.
func visitorAt(t *testing.T, w *Web, c *http.Client, at string) visitor {
	t.Helper()
	res, _ := do(t, c, "POST", at+"/me", "")
	return visitorIn(t, w, res)
}

// Neither the log nor the stored link to a person's other browser shows the link's code or the people at the browser.
func TestLinksOfOnesOwnAreGuarded(t *testing.T) {
	var log bytes.Buffer
	w, _, at, c, _ := serveWithBrowser(t, Config{Log: slog.New(slog.NewTextHandler(&log,
		&slog.HandlerOptions{Level: slog.LevelDebug}))})
	postJSON[self](t, c, at+"/people", change{Rename: &person{0, "Anna"}})
	code := postJSON[shownLink](t, c, at+"/way", map[string]bool{"make": true}).Code
	postJSON[linkAnswer](t, newClient(t), at+"/take", map[string]any{"code": code, "yes": true})
	stored := must(w.findLink(t.Context(), code))
	for _, secret := range []string{code, "Anna", "web:"} {
		if stored == "" || strings.Contains(log.String()+stored, secret) {
			t.Errorf("%q is logged or stored", secret)
		}
	}
}

// The page makes a link, and asks for confirmation before the link replaces the people of a browser.
func linkOfOnesOwn(t *testing.T, tab *tab) {
	w := New(Config{})
	at := strings.TrimSuffix(serve(t, w, &fakeBot{}), "/")
	c, _ := openPage(t, w, at)
	postJSON[self](t, c, at+"/people", change{Rename: &person{0, "Ben"}})
	code := postJSON[shownLink](t, c, at+"/way", map[string]bool{"make": true}).Code
	enterAsAnna(tab, at)
	tab.openPeople()
	tab.press(labelled("Another browser"))
	tab.press(labelled("Make a link"))
	tab.until(`document.getElementById("way-link").value.startsWith(` + quoted(at+"/take#") + `)`)
	wantAccessible(t, tab, "with a link of one's own")
	tab.do(chromedp.Navigate(at + "/take#" + code))
	tab.until(`document.getElementById("take").innerText.includes("This browser plays as Anna now")`)
	tab.open(at+"/table", `document.querySelector(".person")?.textContent === "Anna"`)
	tab.do(chromedp.Navigate(at + "/take#" + code))
	tab.press(labelled("Keep playing as Ben"))
	tab.until(`document.querySelector(".person")?.textContent === "Ben"`)
	tab.open(at+"/take#nothing", `document.querySelector(".problem")`)
}

// No GET that another site can have caused makes or replaces a visitor, with or without an origin.
func TestNoLinkMakesOrReplacesAVisitor(t *testing.T) {
	browsed := []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}
	led := [][]string{browsed} // possible request headers; first those without TLS, or of an old browser
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
		must(thePages().statics.path("page.css")), "/sign-in", "/people", "/look", "/press", "/command", "/healthz",
		"/readyz", "/nowhere", "/take", "/way", "/?secret=s", "/?secret=no"}
	for _, secret := range []string{"", "s"} {
		at := serve(t, New(Config{Secret: secret}), &fakeBot{})
		for _, head := range led {
			for _, method := range []string{"GET", "HEAD"} {
				for _, path := range paths {
					res, _ := do(t, newClient(t), method, at+path, "", head...)
					if cookies := res.Header.Values("Set-Cookie"); len(cookies) > 0 {
						t.Errorf("with the secret %q, %s %s %q sets %q", secret, method, path, head, cookies)
					}
				}
			}
		}
		res, _ := do(t, newClient(t), "POST", at+"/me", "", "Sec-Fetch-Site", "cross-site")
		want(t, res, http.StatusForbidden)
		res, _ = do(t, newClient(t), "POST", at+"/sign-in", "secret=s", "Sec-Fetch-Site", "cross-site", "Content-Type",
			"application/x-www-form-urlencoded")
		want(t, res, http.StatusForbidden)
	}
}

// No stranger gets a name that is used in the room.
func TestStrangersHaveNamesOfTheirOwn(t *testing.T) {
	taken, m := map[string]bool{}, board(1, "Guest 10 is to throw.")
	for i := range 80 {
		taken[fmt.Sprintf("Guest %d", 10+i)] = true
	}
	for range 200 {
		name := proposeName("Guest", taken)
		if taken[name] || !strings.HasPrefix(name, "Guest ") {
			t.Fatalf("%q is proposed, and is somebody else", name)
		}
		taken[name] = true
	}
	w := New(withStore(t, Config{}))
	for i := range 90 {
		m.People = append(m.People, chat.Person{Seat: i, Name: fmt.Sprint("Guest ", 10+i)})
	}
	w.room.post(m)
	name := w.guestName(httptest.NewRequest("GET", "/table", nil))
	if slices.ContainsFunc(m.People, func(p chat.Person) bool { return p.Name == name }) {
		t.Errorf("%q is proposed, and sits at a board", name)
	}
}

// serveForeignPage serves a page of another site with a link, and returns its URL.
func serveForeignPage(t *testing.T, link string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(rw, `<!DOCTYPE html><title>elsewhere</title><a href="%s">Come and play</a>`, link)
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
}

// A link from another site changes no visitor.
func linkFromElsewhere(t *testing.T, tab *tab) {
	// Without TLS, and from another machine, a browser sends hardly anything about the origin of a request.
	for _, c := range []struct{ secret, host string }{{"", "127.0.0.1"}, {"three swans", "127.0.0.1"},
		{"three swans", "dice.test"}} {
		secret := c.secret
		at := serve(t, New(Config{Secret: secret}), &fakeBot{})
		at = strings.Replace(strings.TrimSuffix(at, "/"), "127.0.0.1", c.host, 1)
		invitation := at + "/?secret=" + url.QueryEscape(secret)
		tab.askForName()
		tab.do(chromedp.Navigate(invitation))
		tab.press(labelled("Main room"))
		tab.enterName("Anna")
		tab.until(`document.querySelector(".person")?.textContent === "Anna"`)
		if where := ask[string](tab, `location.search`); secret != "" && where != "" {
			t.Errorf("the address still tells the secret: %s", where)
		}
		for _, link := range []string{invitation, at + "/", at + "/table", at + "/?secret=wrong", at + "/me"} {
			tab.do(chromedp.Navigate(serveForeignPage(t, link)))
			tab.press(labelled("Come and play"))
			tab.until(`location.hostname === ` + quoted(c.host) +
				` && (location.pathname === "/me" || document.querySelector(".person, #secret, .front"))`)
			tab.open(at+"/table", `document.querySelector(".person")`)
			if who := ask[string](tab, `document.querySelector(".person").textContent`); who != "Anna" {
				t.Errorf("after a link to %s Anna is %s", link, who)
			}
		}
	}
}

// A new visitor who gives the secret is asked for a name.
func askedForAName(t *testing.T, tab *tab) {
	at := serve(t, New(Config{Secret: "three swans"}), &fakeBot{})
	at = strings.Replace(strings.TrimSuffix(at, "/"), "127.0.0.1", "dice.test", 1)
	tab.do(chromedp.Navigate(at + "/"))
	tab.press(labelled("Play with friends"))
	tab.press(`document.getElementById("secret")`)
	tab.do(chromedp.KeyEvent("three swans"))
	tab.askForName()
	tab.press(labelled("Join"))
	const asked = `document.getElementById("names")?.open`
	tab.until(`location.pathname.startsWith("/r/") && ` + asked) // the room wanted before is made now
	tab.open(at+"/#in", `document.body.dataset.ready && location.hash === ""`)
	if ask[string](tab, `location.pathname`) != "/" {
		t.Error("a link makes a room")
	}
	other := tab.otherBrowser(t)
	other.do(chromedp.Navigate(at + "/"))
	other.press(labelled("Main room"))
	other.press(`document.getElementById("secret")`)
	other.do(chromedp.KeyEvent("three swans"))
	other.press(labelled("Join"))
	other.until(`location.pathname === "/table" && ` + asked)
	tab.open(at+"/table", asked)
	name := ask[string](tab, `document.getElementById("names-name").value`)
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`!document.getElementById("names").open`)
	tab.until(`(fetch("/me").then((answer) => answer.json()).then((self) => { globalThis.answered = !self.fresh; }), globalThis.answered)`)
	tab.open(at+"/table", `document.querySelector(".person")`)
	if again := ask[string](tab, `document.querySelector(".person").textContent`); again != name {
		t.Errorf("%s has become %s", name, again)
	}
	if ask[bool](tab, asked) {
		t.Error("who wants no name is asked again")
	}
}
