package web

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

// The many rules of a lobby scroll in a bar of which most is in sight, with the way back to Start.
func manyRules(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, fakes.NewClockAt(time.Now(), true), zehntausend.Game{})
	tab.isAsked()
	tab.do(chromedp.Navigate(url + "/table"))
	tab.comesIn("Anna")
	command(tab, "/farkle")
	const rules = newest + `.querySelector('[data-press$=":!page rules"]')`
	const back = newest + `.querySelector('[data-press$=":!page"]')`
	tab.until(`Boolean(` + rules + `)`)
	tab.press(rules)
	tab.until(`Boolean(` + back + `)`)
	for _, size := range [][2]int64{{390, 844}, {1280, 800}} {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		tab.until(rested)
		seen := ask[[]float64](tab, `(() => {
			const bar = `+newest+`.querySelector(".at-hand"), { top, bottom } = bar.getBoundingClientRect();
			const inSight = (b) => b.getBoundingClientRect().top >= top - 1 && b.getBoundingClientRect().bottom <=
				Math.min(bottom, innerHeight) + 1;
			const all = [...bar.querySelectorAll("button")];
			return [all.length, all.filter(inSight).length, Number(inSight(`+back+`))];
		})()`)
		if slices.Contains(seen[1:], 0) || seen[1] < seen[0]*2/3 {
			t.Errorf("at %v: %v of %v buttons are in sight, the way back %v", size, seen[1], seen[0], seen[2])
		}
		tab.picture("many-rules")
	}
}
