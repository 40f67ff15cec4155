package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	permissions "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/bot/push/pushtest"
	"knobel/store"
)

// subscribesTo is a script that subscribes to a push service of the tests: browsers subscribe only to that of their
// maker. The %s is the subscription in JSON.
const subscribesTo = `
	PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
		if (!userVisibleOnly) throw new Error("the person would not see it");
		globalThis.serverKey = applicationServerKey;
		return { toJSON: () => (%s), unsubscribe: async () => true };
	};`

// notifies allows notifications of the site at url in the browser of b.
func (b *tab) notifies(url string) {
	b.t.Helper()
	all, err := chromedp.Targets(b.ctx)
	done(b.t, err)
	own := chromedp.FromContext(b.ctx).Target.TargetID
	for _, one := range all {
		if one.TargetID == own {
			runCommand(b, permissions.SetPermission, permissions.SetPermissionParams{
				Permission: &permissions.PermissionDescriptor{Name: "notifications"}, Origin: url,
				Setting: permissions.PermissionSettingGranted, BrowserContextID: one.BrowserContextID})
		}
	}
}

// pushes is the real service worker of a site, as a push service and a person reach it.
type pushes struct {
	*tab
	url          string
	registration serviceworker.RegistrationID
	inside       context.Context // of the worker, once inWorker was called
}

// worker returns the service worker of the site at url, which the page of b has registered.
func (b *tab) worker(url string) *pushes {
	b.t.Helper()
	found := make(chan serviceworker.RegistrationID, 100)
	done(b.t, chromedp.Listen(b.ctx, func(ev any) {
		if updated, ok := ev.(*serviceworker.EventWorkerRegistrationUpdated); ok {
			for _, r := range updated.Registrations {
				if strings.HasPrefix(r.ScopeURL, url) {
					found <- r.RegistrationID
				}
			}
		}
	}))
	runCommand(b, serviceworker.Enable, cdp.Empty{})
	select {
	case id := <-found:
		return &pushes{tab: b, url: url, registration: id}
	case <-b.ctx.Done():
		b.t.Fatal("the browser has no worker")
	}
	return nil
}

// deliver delivers decrypted messages to the worker, at least one, and waits until it has shown them.
func (p *pushing) deliver(to *pushes, messages ...pushtest.Message) {
	p.Helper()
	if len(messages) == 0 {
		p.Fatal("nothing was pushed")
	}
	for _, m := range messages {
		before := to.inWorker(countsShown)
		runCommand(to.tab, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: to.url,
			RegistrationID: to.registration, Data: m.Text})
		p.waitsFor(func() bool { return to.inWorker(countsShown) != before })
	}
}

// countsShown is a script that counts the notifications which the worker has shown, and returns how many there were. A
// notification that is read by getNotifications before the browser displays it is lost: wait for this number first.
const countsShown = `(() => {
	if (globalThis.shownSoFar === undefined) {
		const show = registration.showNotification.bind(registration);
		globalThis.shownSoFar = 0;
		registration.showNotification = (...args) => show(...args).then(() => { shownSoFar++; });
	}
	return String(shownSoFar);
})()`

// shownNow is a script that resolves to the titles and bodies of the notifications that the worker shows.
const shownNow = `navigator.serviceWorker.ready.then((r) => r.getNotifications())
	.then((all) => all.map(({ title, body }) => title + ": " + body).join("; "))`

// inWorker returns the value of an expression in the worker; it waits for a promise.
func (p *pushes) inWorker(expression string) string {
	p.t.Helper()
	all, err := chromedp.Targets(p.ctx)
	done(p.t, err)
	for _, one := range all {
		if p.inside == nil && one.Type == "service_worker" && strings.HasPrefix(one.URL, p.url) {
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(one.TargetID))
			p.inside = ctx
			p.t.Cleanup(cancel) // it ends the worker
		}
	}
	if p.inside == nil {
		p.t.Fatal("the worker does not run")
	}
	text, err := chromedp.Run(p.inside, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	done(p.t, err)
	return text
}

// pressed is a script that presses the first notification in the worker, and resolves to the path that it opens. What a
// program presses may open no window, so the script notes what would open.
const pressed = `(async () => {
	const [notification] = await registration.getNotifications();
	let opened = "nothing", ends;
	clients.openWindow = async (path) => { opened = path; };
	const event = new NotificationEvent("notificationclick", { notification });
	event.waitUntil = (end) => { ends = end; };
	dispatchEvent(event);
	await ends;
	return opened;
})()`

// A person turns notifications on. After the page is closed, the real worker shows what the server pushes, and a press
// opens the table. The page closes what is over, a visible page is not notified, and the person turns them off.
func TestAClosedPageIsNotifiedByPushes(t *testing.T) {
	p := newPushing(t, nil)
	tab := &tab{t: t, ctx: openBrowser(t, needs.Desktop(t))}
	tab.notifies(p.url)
	b := p.service.Subscribe(p.w.sender.PublicKey())
	tab.onEveryPage(fmt.Sprintf(subscribesTo, b.JSON()))
	enterAsAnna(tab, p.url)
	ask[bool](tab, `navigator.serviceWorker.ready.then(() => true)`)
	worker := tab.worker(p.url)
	tab.openPeople()
	tab.press(labelled("Remind me"))
	subscribed := `caches.match("/push/` + p.w.room.pushID() + `").then(Boolean)`
	p.waitsFor(func() bool { return ask[bool](tab, subscribed) })
	if key := ask[string](tab, `serverKey`); key != p.w.sender.PublicKey() {
		t.Errorf("it has subscribed with the key %s", key)
	}
	user := p.subscriber(roomPlace)
	close := func() {
		tab.do(chromedp.Navigate(p.url + "/offline"))
		p.waitsFor(func() bool { return !p.w.room.seesRoom(prefixOf(user)) })
		p.waitsFor(func() bool { return worker.inWorker(`pageAt("/table").then((page) => String(!page))`) == "true" })
	}
	open := func(wants string) {
		tab.open(p.url+"/table", `document.body.dataset.ready && `+wants)
		p.waitsFor(func() bool { return p.w.room.seesRoom(prefixOf(user)) })
	}
	close()
	p.place = roomPlace
	ref := p.calls(user, false)
	pushes := b.Takes()
	p.deliver(worker, pushes...)
	p.waitsFor(func() bool { return ask[string](tab, shownNow) == "Knobel: Anna, it is your turn (en)." })
	open(`document.querySelector("#calls .call")`)
	if all := ask[string](tab, shownNow); all == "" {
		t.Error("a page has closed the notification of the present turn")
	}
	done(t, p.w.Retire(t.Context(), roomPlace, ref))
	p.waitsFor(func() bool { return ask[string](tab, shownNow) == "" })
	visible := fmt.Sprintf(`notify(%s).then(() => registration.getNotifications()).then((all) => String(all.length))`,
		pushes[0].Text)
	if n := worker.inWorker(visible); n != "0" {
		t.Error("a visible page is notified")
	}

	close()
	p.posts(announced("Tonight at 20:00.", "notice"))
	p.deliver(worker, b.Takes()...)
	p.waitsFor(func() bool { return ask[string](tab, shownNow) == "Knobel: Tonight at 20:00." })
	if opened := worker.inWorker(pressed); opened != "/table" {
		t.Errorf("a press opens %s", opened)
	}
	open("true")
	tab.openPeople()
	tab.press(labelled("Remind me"))
	p.waitsFor(func() bool { return !ask[bool](tab, subscribed) && p.subscriber(roomPlace) == "" })
}

// subscriber returns the person who has subscribed at a place, "" if none has.
func (p *pushing) subscriber(place chat.Place) (user chat.User) {
	p.Helper()
	done(p, p.w.config.Store.View(p.Context(), func(tx *store.Tx) error {
		people, err := tx.Rooms.PushedPeople(string(place))
		for _, one := range people {
			user = chat.User(one)
		}
		return err
	}))
	return user
}

// The page asks about notifications once a person has finished two games there, and once only. On an iPhone it says
// what they need there.
func TestThePageAsksAboutNotifications(t *testing.T) {
	p := newPushing(t, nil)
	tab := &tab{t: t, ctx: openBrowser(t, needs.Desktop(t))}
	tab.notifies(p.url)
	b := p.service.Subscribe(p.w.sender.PublicKey())
	tab.onEveryPage(fmt.Sprintf(subscribesTo, b.JSON()))
	enterAsAnna(tab, p.url)
	user := chat.User("")
	for _, one := range p.w.room.presentPeople() {
		user = one.user
	}
	const asks = `document.querySelector("#sure[open]")?.innerText ?? ""`
	looked := func(wants string) {
		tab.reload()
		tab.openPeople()
		tab.backToTable()
		if wants != "" {
			tab.until(wants + `.test(` + asks + `)`)
			return
		}
		tab.until(`!document.getElementById("notify").hidden || navigator.standalone === false`)
		if localAsked := ask[bool](tab, `Boolean(localStorage.getItem("knobel-asked"))`); !localAsked {
			tab.until(`performance.getEntriesByName(location.origin + "/push").length > 0`)
		}
		if said := ask[string](tab, asks); said != "" {
			t.Errorf("it asks %q", said)
		}
	}
	looked("") // a newcomer
	p.finishes(p.w.room, user)
	p.finishes(p.w.room, user)
	looked(`/your turn/`)
	tab.press(labelled("Yes, notify me"))
	p.waitsFor(func() bool { return p.subscriber(roomPlace) == user })
	// At a new address of the room, the page knows nothing of this, but the worker does.
	ask[bool](tab, `(localStorage.removeItem("knobel-asked"), localStorage.removeItem("knobel-notify"), true)`)
	done(t, p.w.config.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Rooms.DropPushes(string(roomPlace), string(user))
	}))
	looked("")
	p.waitsFor(func() bool { return p.subscriber(roomPlace) == user })
	tab.openPeople()
	tab.press(labelled("Remind me"))
	p.waitsFor(func() bool { return p.subscriber(roomPlace) == "" })
	looked("")

	tab.onEveryPage(`delete globalThis.PushManager; Object.defineProperty(navigator, "standalone", { value: false });`)
	ask[bool](tab, `localStorage.removeItem("knobel-asked") ?? true`)
	looked(`/home screen/`)
	if ask[bool](tab, `!document.getElementById("notify").hidden`) {
		t.Error("what is impossible is offered")
	}
	tab.press(`document.getElementById("sure-yes")`)
	looked("")
}

// waitsFor waits until a condition holds.
func (p *pushing) waitsFor(holds func() bool) {
	p.Helper()
	for end := time.Now().Add(fakes.Patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.Fatal("it never holds")
		}
	}
}
