package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

// Of many games the first have a button each; another button shows all, by family. The list goes once a table is opened
// from it, and the game that was opened last in this browser has a button from then on.
func manyGames(t *testing.T, tab *tab) {
	const offered = `[...document.querySelectorAll("#new-tables button")].map((b) => b.textContent).join()`
	more := []games.Game{}
	for _, g := range sets.All() {
		more = append(more, g)
	}
	said := wordstest.Of(t, append([]games.Game{shutbox.Game{}, wuerfelpoker.New()}, more...)...)
	url, _ := openAt(t, storetest.Empty(t), "127.0.0.1:0", said, &fakes.Restless{}, more...)
	tab.isAsked()
	tab.do(chromedp.Navigate(url + "/table"))
	tab.comesIn("Anna")
	tab.until(offered + ` === "New table of Shut the Box,New table of Würfelpoker,New table of Kniffel,All games…"`)
	tab.press(labelled("All games…"))
	tab.press(labelled("Score sheets"))
	tab.until(`document.querySelector("section.note").textContent.includes("Escalero")`)
	tab.picture("openings-390-light")
	tab.press(labelled("Yahtzee"))
	tab.until(newest + `.querySelector(".head").textContent.startsWith("Anna opens a table: Yahtzee") && ` +
		`!document.querySelector("section.note") && document.activeElement === ` + newest + `.querySelector(".head")`)
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(newest + `.querySelector(".instead").textContent.includes("Kniffel") && ` + offered +
		`.includes("New table of Yahtzee")`)
}
