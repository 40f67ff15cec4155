package web

import (
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
)

// otherBrowser returns a page with separate cookies, as in another browser, that asks a new visitor for a name.
func (b *tab) otherBrowser(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	other := &tab{t: t, ctx: ctx}
	other.setLook(390, "light")
	return other
}

// Anna needs four presses from the first page to the first roll; Ben, who has the link, enters a name and joins.
func fourPresses(t *testing.T, anna *tab) {
	at := serveGames(t)
	presses := 0
	press := func(tab *tab, button string) {
		t.Helper()
		presses++
		tab.press(button)
	}
	comesIn := func(tab *tab, name string) {
		t.Helper()
		presses++ // Enter
		tab.enterName(name)
	}
	anna.askForName()
	anna.do(chromedp.Navigate(at))
	press(anna, labelled("Play with friends"))
	comesIn(anna, "Anna")
	anna.until(`document.activeElement.closest(".board") && document.querySelector(".plate .own")?.textContent === "Anna"`)
	hers := presses

	ben := anna.otherBrowser(t)
	presses = 0
	ben.do(chromedp.Navigate(ask[string](anna, `location.href`)))
	comesIn(ben, "Ben")
	ben.until(`document.querySelectorAll(".plate").length === 2`)
	if presses != 1 {
		t.Errorf("Ben sits after %d presses", presses)
	}
	anna.until(`[...document.querySelectorAll(".plate .own")].some((name) => name.textContent === "Ben")`)
	anna.storePicture("company-lobby-390-light")
	presses = hers
	press(anna, labelled("Start"))
	anna.until(`Boolean(` + labelled("Roll") + `) && ` + rested)
	press(anna, labelled("Roll"))
	anna.until(`document.querySelectorAll(".board .die").length === 2`)
	if presses != 4 {
		t.Errorf("Anna throws after %d presses", presses)
	}
}

// serveToNetwork serves a browser table and returns its URL: at an address of this machine that others in its network
// can use or, if it has none, at a name that the browser does not take for loopback.
func serveToNetwork(t *testing.T, w *Web) string {
	t.Helper()
	w.config = withStore(t, w.config)
	srv := httptest.NewUnstartedServer(w.handler(t.Context(), &fakeBot{}))
	srv.Listener.Close()
	srv.Listener = must(net.Listen("tcp", ":0"))
	srv.Start()
	t.Cleanup(srv.CloseClientConnections)
	port := srv.Listener.Addr().(*net.TCPAddr).Port
	for _, address := range must(net.InterfaceAddrs()) {
		if ip, ok := address.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return fmt.Sprintf("http://%s:%d", ip.IP, port)
		}
	}
	return fmt.Sprintf("http://dice.test:%d", port)
}

// The page offers only invitations that work. To a guest on another computer, without TLS: a link and its QR code. On
// the server's computer: the link for other computers and its QR code or, if there is none, the local link alone.
func invited(t *testing.T, tab *tab) {
	w := New(Config{Secret: "three swans"})
	at := serveToNetwork(t, w)
	w.config.Secret = "" // a client on this machine may make a room without a secret
	local := "http://127.0.0.1:" + must(url.Parse(at)).Port()
	room := makeRoom(t, newClient(t), local)
	w.config.Secret = "three swans"
	link := ""
	w.config.Reach = func(string) []string {
		if link != "" {
			return []string{link + "/"}
		}
		return nil
	}
	opens := func(at, page string) {
		tab.do(chromedp.Navigate(at))
		tab.press(labelled("Invite"))
		tab.until(`document.getElementById("invite").open`)
		if link := ask[string](tab, `document.getElementById("invite-link").value`); link != page {
			t.Errorf("the link of %s is %s", page, link)
		}
	}
	shown := func(id string) bool {
		return ask[bool](tab, `document.getElementById(`+quoted(id)+`).checkVisibility()`)
	}
	opens(at+room, at+room)
	tab.until(`document.querySelector("#invite-code img").naturalWidth > 0`)
	if ask[bool](tab, `isSecureContext`) {
		t.Fatalf("%s is secure: nothing is tested", at)
	}
	if !shown("invite-copy") || shown("invite-share") || !shown("invite-code") {
		t.Error("what cannot work is shown, or what can is not")
	}
	tab.press(`document.getElementById("invite-copy")`)
	tab.until(`!document.getElementById("invite").open`) // closed once the link was copied
	wantAccessible(t, tab, "inviting")
	tab.setLook(390, "light")
	opens(local+room, local+room)
	const alone = `document.getElementById("invite").innerText.includes("This link only works on this computer.")`
	if !shown("invite-copy") || shown("invite-code") || !ask[bool](tab, alone) {
		t.Error("on this computer alone the link can be copied, and no telephone can use it")
	}
	wantAccessible(t, tab, "inviting on this computer")
	link = at
	opens(local+room, at+room)
	if !shown("invite-copy") || !shown("invite-code") || ask[bool](tab, alone) {
		t.Error("whoever invites from this computer has no code for those in their network")
	}
	tab.until(`document.querySelector("#invite-code img").naturalWidth > 0`)
}

// Anna, the host, and Ben see each other in the list of people, and Ben's reaction. When Anna changes the room's
// address, both stay in it. Anna removes Ben. Cleo, a new person at his browser, asks the bot to forget her.
func hostAndGuest(t *testing.T, anna *tab) {
	at := serveGames(t)
	anna.askForName()
	anna.do(chromedp.Navigate(at))
	anna.press(labelled("Play with friends"))
	anna.enterName("Anna")
	anna.until(`document.activeElement.closest(".board")`)
	first := ask[string](anna, `location.pathname`)
	ben := anna.otherBrowser(t)
	ben.do(chromedp.Navigate(at + first))
	const met = `JSON.parse(localStorage["knobel-rooms"])[0].others.join()`
	const watching = `document.querySelector(".watching")?.textContent`
	anna.until(watching + `.includes("Guest")`)
	if names := ask[string](anna, met); names != "" {
		t.Errorf("%q is kept as met before they have said a name", names)
	}
	ben.enterName("Ben")
	anna.until(`document.querySelectorAll(".plate").length === 2 && ` + met + ` === "Ben"`)
	ben.until(`document.querySelector(".plate .doing")?.textContent === "host · here" &&
		document.querySelector(".plate .crown")`)
	ben.press(labelled("Leave"))
	anna.until(watching + ` === "Watching: Ben"`)
	ben.press(labelled("Join"))
	anna.until(`!document.querySelector(".watching").checkVisibility()`)
	for _, lang := range []string{"de", "en"} {
		anna.reloadIn(lang)
		anna.until(`document.querySelector(".plate .crown") && document.querySelectorAll(".plate").length === 2`)
		for _, width := range []int64{1280, 390} {
			anna.setLook(width, "light")
			wantAccessible(t, anna, fmt.Sprintf("with company, %d in %s", width, lang))
			anna.storePicture(fmt.Sprintf("company-%d-%s", width, lang))
		}
	}

	ask[bool](ben, `(document.getElementById("toasts").replaceChildren(), true)`)
	if !ask[bool](ben, `fetch(location.pathname + "/react", { method: "POST", body: '{"as": 0, "sign": "clap"}',
		headers: { "Content-Type": "application/json" } }).then(({ ok }) => ok)`) {
		t.Fatal("Ben cannot react")
	}
	for _, tab := range []*tab{anna, ben} {
		tab.until(`document.getElementById("said").textContent === "Ben: well done" && document.querySelector(".plate .given")`)
	}
	anna.until(`!document.querySelector(".given")`)

	const menu = `document.querySelector('.plate [aria-label="What you can do with Ben"]')`
	anna.press(menu)
	anna.until(`document.getElementById("guest").matches(":popover-open")`)
	anna.press(labelled("Remove Ben"))
	anna.until(`document.getElementById("sure").open`)
	anna.press(labelled("Cancel"))
	anna.until(`!document.getElementById("sure").open`)
	anna.openPeople()
	wantAccessible(t, anna, "with the people at this screen")
	anna.press(labelled("New address"))
	anna.press(`document.getElementById("sure-yes")`)
	for _, tab := range []*tab{anna, ben} {
		tab.until(`location.pathname !== ` + quoted(first) + ` && document.querySelectorAll(".plate").length === 2`)
		if n := ask[int](tab, `JSON.parse(localStorage["knobel-rooms"]).length`); n != 1 {
			t.Errorf("the list has %d rooms", n)
		}
		tab.until(`JSON.parse(localStorage["knobel-rooms"])[0].host === "Anna"`)
		if ask[bool](tab, `JSON.parse(localStorage["knobel-rooms"])[0].others.includes("Anna")`) {
			t.Error("the list names the host once more among the others")
		}
	}
	anna.press(menu)
	anna.press(labelled("Remove Ben"))
	anna.press(`document.getElementById("sure-yes")`)
	ben.until(`document.querySelector("h1")?.textContent === "You are no longer in this room"`)
	anna.until(met + ` === ""`)
	if !ask[bool](ben, `fetch("/people", { method: "POST", body: '{"add": "Cleo"}',
		headers: { "Content-Type": "application/json" } }).then(({ ok }) => ok)`) {
		t.Fatal("Cleo cannot be added")
	}
	ben.do(chromedp.Reload())
	ben.press(`document.querySelector('[data-as="1"][data-text="/forget"]')`)
	ben.until(`document.querySelector("#own button")`)
	ben.press(labelled("Forget me"))
	ben.until(`document.getElementById("own").textContent.startsWith("You are forgotten")`)
}

// Equal names are numbered as on the board or, without a board, by arrival. A changed name is shown at once. Seated
// people have the name on the board, even if that is shorter or marked.
func TestNamesakesInARoomAreToldApart(t *testing.T) {
	r := New(Config{}).newRoom("web:r-1")
	var all []visitor
	for _, name := range []string{"Anna", "Anna", "anna", "Clara", "Anna", "J.R."} {
		v := newVisitor(name)
		all = append(all, v)
		r.openPage(v, time.Now().Add(time.Duration(len(all))*time.Second))
	}
	names := func() (said []string) {
		for _, p := range r.presentPeople() {
			said = append(said, p.Name)
		}
		return said
	}
	if got := fmt.Sprint(names()); got != "[Anna Anna 2 anna 3 Clara Anna 4 J.R.]" {
		t.Errorf("before a game those here are %s", got)
	}
	m := board(1, "Anna 2 is to throw.")
	m.People = []chat.Person{{Seat: 0, User: all[1].user(0), Name: "Anna", State: games.Waiting},
		{Seat: 1, User: all[0].user(0), Name: "Anna 2", State: games.ToMove},
		{Seat: 2, User: all[3].user(0), Name: "Ben", State: games.Waiting}, {Seat: 3, Name: "House", House: true},
		{Seat: 4, User: all[5].user(0), Name: chat.Isolate("J.R."), State: games.Waiting}}
	r.post(m)
	if got := fmt.Sprint(names()); got != "[Anna 2 Anna anna 3 Clara Anna 4 "+chat.Isolate("J.R.")+"]" {
		t.Errorf("in a game those here are %s", got)
	}
}
