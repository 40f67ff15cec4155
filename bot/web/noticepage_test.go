package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/store/storetest"
)

// noticedLater opens a page after the notice of an evening was posted: it shows the notice, with its buttons, and each
// change of it.
func noticedLater(t *testing.T, tab *tab) {
	w := New(Config{Store: storetest.Open(t)})
	url := serve(t, w, &fakeBot{})
	m := chat.Message{Lang: "en", Head: "Tonight at 20:00: Coin.", Accent: -1}
	m.Once = "notice 1"
	m.Row(chat.Button{Label: "I'm in", Press: "1:0:0:/evening #in 1 1700"},
		chat.Button{Label: "Not tonight", Press: "1:0:0:/evening #out 1 1700"})
	ref, err := w.Post(t.Context(), roomPlace, m)
	if err != nil {
		t.Fatal(err)
	}
	shows := func(text string) {
		tab.until(`[...document.querySelectorAll(".note")].some((one) => one.checkVisibility() &&
			one.innerText.includes("` + text + `"))`)
	}
	tab.do(chromedp.EmulateViewport(1200, 800))
	tab.open(url+"/table", `document.querySelector(".note")`)
	shows("Not tonight")
	m.Told = []string{"In: Anna."}
	if err := w.Edit(t.Context(), roomPlace, ref, m); err != nil {
		t.Fatal(err)
	}
	shows("In: Anna.")
}
