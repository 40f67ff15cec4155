package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store/storetest"
)

// Names as long as they can be, of one word each; the second has the widest letters.
const (
	longName = "Donaudampfschifffahrtskapitänsmü"
	wideName = "WMWMWMWMWMWMWMWMWMWMWMWMWMWMWMWM"
)

// outOfWindow is a script that lists what reaches beyond the right edge of the window, but for what is moved
// sideways or cut within a frame of its own.
const outOfWindow = `(() => {
	const found = [];
	const wide = document.documentElement.scrollWidth;
	if (wide > innerWidth) found.push("the page is " + wide + " pixels wide");
	const framed = (node) => node !== document.body &&
		(getComputedStyle(node).overflowX !== "visible" || framed(node.parentElement));
	for (const node of document.querySelectorAll("body *")) {
		if (!node.checkVisibility() || node.closest(".unseen, .skip, svg") || framed(node.parentElement)) continue;
		const { right } = node.getBoundingClientRect();
		if (right > innerWidth + 1) found.push(node.outerHTML.slice(0, 80) + " reaches to " + Math.round(right));
	}
	return found;
})()`

// Long names of one word make nothing wider than the smallest window, in any game and in each of its phases.
func longNamesFit(t *testing.T, tab *tab) {
	said := wordstest.Of(t, shutbox.Game{}, wuerfelpoker.New(), zehntausend.Game{})
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, zehntausend.Game{})
	tab.do(chromedp.EmulateViewport(320, 568))
	tab.isAsked()
	tab.do(chromedp.Navigate(url + "/table"))
	tab.comesIn(longName)
	tab.adds(wideName)
	fits := func(phase string) {
		t.Helper()
		for _, fault := range append(ask[[]string](tab, outOfWindow), ask[[]string](tab, faults)...) {
			t.Errorf("%s: %s", phase, fault)
		}
		tab.window("long-names-" + phase)
	}
	for _, game := range []string{"shutbox", "wuerfelpoker", "zehntausend"} {
		tab.playsAs(longName)
		command(tab, "/"+game)
		tab.until(`Boolean(` + labelled("Sit down") + `) && ` + rested)
		tab.press(begins("+ House ("))
		tab.until(`document.querySelectorAll("#entries .seat").length === 2 && ` + rested)
		tab.playsAs(wideName)
		tab.press(labelled("Sit down"))
		tab.until(`document.querySelectorAll("#entries .seat").length === 3 && ` + rested)
		fits(game + "-lobby")
		tab.press(labelled("▶ Start"))
		tab.until(`Boolean(` + next + `) && !Boolean(` + labelled("▶ Start") + `) && ` + rested)
		tab.press(next)
		tab.until(`document.querySelectorAll("#entries .dice .die").length > 0 && ` + rested)
		fits(game + "-play")
		end(tab)
		fits(game + "-over")
	}
	command(tab, "/stats")
	tab.until(`Boolean(document.querySelector(".note")) && ` + rested)
	fits("note")
	tab.press(`document.getElementById("invite-open")`)
	tab.until(`document.getElementById("invite").open`)
	fits("invite")
}
