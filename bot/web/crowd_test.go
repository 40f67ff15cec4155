package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/store/storetest"
)

// Five people at one screen play Würfelpoker: whoever is to move has a sheet whose cells can be pressed, and the bar
// at hand.
func fiveAtOneScreen(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	annaComes(tab, url)
	command(tab, "/wuerfelpoker")
	tab.until(`document.querySelectorAll(".seat").length === 1 && ` + rested)
	for n := 2; n <= 5; n++ {
		tab.adds(fmt.Sprint("P", n))
		tab.press(labelled("Sit down"))
		tab.until(fmt.Sprintf(`document.querySelectorAll(".seat").length === %d && %s`, n, rested))
	}
	tab.press(labelled("▶ Start"))
	for _, name := range []string{"Anna", "P2"} {
		tab.until(mover + ` === ` + quoted(name) + ` && Boolean(` + labelled("Throw") + `) && ` + rested)
		if got := ask[string](tab, `document.querySelector(".pad:not([hidden]) thead")?.textContent ?? "none"`); got != name {
			t.Errorf("before %s throws, the sheet is that of %s", name, got)
		}
		tab.press(labelled("Throw"))
		tab.until(diceLie + ` && ` + rested)
		for _, size := range [][2]int64{{320, 568}, {360, 640}, {640, 400}, {1280, 800}, {390, 844}} {
			tab.do(chromedp.EmulateViewport(size[0], size[1]))
			tab.reload()
			tab.until(`Boolean(` + labelled("Write…") + `) && document.readyState === "complete"`)
			// The bar knows how high the line below it is.
			ask[bool](tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			for _, fault := range ask[[]string](tab, outOfHand) {
				t.Errorf("%s at %d×%d: %s", name, size[0], size[1], fault)
			}
			if n := ask[int](tab, `document.querySelectorAll("#entries .pad .pencil").length`); n == 0 {
				t.Errorf("%s at %d×%d: no cell can be pressed", name, size[0], size[1])
			}
			tab.window(fmt.Sprintf("five-%s-%dx%d", name, size[0], size[1]))
		}
		tab.press(`document.querySelector("#entries .pad .pencil")`)
		tab.press(`document.querySelector("#entries .chosen button")`)
	}
	tab.until(mover + ` === "P3" && ` + rested)
}
