package web

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// Where there is no connection the page says so. What is kept for that is nobody's: no page of a room, no answer.
func saysThatItIsOffline(t *testing.T, tab *tab) {
	w := New(kept(t, Config{}))
	ctx, cancel := context.WithCancel(t.Context())
	srv := httptest.NewServer(w.handler(ctx, &pretend{}))
	closeAll := func() { cancel(); srv.CloseClientConnections(); srv.Close() }
	defer closeAll()
	annaComes(tab, srv.URL)
	tab.until(`navigator.serviceWorker.controller === null`)
	ask[bool](tab, `navigator.serviceWorker.ready.then(() => true)`)
	tab.do(chromedp.Navigate(srv.URL + "/table"))
	tab.until(`navigator.serviceWorker.controller !== null && document.querySelector("#new-tables button")`)
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
		if path != "/offline" && !strings.HasPrefix(path, thePages().statics.below) {
			t.Errorf("%s is kept", path)
		}
	}
	closeAll()
	tab.do(chromedp.Navigate(srv.URL + "/table"))
	tab.until(`document.querySelector("h1").innerText === "No connection" && getComputedStyle(document.body).margin === "0px"`)
	tab.picture("offline-390")

}

// mayNotNotify denies notifications, because headless browsers differ in their default.
const mayNotNotify = `Object.defineProperty(Notification, "permission", { configurable: true, get: () => "denied" });`

// mayNotify stands for the system's side of notifications, which a browser without windows has none of.
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

// A call is a notification if these are on and the page is hidden, and is removed with the call.
func notifiedOfCalls(t *testing.T, tab *tab) {
	w, b := New(Config{}), &pretend{}
	url := serve(t, w, b)
	open := func() {
		tab.goes(url+"/table", `document.querySelector("#new-tables button")`)
		ask[bool](tab, `navigator.serviceWorker.ready.then(() => true)`)
	}
	tab.onEveryPage(mayNotNotify)
	annaComes(tab, url)
	tab.people()
	if ask[bool](tab, `!document.getElementById("notify").hidden`) {
		t.Error("what is forbidden is offered")
	}
	tab.onEveryPage(mayNotify)
	open()
	b.says(chat.Reply{Toast: "Here you are."})
	command(tab, "/shutbox")
	tab.until(`document.querySelector(".toast")`)
	who, _ := b.last()
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
	tab.people()
	tab.press(labelled("Notify me"))
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
	tab.press(labelled("Notify me"))
	tab.until(`document.getElementById("notify").ariaPressed === "false"`)
}
