package web

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
	"knobel/games"
)

// sounding has a page count what it plays: of noise, and of tones.
const sounding = `(() => {
	window.played = { noise: 0, tones: 0 };
	const source = AudioContext.prototype.createBufferSource, tone = AudioContext.prototype.createOscillator;
	AudioContext.prototype.createBufferSource = function () { window.played.noise++; return source.call(this); };
	AudioContext.prototype.createOscillator = function () { window.played.tones++; return tone.call(this); };
	return true;
})()`

// There are no sounds until somebody turns them up, who then hears dice, tiles and the end; it is remembered how loud
// they are, and once they are turned down all is quiet.
func soundsHeard(t *testing.T, tab *tab) {
	w := New(Config{})
	tab.do(chromedp.Navigate(serve(t, w, &pretend{}) + "/table"))
	tab.until(welcomed)
	ask[bool](tab, sounding)
	table := int64(0)
	plays := func() {
		table++
		thrown := board(table, "Anna is to choose.")
		thrown.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}}
		ref := must(w.Post(t.Context(), roomPlace, thrown))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(table) + `"`)
		thrown.Dice = []chat.Die{{Face: 6, Sides: 6}, {Face: 4, Sides: 6}}
		for _, m := range []chat.Message{thrown, won(table, "Anna")} {
			if err := w.Edit(t.Context(), roomPlace, ref, m); err != nil {
				t.Fatal(err)
			}
			tab.until(newest + `.querySelectorAll(".die").length === 2`)
		}
		tab.until(newest + `.classList.contains("over")`)
	}
	plays()
	if got := ask[map[string]int](tab, `window.played`); got["noise"]+got["tones"] != 0 {
		t.Errorf("before anybody wants sounds, %v are played", got)
	}
	turn := func(key string, times int, label string) {
		tab.people()
		ask[bool](tab, `(document.getElementById("volume").focus(), true)`)
		for range times {
			tab.do(chromedp.KeyEvent(key))
		}
		tab.until(`document.getElementById("volume-label").textContent === ` + quoted(label))
		accessible(t, tab, "the volume "+label)
		tab.window("volume-390-light")
		ask[bool](tab, `(document.getElementById("you-panel").hidePopover(), true)`)
	}
	turn(kb.ArrowRight, 4, "Sounds")
	tab.until(`window.played.noise > 0`)
	ask[bool](tab, `(window.played = { noise: 0, tones: 0 }, true)`)
	plays()
	tab.until(`window.played.noise >= 3 && window.played.tones === 3`)
	tab.reload()
	tab.until(newest + `?.classList.contains("over")`)
	ask[bool](tab, sounding)
	turn("", 0, "Sounds")
	if at := ask[string](tab, `document.getElementById("volume").value`); at != "4" {
		t.Errorf("sounds are remembered at %s", at)
	}
	turn(kb.ArrowLeft, 4, "Sounds (off)")
	ask[bool](tab, `(window.played = { noise: 0, tones: 0 }, true)`)
	plays()
	if got := ask[map[string]int](tab, `window.played`); got["noise"]+got["tones"] != 0 {
		t.Errorf("once sounds are off, %v are played", got)
	}
}

// onEveryPage has every page from now on begin with a script.
func (b *tab) onEveryPage(script string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// tap touches a point of the window with a finger.
func (b *tab) tap(x, y float64) {
	b.t.Helper()
	for _, ev := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, ev)
			return err
		}))
	}
}

// wakes has a page keep its contexts of sound, count how often it asks them to go on, and say that they are in the
// state in "held", if any, in which nothing wakes them.
const wakes = `
	globalThis.contexts = [];
	globalThis.woken = 0;
	globalThis.AudioContext = class extends AudioContext {
		constructor() { super(); contexts.push(this); }
		get state() { return globalThis.held ?? super.state; }
		resume() { woken++; return globalThis.held ? new Promise(() => {}) : super.resume(); }
	};
	localStorage.setItem("knobel-volume", ".4");
`

// Browsers let a page make sounds once it is touched, and stop them while it lies behind others or a call is taken:
// then a touch, or coming back, has them go on. What fell meanwhile is not heard late.
func soundsWake(t *testing.T, tab *tab) {
	w := New(Config{})
	tab.onEveryPage(wakes)
	tab.do(chromedp.Navigate(serve(t, w, &pretend{}) + "/table"))
	tab.until(welcomed)
	ask[bool](tab, sounding)
	table := board(1, "Anna is to throw.")
	table.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}}
	ref, face := must(w.Post(t.Context(), roomPlace, table)), 0
	throws := func(heard bool) {
		t.Helper()
		face++
		table.Head, table.Dice = fmt.Sprintf("Anna threw %d.", face), []chat.Die{{Face: face, Sides: 6}}
		ask[bool](tab, `(window.played.noise = 0, true)`)
		if err := w.Edit(t.Context(), roomPlace, ref, table); err != nil {
			t.Fatal(err)
		}
		tab.until(newest + `?.querySelector(".head").textContent === ` + quoted(table.Head))
		if n := ask[int](tab, `window.played.noise`); n > 0 != heard {
			t.Errorf("throw %d makes %d noises", face, n)
		}
	}
	throws(false)
	throws(false)
	if n := ask[int](tab, `contexts.length`); n != 0 {
		t.Errorf("a page that nobody has touched has %d contexts", n)
	}
	tab.tap(200, 200)
	tab.until(`contexts.length === 1 && contexts[0].state === "running"`)
	if n := ask[int](tab, `window.played.noise`); n != 0 {
		t.Errorf("a throw of before the first touch makes %d noises late", n)
	}
	throws(true)
	for _, state := range []string{"suspended", "interrupted"} {
		ask[bool](tab, `(window.held = `+quoted(state)+`, true)`)
		throws(false)
		woken := ask[int](tab, `woken`)
		ask[bool](tab, `(document.dispatchEvent(new Event("visibilitychange")), true)`)
		if n := ask[int](tab, `woken`); n == woken {
			t.Errorf("a page that comes back does not wake what is %s", state)
		}
		ask[bool](tab, `(window.held = undefined, contexts[0].suspend().then(() => true))`)
		tab.tap(200, 200)
		tab.until(`contexts[0].state === "running"`)
		if n := ask[int](tab, `window.played.noise`); n != 0 {
			t.Errorf("what fell while sounds were %s makes %d noises late", state, n)
		}
	}
	throws(true)
}
