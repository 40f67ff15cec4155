package web

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/store"
)

// unfit is a script that returns parts that do not fit a window, news that are cut, or buttons on a page for a
// television.
const unfit = `(() => {
	const { scrollWidth, scrollHeight } = document.documentElement;
	const parts = ".board, .banner, .box, .pad, .plates, .plate, .come, .evening, .last li:first-child";
	const wide = [...document.querySelectorAll(parts)].filter((node) => {
		const { left, top, right, bottom, width } = node.getBoundingClientRect();
		return width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1);
	});
	const cut = [...document.querySelectorAll(".last .news")].filter((node) => node.scrollHeight > node.clientHeight + 1);
	return [...document.querySelectorAll("button, a, input, select, [data-press]"), ...wide, ...cut].map((node) => node.outerHTML
		.slice(0, 80)).concat(scrollWidth > innerWidth || scrollHeight > innerHeight ? ["it scrolls"] : []);
})()`

// unreadable is a script that returns what cannot be read from three metres. The sizes are in thousandths of the height
// of the window: on a display of 60 cm, letters of 24 are seen as letters of 2 mm are in a book.
const unreadable = `(() => {
	const least = { ".die:not(.mini)": 40, ".banner h2": 36, ".rank .name": 24, ".plate .own": 24, ".evening .own": 26,
		".last li": 26, ".pad td": 18, ".pad th": 17, ".doing, .score small, .host": 14 };
	return Object.entries(least).flatMap(([what, least]) => [...document.querySelectorAll(what)].filter((node) => {
		const of = node.matches(".die") ? node.offsetHeight : parseFloat(getComputedStyle(node).fontSize);
		return node.checkVisibility() && node.textContent + node.className && 1000 * of / innerHeight < least;
	}).map((node) => what + ": " + node.outerHTML.slice(0, 80)));
})()`

// wantReadable fails the test for what cannot be read from three metres, has controls, does not fit the display, or
// shows the cursor.
func (b *tab) wantReadable(name string) {
	b.t.Helper()
	for _, fault := range append(ask[[]string](b, unfit), ask[[]string](b, unreadable)...) {
		b.t.Errorf("%s: %s", name, fault)
	}
	if cursors := ask[string](b, `[...new Set([...document.querySelectorAll("body, body *")].map((node) =>
		getComputedStyle(node).cursor))].join()`); cursors != "none" {
		b.t.Errorf("%s: the cursor is %s", name, cursors)
	}
}

// eveningShown: the leaderboard of the evening is on the page.
const eveningShown = `document.querySelector(".evening").checkVisibility()`

// television is a display and its theme.
type television struct {
	width, height int64
	theme         string
}

// televisions are the displays on which every kind of board is shown.
var televisions = []television{{1280, 720, "light"}, {1920, 1080, "dark"}, {1920, 1080, "light"}, {3840, 2160, "light"}}

// ofEvening is the data of a page about an evening and a log.
func ofEvening() map[string]Page {
	evening := func(context.Context, chat.Event, url.Values) (any, error) {
		type row map[string]any
		return map[string]any{"head": "Tonight", "unit": "Chips", "rows": []row{
			{"place": 1, "name": "Clara", "won": "2/4", "amount": "+38"},
			{"place": 2, "name": "Anna", "won": "1/4", "amount": "+4"},
			{"place": 3, "name": "Maximiliane-Friederike von und zu", "won": "1/3", "amount": "−12"},
			{"place": 4, "name": "Ben", "won": "0/4", "amount": "−30"}}}, nil
	}
	log := func(context.Context, chat.Event, url.Values) (any, error) {
		type move map[string]any
		return map[string]any{"moves": []move{
			{"at": 1, "name": "Ben", "said": "closed 6 + 2",
				"dice": []chat.Die{{Face: 5, Sides: 6}, {Face: 3, Sides: 6}}},
			{"at": 2, "name": "Ben", "said": "has 12", "more": []string{"Round 2"}},
			{"at": 3, "name": "Anna", "said": "closed 7", "dice": []chat.Die{{Face: 7, Sides: 8}}},
			{"at": 4, "name": "Anna", "said": "choosing", "open": true}}}, nil
	}
	return map[string]Page{"evening": evening, "log": log}
}

// A page for a television follows the room without being there. Every kind of board fits it, and can be read from afar.
func shownOnScreen(t *testing.T, tab *tab) {
	w := New(Config{Pages: ofEvening(), Reach: func(string) []string { return []string{"http://192.168.0.5:8080/"} }})
	url := serve(t, w, &fakeBot{})
	tab.open(url+"/table?view=screen", `document.body.dataset.ready && `+eveningShown)
	w.room.addLines(store.WebLine{ID: 1, Name: "Anna", Text: "Easy so far", At: time.Now().UnixMilli()})
	tab.until(`document.getElementById("last").innerText === "Anna Easy so far"`)
	tab.fitsOn("screen-none", televisions...)
	full := gallery()[1]
	full.Table = 10
	for seat := 4; seat < 10; seat++ {
		full.People = append(full.People, chat.Person{Seat: seat, Name: fmt.Sprint("Guest ", seat), Text: "12"})
	}
	for _, m := range append(gallery(), full) {
		if m.Table > 1 { // the game has begun: there is a log
			m.Turn = 3
		}
		ref := w.room.post(m)
		tab.until(fmt.Sprintf(`document.querySelector(".board")?.lang === %q && document.querySelectorAll(".plate").length`+
			` === %d && document.querySelector(".banner h2").innerText === %q`, m.Lang, len(m.People), m.Head))
		meters := ask[string](tab, `[...document.querySelectorAll(".meter")].filter((one) => !one.hidden)
			.map((one) => one.firstChild.style.getPropertyValue("--w")).join()`)
		if want := map[bool]string{true: "25%,100%"}[m.Race != nil]; meters != want {
			t.Errorf("under %q the meters are at %q, want %q", m.Head, meters, want)
		}
		evening := slices.Contains([]int64{1, 6, 7}, m.Table) // not in play
		tab.until(fmt.Sprintf(eveningShown+` === %v`, evening))
		tab.until(fmt.Sprintf(`document.querySelector(".last b + .mini") || %v`, m.Turn == 0))
		tab.fitsOn(fmt.Sprintf("screen-%d", m.Table), televisions...)
		w.room.retire(ref)
	}
	if people := w.room.presentPeople(); len(people) > 0 && !people[0].Away {
		t.Errorf("%+v is there", people)
	}
	recapOnScreen(tab, w.room)
}

// recapOnScreen shows the notice of an evening and a long recap between games. A sentence is shown whole or not at all.
func recapOnScreen(tab *tab, r *room) {
	over := gallery()[5]
	over.Table, over.Turn = 11, 3
	for i, m := range []chat.Message{over, {Head: "Tonight at 20:00: Kniffel.", Lines: []string{"In: Anna, Ben."}}, {
		Head: "The evening of 30 November: 7 games.",
		Told: []string{"Chips: Clara +38, Anna +4, Maximiliane-Friederike von und zu −12, Ben −30.",
			"Points above average: Anna +61, Ben +12, Clara −73.", "Games won: Clara 3, Anna 2, Ben 2."},
		Lines: []string{"Roll of the evening: 6, 6, 6, 6, 6 by Ben, 31.5 points better than average.",
			"Decision of the evening: Clara chose “close 6 and 1” over “close 7” and gave away 4.8 chips.",
			"Most luck: Maximiliane-Friederike von und zu, 12.5 chips.", "Best play: Anna (mistakes per game: 0.4).",
			"New record: Ben, 412 points in Kniffel. The old one: 398.", "New record: Clara, 3 wins in a row.",
			"Season 2026-11, games won: Clara 14, Anna 11, Ben 9, Maximiliane-Friederike von und zu 2.",
			"I send this the morning after you play. `/settings recap=off` stops it."},
	}} {
		if m.Lang = "en"; m.Table != 0 {
			defer r.retire(r.post(m))
			continue
		}
		r.addAnnouncement(store.WebThing{ID: int64(i), Version: 1, At: time.Now().UnixMilli()}, announcementOf(m), true)
		tab.until(fmt.Sprintf(`document.querySelector(".last .news")?.innerText.startsWith(%q)`, m.Head))
		tab.fitsOn(fmt.Sprint("screen-news-", i), televisions[2:]...)
	}
}

// fitsOn checks the page on displays, and stores its pictures.
func (b *tab) fitsOn(name string, displays ...television) {
	b.t.Helper()
	for _, on := range displays {
		b.setLook(on.width, on.theme)
		b.do(chromedp.EmulateViewport(on.width, on.height))
		// The page fits its lines into the new size with the next frame.
		ask[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		b.until(`!document.querySelector(".code img") || document.querySelector(".code img").complete`)
		name := fmt.Sprintf("%s-%d-%s", name, on.width, on.theme)
		wantAccessible(b.t, b, name)
		b.wantReadable(name)
		b.storePicture(name)
	}
}

// secretsIn returns the parts of a stream for a television that it must not have: buttons and presses, calls, ids of
// people, of their browsers, and of what is marked as secret.
func secretsIn(events string, people ...visitor) (found []string) {
	private := `secret|"(buttons|calls|pick|ends|choices|houses|guide|exact|file|picture|you|n|mine|whose)":` +
		`("[^"]|\[\{|\[\[|\{"|true|[1-9])|"press":"[^"]`
	for _, v := range people {
		private += "|" + v.ID + "|" + strings.TrimSuffix(v.Prefix, ":")
	}
	return regexp.MustCompile(private).FindAllString(events, -1)
}

// The stream of a television has boards, lines and sentences for all, and nothing that one person may see or press.
func TestATelevisionReceivesNothingPrivate(t *testing.T) {
	w, _, url, c, anna := serveWithBrowser(t, Config{})
	openStream(t, c, url, "").next() // Anna is present
	user := anna.user(0)
	button := chat.Button{Label: "secret", Press: "secret", For: user, By: []chat.User{user}}
	private := func(m chat.Message) chat.Message {
		m.Buttons, m.Houses = [][]chat.Button{{button}}, []chat.Button{button}
		m.Choices = []chat.Choice{{Said: "secret", Values: []chat.Button{button}}}
		m.Exact, m.File = []chat.Exact{{Text: "secret"}}, &chat.File{Name: "secret", Bytes: []byte("secret")}
		m.Picture, m.Guide, m.Ends = &chat.Picture{Name: "secret", Alt: "secret"}, "secret", "secret"
		m.Pick = &chat.PickOn{Kind: "dice", Choices: []chat.PickChoice{{Press: "secret", Label: "secret"}}}
		m.Concerns = []chat.User{user}
		return m
	}
	for _, m := range gallery() {
		m = private(m)
		for i := range m.People {
			m.People[i].User = user
		}
		m.Views = []chat.View{{By: chat.Viewer{People: []chat.User{user}}, Message: chat.Message{Head: "secret"}}}
		w.room.post(m)
	}
	asked := private(chat.Message{Lang: "en", Head: "Tonight at 20:00: Kniffel.", Lines: []string{"In: Anna, Ben."}})
	w.room.addAnnouncement(store.WebThing{ID: 1, Version: 1}, announcementOf(asked), true)
	w.room.showCall(chat.Ping{To: user, Name: "secret", Off: button}, "", false)
	w.room.showCall(chat.Ping{Offer: &asked}, "", false)
	w.room.openBoardPage(anna.Prefix, chat.Opened{Table: 2, Page: "secret"}, false)
	w.room.addLines(store.WebLine{ID: 1, Player: string(user), Name: "Anna", Text: "Easy so far", At: 1})
	s := openStream(t, newClient(t), url, "", map[string][]string{"view": {"screen"}})
	events := s.until([]string{`"event: alive"`, `"event: feed"`, `"Easy so far"`, `"\n\n"`})
	w.room.showSign(anna, anna.People[0], "fire")
	must(w.Post(t.Context(), roomPlace, private(board(10, "At last."))))
	events += s.until([]string{`"fire"`, `"At last."`})
	for _, part := range []string{"Tonight at 20:00: Kniffel.", "In: Anna, Ben.", "Easy so far", "fire", `"sheet"`,
		`"dice"`} {
		if !strings.Contains(events, part) {
			t.Errorf("the television lacks %q", part)
		}
	}
	if found := secretsIn(events, anna); len(found) > 0 {
		t.Errorf("the television receives %q in\n%s", found, events)
	}
	own := openStream(t, c, url, "").until([]string{`"event: feed"`, `"event: said"`})
	if found := secretsIn(own, anna); len(found) < 20 {
		t.Errorf("Anna herself only receives %q: nothing is tested", found)
	}
}
