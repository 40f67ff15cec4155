package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
)

// story is a test of the page in a real browser.
type story struct {
	name string
	run  func(*testing.T, *tab)
}

// onePage holds the stories that short runs play, too: one for each page and kind of board, and one for a page's size.
var onePage = []story{
	{"the front page shows both ways to play", frontPage},
	{"each game has a card", gamesOnCards},
	{"four presses lead to the first throw", fourPresses},
	{"every kind of board can be seen", everyKindOfBoard},
	{"a television shows every kind of board", shownOnScreen},
	{"a notice of an evening is there for pages opened later", noticedLater},
	{"a television goes on after a restart", televisionGoesOn},
	{"a television reloads by itself", televisionReloads},
	{"who of a screen presses is known to the page", pressersByButton},
	{"lists are tables", tablesShown},
	{"a page shows its picture", pictureShown},
	{"the page of an answer that was asked for last wins", lastPageWins},
	{"a finished game is reviewed", gameReviewed},
	{"dice of records are thrown again", diceThrownAgain},
	{"dice and cells are touched", diceAndCellsTouched},
	{"a host and a guest see each other", hostAndGuest},
	{"people write to the room", linesWritten},
	{"the table stands still", tableStands},
	{"the panel shows all beside the table", panelOpened},
	{"a link of one's own leads to another browser", linkOfOnesOwn},
	{"who comes by the secret is asked for a name", askedForAName},
	{"without cookies a page says what it needs", cookiesNeeded},
	{"without a connection the page says so", saysThatItIsOffline},
	{"calls are notifications for whoever wants them", notifiedOfCalls},
	{"whoever types is not interrupted", typingGoesOn},
	{"a first visit weighs little", weighsLittle},
	{"a page waits for little", waitsForLittle},
	{"a game is played inside a client", playedInAClient},
	{"a page stands in the frame of a client", framed},
	{"a page stands in an activity", inAnActivity},
	{"faults of a page are found", faultsAreFound},
	{"axe-core is asked for faults", axeFindsFaults},
}

// moreStories holds all other stories, which only .ci/long runs.
var moreStories = []story{
	{"both games are played by keyboard alone", playedByKeyboard},
	{"the focus stays on the same place", focusStays},
	{"whoever is to move sees what to press", moverSeesButtons},
	{"a command is typed without a mouse", typedCommand},
	{"a word is copied as it is", wordCopied},
	{"hashes are right", hashesAreRight},
	{"a link from elsewhere makes nobody somebody else", linkFromElsewhere},
	{"a page that has to wait says so", saysThatItWaits},
	{"what a step says is heard once", stepsAreHeardOnce},
	{"tiles are touched", tilesTouched},
	{"a lobby leads to another game", anotherGame},
	{"the end is celebrated", endCelebrated},
	{"sounds are heard by whoever wants them", soundsHeard},
	{"what is shown for inviting works", invited},
}

func TestInTheBrowser(t *testing.T) { inTheBrowser(t, onePage) }

func TestMoreInTheBrowser(t *testing.T) {
	needs.Long(t)
	inTheBrowser(t, moreStories)
}

// inTheBrowser runs stories in one browser, each with separate cookies.
func inTheBrowser(t *testing.T, stories []story) {
	t.Helper()
	first := browser(t)
	for _, story := range stories {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := chromedp.NewContext(first, chromedp.WithNewBrowserContext())
			defer cancel()
			b := &tab{t: t, ctx: ctx}
			b.setLook(390, "light")
			b.keepProposals()
			story.run(t, b)
		})
	}
}

// nextButton is a script that returns the first button that advances the game.
const nextButton = `(() => {
	const board = document.querySelector(".board:not(.over)");
	return board.querySelector('.pencil[aria-pressed="true"]') ?? board.querySelector(".act .primary:enabled") ?? board.querySelector(".chips button") ??
		board.querySelector(".pencil");
})()`

// cookieDropper is a proxy that drops all cookies, and counts requests by method and path.
type cookieDropper struct {
	mu    sync.Mutex
	asked []string
}

// count returns the number of requests of a method and path, "GET /me".
func (c *cookieDropper) count(what string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.asked {
		if one == what {
			n++
		}
	}
	return n
}

// serve returns the URL at which the proxy passes requests to the server at target.
func (c *cookieDropper) serve(t *testing.T, target string) string {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(must(url.Parse(target)))
	proxy.ModifyResponse = func(res *http.Response) error {
		res.Header.Del("Set-Cookie")
		return nil
	}
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.asked = append(c.asked, r.Method+" "+r.URL.Path)
		c.mu.Unlock()
		r.Header.Del("Cookie")
		r.Header["X-Forwarded-For"] = nil // proxy adds none: the client counts as this machine
		proxy.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

// Without cookies, the page says once that they are needed; no room is made, and nothing is sent.
func cookiesNeeded(t *testing.T, tab *tab) {
	way, w := &cookieDropper{}, New(Config{})
	server := serve(t, w, &fakeBot{})
	at := way.serve(t, server)
	const needed = "This page needs cookies. Allow them in your browser."
	tab.askForName()
	tab.do(chromedp.Navigate(at))
	tab.press(labelled("Play with friends"))
	tab.until(`document.getElementById("problem").textContent === ` + quoted(needed))
	if room, ok, err := w.storedRoomByNumber(t.Context(), 1); ok || err != nil {
		t.Errorf("a room is made that nobody can enter: %+v, %v", room, err)
	}
	tab.storePicture("cookies-front-390-light")

	c, _ := openPage(t, w, server)
	for _, path := range []string{makeRoom(t, c, server), "/table"} {
		tab.open(at+path, `document.querySelector("main h1")?.textContent === `+quoted(needed))
		if ask[bool](tab, `Boolean(document.querySelector("dialog[open]"))`) {
			t.Error("a name is asked for all the same")
		}
		for _, width := range []int64{390, 1280} {
			tab.setLook(width, "light")
			tab.storePicture(map[int64]string{390: "cookies-room-390-light", 1280: "cookies-room-1280-light"}[width])
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

// Without a connection, the browser shows a cached page that says so. It has cached nothing personal.
func saysThatItIsOffline(t *testing.T, tab *tab) {
	w := New(withStore(t, Config{}))
	ctx, cancel := context.WithCancel(t.Context())
	srv := httptest.NewServer(w.handler(ctx, &fakeBot{}))
	closeAll := func() { cancel(); srv.CloseClientConnections(); srv.Close() }
	defer closeAll()
	enterAsAnna(tab, srv.URL)
	tab.until(`navigator.serviceWorker.controller === null`)
	ask[bool](tab, `navigator.serviceWorker.ready.then(() => true)`)
	tab.do(chromedp.Navigate(srv.URL + "/table"))
	tab.until(`navigator.serviceWorker.controller !== null && document.body.dataset.ready`)
	command(tab, "/shutbox")
	kept := ask[[]string](tab, `(async () => {
		const all = [];
		for (const name of await caches.keys()) {
			all.push(...(await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname));
		}
		return all;
	})()`)
	if len(kept) < 3 {
		t.Errorf("only %q are kept", kept)
	}
	for _, path := range kept {
		if path != "/offline" && !strings.HasPrefix(path, thePages().statics.prefix) {
			t.Errorf("%s is kept", path)
		}
	}
	closeAll()
	tab.do(chromedp.Navigate(srv.URL + "/table"))
	tab.until(`document.querySelector("h1").innerText === "No connection" && getComputedStyle(document.body).margin === "0px"`)
	tab.storePicture("offline-390")

}

// mayNotNotify denies notifications, because headless browsers differ in their default.
const mayNotNotify = `Object.defineProperty(Notification, "permission", { configurable: true, get: () => "denied" });`

// mayNotify is a script that replaces the system's notifications, which a headless browser lacks.
const mayNotify = `
	let allowed = "default";
	Object.defineProperty(Notification, "permission", { configurable: true, get: () => allowed });
	Notification.requestPermission = async () => (allowed = "granted");
	globalThis.shown = [];
	ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag }) => {
		const one = { title, body, tag, close: () => { shown.splice(shown.indexOf(one), 1); } };
		shown.push(one);
	};
	ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) => shown.filter((one) => one.tag === tag);
`

// If notifications are on, a hidden page shows a call as a notification, and closes it when the call is over.
func notifiedOfCalls(t *testing.T, tab *tab) {
	w, b := New(Config{}), &fakeBot{}
	url := serve(t, w, b)
	open := func() {
		tab.open(url+"/table", `document.body.dataset.ready`)
		ask[bool](tab, `navigator.serviceWorker.ready.then(() => true)`)
	}
	tab.onEveryPage(mayNotNotify)
	enterAsAnna(tab, url)
	tab.openPeople()
	if ask[bool](tab, `!document.getElementById("notify").hidden`) {
		t.Error("what is forbidden is offered")
	}
	tab.onEveryPage(mayNotify)
	open()
	b.setReply(chat.Reply{Toast: "Here you are."})
	command(tab, "/shutbox")
	tab.until(`document.querySelector(".toast")`)
	who, _ := b.lastEvent()
	call := func() chat.Ref {
		ref, err := w.Call(t.Context(), roomPlace, chat.Ping{To: who.User, Name: "Anna", After: ", it is your turn.",
			Off: chat.Button{Label: "Never"}})
		done(t, err)
		return ref
	}
	dismiss := func(ref chat.Ref) {
		done(t, w.Retire(t.Context(), roomPlace, ref))
	}
	hidden := func(yes string) {
		ask[bool](tab, `(Object.defineProperty(document, "hidden", { configurable: true, get: () => `+yes+` }), true)`)
	}
	up := func() { tab.until(`document.querySelectorAll(".call").length === 1`) }
	none := func() { tab.until(`document.querySelectorAll(".call").length === 0`) }
	hidden("true")
	ref := call()
	up()
	dismiss(ref)
	none()
	if n := ask[int](tab, `shown.length`); n > 0 {
		t.Error("who has not asked for it is notified")
	}
	tab.openPeople()
	tab.press(labelled("Remind me"))
	tab.until(`document.getElementById("notify").ariaPressed === "true"`)
	ref = call()
	tab.until(`shown.length === 1`)
	if said := ask[string](tab, `[shown[0].title, shown[0].body].join()`); said != thePages().texts["en"]["title"]+
		",Your turn" {
		t.Errorf("it says %q", said)
	}
	dismiss(ref)
	tab.until(`shown.length === 0`)
	hidden("false")
	ref = call()
	up()
	dismiss(ref)
	none()
	if n := ask[int](tab, `shown.length`); n > 0 {
		t.Error("who looks at the page is notified")
	}
	tab.press(labelled("Remind me"))
	tab.until(`document.getElementById("notify").ariaPressed === "false"`)
}
