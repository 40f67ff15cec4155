package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/store/storetest"
)

// A person alone in the lobby of a new room opens another game by one press. With others seated, spectators are offered
// nothing.
func anotherGame(t *testing.T, tab *tab) {
	const (
		inLobby = newest + `.querySelectorAll(".seat").length === `
		offered = `[...` + newest + `.querySelectorAll(".instead button")].map((b) => b.textContent).join()`
	)
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	tab.isAsked()
	tab.do(chromedp.Navigate(url))
	tab.press(labelled("Play with friends"))
	tab.comesIn("Anna")
	tab.until(inLobby + `1`)
	tab.until(offered + ` === "New table of Würfelpoker"`)
	tab.picture("instead-390-light")
	tab.press(labelled("New table of Würfelpoker"))
	tab.until(newest + `.querySelector(".head").textContent === "Anna opens a table: Würfelpoker."`)
	tab.until(offered + ` === "New table of Shut the Box" && document.activeElement === ` + newest +
		`.querySelector(".head")`)
	tab.look(1280, "dark")
	tab.picture("instead-1280-dark")

	ben := tab.another(t)
	ben.do(chromedp.Navigate(ask[string](tab, `location.href`)))
	ben.comesIn("Ben")
	ben.until(inLobby + `1`)
	if said := ask[string](ben, offered); said != "" {
		t.Errorf("whoever only looks is offered %s", said)
	}
	ben.press(labelled("Sit down"))
	tab.until(inLobby + `2`)
	tab.until(offered + ` === ""`)
}
