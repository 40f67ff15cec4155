package web

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
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

// Sounds are off until turned up; then dice, tiles and the end are heard. The volume is stored.
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
			done(t, w.Edit(t.Context(), roomPlace, ref, m))
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
