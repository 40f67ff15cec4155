package web

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"knobel/store"
)

// unfit is a script that returns parts that do not fit a window, or buttons on a page for a television.
const unfit = `(() => {
	const { scrollWidth, scrollHeight } = document.documentElement;
	const wide = [...document.querySelectorAll(".board, .banner, .box, .pad, .plates, .plate, .come")].filter((node) => {
		const { left, top, right, bottom, width } = node.getBoundingClientRect();
		return width && (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1);
	});
	return [...document.querySelectorAll("button, a, input, select, [data-press]"), ...wide].map((node) => node.outerHTML
		.slice(0, 80)).concat(scrollWidth > innerWidth || scrollHeight > innerHeight ? ["it scrolls"] : []);
})()`

// A page for a television follows the room without being there. Every kind of board fits it.
func shownOnScreen(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &fakeBot{})
	tab.do(chromedp.EmulateViewport(1920, 1080))
	tab.open(url+"/table?view=screen", `document.body.dataset.ready && document.querySelector(".welcome")`)
	w.room.addLines(store.WebLine{ID: 1, Name: "Anna", Text: "Easy so far", At: time.Now().UnixMilli()})
	tab.until(`document.getElementById("last").innerText === "Anna: Easy so far"`)
	for _, m := range gallery() {
		ref := w.room.post(m)
		tab.until(fmt.Sprintf(`document.querySelector(".board")?.lang === %q && document.querySelector("h2").innerText`+
			` === %q && document.querySelectorAll(".plate").length === %d`, m.Lang, m.Head, len(m.People)))
		meters := ask[string](tab, `[...document.querySelectorAll(".meter")].filter((one) => !one.hidden)
			.map((one) => one.firstChild.style.getPropertyValue("--w")).join()`)
		if want := map[bool]string{true: "25%,100%"}[m.Race != nil]; meters != want {
			t.Errorf("under %q the meters are at %q, want %q", m.Head, meters, want)
		}
		for _, size := range [][2]int64{{1280, 720}, {1920, 1080}} {
			for _, theme := range []string{"light", "dark"} {
				tab.setLook(size[0], theme)
				tab.do(chromedp.EmulateViewport(size[0], size[1]))
				name := fmt.Sprintf("screen-%d-%d-%s", m.Table, size[0], theme)
				wantAccessible(t, tab, name)
				for _, fault := range ask[[]string](tab, unfit) {
					t.Errorf("%s: %s", name, fault)
				}
				tab.storePicture(name)
			}
		}
		w.room.retire(ref)
	}
	if people := w.room.presentPeople(); len(people) > 0 && !people[0].Away {
		t.Errorf("%+v is there", people)
	}
}
