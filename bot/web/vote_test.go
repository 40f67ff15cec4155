package web

import (
	"testing"

	"knobel/store/storetest"
)

// holding finds the last visible button whose text holds this.
func holding(text string) string {
	return `[...document.querySelectorAll("button")].filter((b) => b.checkVisibility() && b.textContent.includes(` +
		quoted(text) + `)).at(-1)`
}

// Two at one screen: a choice is taken back, one of them would end the table, the
// other too; both sit down again.
func endedByVote(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	twoBegin(tab, url, "/shutbox 10 tiles=2-12 one-die=never")

	tab.until(`Boolean(` + labelled("Throw") + `) && ` + rested)
	tab.press(labelled("Throw"))
	tab.until(`document.querySelectorAll(".board .die").length === 2 && ` + rested)
	thrown := ask[string](tab, `document.querySelector(".board .head").textContent`)
	tab.press(next)
	tab.until(`Boolean(` + holding("Undo") + `) && ` + rested)
	seen(t, tab, "undo")
	tab.press(holding("Undo"))
	tab.until(`document.getElementById("live").textContent.includes("Taken back.")`)
	tab.until(`document.querySelector(".board .head").textContent === ` + quoted(thrown) + ` && ` + rested)

	tab.playsAs("Ben") // who is not to move, and no opener
	tab.press(labelled("End the game…"))
	tab.until(`document.querySelector(".board .head")?.textContent.startsWith("To end this table: Ben, 1 of 2 votes.")`)
	tab.until(`!` + labelled("End the game…"))
	seen(t, tab, "vote")
	tab.press(labelled("End it (1 of 2)")) // Anna's is meant
	tab.until(`[...document.querySelectorAll(".board")].at(-1).textContent.includes("Everybody has their 10 chips again.") && ` + rested)
	seen(t, tab, "vote-over")
	tab.press(labelled("↻ Rematch"))
	tab.until(`Boolean(` + labelled("Sit down") + `) && ` + rested)
	seen(t, tab, "rematch")
	tab.playsAs("Anna")
	tab.press(labelled("Sit down"))
	tab.until(`Boolean(` + labelled("▶ Start") +
		`) && ![...document.querySelectorAll(".board")].at(-1).textContent.includes("reserved") && ` + rested)
}
