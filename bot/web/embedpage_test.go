package web

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games/shutbox"
)

// nativeClient is a script that makes the page believe that it is inside a native client. It keeps what the page tells.
const nativeClient = `globalThis.told = [];
	globalThis.TelegramWebviewProxy = { postEvent: (type, data) => { told.push(type + " " + data); } };`

// addressOf returns the address with which a client opens the page for a launch.
func (e *embedded) addressOf(l fakeLaunch) string {
	return e.url + "/embed/test#" + url.Values{
		"tgWebAppData":        {string(must(json.Marshal(l))) + `&user={"language_code":"` + l.Locale + `"}`},
		"tgWebAppThemeParams": {`{"bg_color":"#17212b","text_color":"#f5f5f5"}`},
	}.Encode()
}

// A game is played in the page inside a client, which takes over the client's colours and offers nothing that does not
// work there. It weighs little, survives a reload, and ends once the person may not look any more.
func playedInAClient(t *testing.T, tab *tab) {
	e := serveEmbedded(t, Config{}, shutbox.Game{})
	f := tab.recordTraffic()
	tab.onEveryPage(nativeClient)
	tab.open(e.addressOf(launch("Anna")),
		`document.body.dataset.ready && document.getElementById("welcome").checkVisibility()`)
	if told := ask[string](tab, `told.join("\n")`); !strings.Contains(told, "web_app_ready {}") ||
		!strings.Contains(told, "web_app_expand {}") {
		t.Errorf("the client is told %s", told)
	}
	if theme := ask[string](tab, `document.documentElement.dataset.theme + getComputedStyle(document.documentElement)
		.getPropertyValue("--linen")`); theme != "dark#17212b" {
		t.Errorf("the colours are %s", theme)
	}
	tab.press(labelled("New game"))
	tab.press(`[...document.querySelectorAll(".game-card")].find((card) => card.textContent.includes("Shut the Box"))`)
	tab.press(labelled("Start"))
	tab.press(labelled("Roll"))
	tab.until(`document.querySelectorAll(".board .die").length === 2`)
	f.wantLight(t, e.url, maxEmbedded)
	if cookies := ask[string](tab, `document.cookie`); cookies != "" {
		t.Errorf("there are cookies: %s", cookies)
	}
	for _, what := range []string{"#invite-open", "#persons", "#notify", "#theme", "#lang", ".chat .field"} {
		if ask[bool](tab, `Boolean(document.querySelector(`+quoted(what)+`)?.checkVisibility())`) {
			t.Errorf("%s is offered", what)
		}
	}
	tab.press(openMenu)
	tab.until(`told.at(-1) === 'web_app_setup_back_button {"is_visible":true}'`)
	if links := ask[string](tab, `[...document.querySelectorAll("a[href]")].filter((a) => a.checkVisibility())
		.map((a) => a.getAttribute("href")).filter((at) => !at.startsWith("#")).join()`); links != "" {
		t.Errorf("links lead out of the frame: %s", links)
	}
	tab.storePicture("embedded-menu-390")
	ask[bool](tab, `(Telegram.WebView.receiveEvent("back_button_pressed", "{}"), true)`)
	tab.until(newest + `.checkVisibility()`)
	ask[bool](tab, `(Telegram.WebView.receiveEvent("safe_area_changed", {"top":30,"bottom":20}), true)`)
	tab.until(`document.querySelector(".top").getBoundingClientRect().height === 78`)
	tab.storePicture("embedded-390")

	bearers := ask[string](tab, `sessionStorage.getItem("knobel-session")`)
	tab.reload()
	tab.until(`document.querySelectorAll(".board .die").length === 2`)
	if again := ask[string](tab, `sessionStorage.getItem("knobel-session")`); again != bearers {
		t.Error("after a reload it has signed in anew")
	}
	german := launch("Ben")
	german.Locale = "de"
	bens := tab.otherBrowser(t)
	bens.open(e.addressOf(german), `document.documentElement.lang === "de" && document.body.dataset.ready`)
	e.untilFollowed(bens, "test:group/1", "test:1Ben")
	e.forget(ask[string](bens, `JSON.parse(sessionStorage.getItem("knobel-session")).bearer`))
	openLine(bens)
	bens.do(chromedp.KeyEvent("/table\r")) // which does not sign him in again
	bens.until(`document.querySelector("h1").textContent === "Das lag zu lange offen. Öffne es noch einmal aus dem Chat."`)
	e.door.bar("test:1Anna", chat.Busy)
	command(tab, "/fair")
	tab.until(`document.querySelector(".toast")?.textContent.includes("One moment, it does not answer. I keep trying.")`)
	e.door.bar("test:1Anna", "")
	tab.until(`Boolean(document.querySelector("#panel-answer .note"))`)
	e.door.bar("test:1Anna", chat.Stranger)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/table\r"))
	tab.until(`document.querySelector("h1").textContent === "This table is for members of its group."`)
}

// clientPage serves the page of a client with a script, which frames whatever at returns, and returns its URL.
func clientPage(t *testing.T, script string, at func() string) string {
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(rw, `<!DOCTYPE html><title>Client</title><script>globalThis.told = []; %s</script>
			<iframe width="390" height="700" src="%s" onload="globalThis.loaded = true"></iframe>`,
			script, html.EscapeString(at()))
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// untilFollowed waits until a person has the page open.
func (e *embedded) untilFollowed(tab *tab, place chat.Place, user chat.User) {
	for !e.w.Follows(place, user) {
		tab.until(`true`)
	}
}

// The page stands in a frame of the web client, and in that of no other page. Where no WebSocket gets through, it uses
// server-sent events.
func framed(t *testing.T, tab *tab) {
	var e *embedded
	const hears = `addEventListener("message", ({ data }) => told.push(JSON.parse(data).eventType));`
	address := func() string { return e.addressOf(launch("Ben")) }
	client, another := clientPage(t, hears, address), clientPage(t, hears, address)
	e = serveEmbedded(t, Config{}, shutbox.Game{})
	e.door.at = client
	tab.onEveryPage(`globalThis.WebSocket = class extends EventTarget { close() {} };`) // never says anything
	tab.open(client, `told.includes("web_app_ready") && told.includes("web_app_expand")`)
	e.untilFollowed(tab, "test:group/1", "test:1Ben") // after the time that the WebSocket had
	tab.open(another, `globalThis.loaded`)
	if told := ask[string](tab, `told.join()`); told != "" {
		t.Errorf("in the frame of another page it tells %s", told)
	}
}

// discordClient is the script of a client of Discord that gives each page the code in globalThis.code.
const discordClient = `addEventListener("message", ({ source, origin, data: [kind, said] }) => {
	told.push(kind + JSON.stringify({ ...said, nonce: undefined }));
	const { cmd, nonce } = said;
	const answer = kind === 0 ? { cmd: "DISPATCH", evt: "READY", data: { v: 1 }, nonce: null } :
		{ cmd, nonce, evt: code ? null : "ERROR", data: { code } };
	setTimeout(() => source.postMessage([1, answer], origin), kind * 300); // people read what they agree to
});`

// hasten is a script that ends all waits of 20 seconds at once, except that for a client to get ready.
const hasten = `{
	const later = setTimeout;
	let waits = 0;
	globalThis.setTimeout = (f, after, ...more) =>
		later(f, after === 20_000 && (waits++ > 0 || location.search.endsWith("silent")) ? 0 : after, ...more);
}`

// The page stands in a frame of Discord's client, which opens it at "/" and gives it a code to sign in with. Only that
// client gets its messages. A person may take their time to agree. Who comes back is let in, although the session from
// before is not. Without a code, or a client that answers, the page ends. It keeps clear of what covers the screen of a
// phone.
func inAnActivity(t *testing.T, tab *tab) {
	var e *embedded
	at := func(instance string) func() string {
		return func() string { return e.url + "/?frame_id=f1&platform=desktop&instance_id=" + instance }
	}
	launch := func(in chat.Chat) string {
		code := must(json.Marshal(fakeLaunch{Guest: chat.Guest{User: "discord:1", Name: "Anna", Locale: "de", Chat: in,
			Place: chat.Place(in + ":3")}}))
		return clientPage(t, "const code = "+quoted(string(code))+"; "+discordClient, at("i-1"))
	}
	client, later := launch("discord:2"), launch("discord:4")
	refusing := clientPage(t, `const code = "";`+discordClient, at("i-2"))
	silent := clientPage(t, "", at("silent"))
	e = servePlatform(t, "discord", Config{Secret: "0123456789abcdef"}, shutbox.Game{})
	e.door.at = strings.Join([]string{"https://canary.discord.test", client, later, refusing, silent}, " ")
	tab.onEveryPage(hasten)
	tab.open(client, `told.length > 1`)
	e.untilFollowed(tab, "discord:2:3", "discord:1")
	if told, want := ask[string](tab, `told.slice(0, 2).join("\n")`), `0{"v":1,"encoding":"json","client_id":"7",`+
		`"frame_id":"f1"}`+"\n"+`1{"cmd":"AUTHORIZE","args":{"client_id":"7","response_type":"code","prompt":"none",`+
		`"scope":["identify"]}}`; told != want {
		t.Errorf("the client is told %s", told)
	}
	e.door.bar("discord:2", chat.Stranger)
	tab.open(later, `loaded`)
	e.untilFollowed(tab, "discord:4:3", "discord:1")
	if why := <-e.refused; why != "discord stranger" {
		t.Errorf("the session from before is refused as %s", why)
	}
	for _, of := range []string{refusing, silent} {
		tab.open(of, `loaded`)
		if why := <-e.refused; why != "discord forged" {
			t.Errorf("without a code it is refused as %s", why)
		}
	}
	runCommand(tab, emulation.SetSafeAreaInsetsOverride, emulation.SetSafeAreaInsetsOverrideParams{
		Insets: &emulation.SafeAreaInsets{Top: new(int64(30)), Bottom: new(int64(20))}})
	tab.open(at("alone")(), `getComputedStyle(document.documentElement).getPropertyValue("--head").includes("30px")`)
}
