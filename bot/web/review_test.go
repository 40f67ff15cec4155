package web

import (
	"strings"
	"testing"
)

// reviewRead reads what luck and decisions did, tries the puzzle, and has its
// answer shown.
func reviewRead(t *testing.T, tab *tab) {
	t.Helper()
	const close = `[...document.querySelectorAll("#notes button")].find((b) => b.textContent.trim() === "✕ Close")`
	tab.press(close)
	tab.until(`!document.querySelector("#notes > *")`)
	tab.until(`/Anna: .*lucky.*mistake/.test(document.querySelector(".board.over").innerText) && Boolean(` +
		labelled("Review") + `)`)
	seen(t, tab, "review-board")
	tab.press(labelled("Review"))
	tab.until(`document.querySelector(".note .lines")?.textContent.includes("costliest decision")`)
	seen(t, tab, "review")
	tab.press(labelled("Move by move"))
	tab.until(`document.querySelector(".note .lines")?.textContent.includes(", luck ")`)
	seen(t, tab, "review-moves")
	tab.press(labelled("As a line"))
	tab.until(picture + `?.clientWidth > 250 && ` + picture + `.querySelector("title").textContent.length > 20`)
	seen(t, tab, "review-line")
	tab.press(close)
	tab.until(`!document.querySelector("#notes > *")`)
	command(tab, "/puzzle")
	tab.until(`document.body.innerText.includes("The puzzle, from game") && Boolean(` + labelled("Show the answer") +
		`) && ` + rested)
	if said := ask[string](tab, `document.getElementById("watching").textContent`); said != "" {
		t.Errorf("a puzzle is for all to solve, and the page says %q", said)
	}
	seen(t, tab, "puzzle")
	tab.speaks("de")
	tab.until(`document.body.innerText.includes("Das Rätsel, aus Partie") && Boolean(` + labelled("Antwort zeigen") + `)`)
	tab.speaks("en")
	tab.press(labelled("Show the answer"))
	tab.until(`document.body.innerText.includes("is solved: the best was to")`)
	if text := ask[string](tab, `document.body.innerText`); !strings.Contains(text, "Nobody tried it.") {
		t.Errorf("the answer says\n%s", text)
	}
	seen(t, tab, "puzzle-solved")
}
