package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// leaderboardIsRead opens the leaderboard by its command, turns to other pages
// of it by its buttons, in the one note, and closes it.
func leaderboardIsRead(t *testing.T, tab *tab) {
	t.Helper()
	openLine(tab)
	tab.do(chromedp.KeyEvent("/leaderboard pool all\r"))
	tab.until(`document.activeElement.matches(".note")`)
	note := func() string { return ask[string](tab, `document.querySelector("section.note").innerText`) }
	if text := note(); !strings.Contains(text, "Pools in chips, all time: 1 game.") ||
		!strings.Contains(text, "← you") || strings.Contains(text, "House") {
		t.Errorf("the leaderboard says\n%s", text)
	}
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		tab.picture(fmt.Sprintf("leaderboard-%d-%s", width, theme))
	})
	accessible(t, tab, "with a leaderboard")
	tab.press(labelled("Ranking…"))
	tab.until(`document.querySelector("section.note").innerText.includes("Best score")`)
	tab.look(390, "dark")
	tab.picture("leaderboard-menu-390-dark")
	tab.press(labelled("Games won"))
	tab.until(`document.querySelector("section.note").innerText.includes("Games won, all time: 1 game.")`)
	tab.press(labelled("Hide me"))
	tab.until(`document.getElementById("toasts").innerText.includes("You are off the leaderboards here.")`)
	tab.press(labelled("When…"))
	tab.until(`[...document.querySelectorAll("section.note button")].some((b) => b.textContent === "This week")`)
	tab.press(labelled("This week"))
	tab.until(`document.querySelector("section.note").innerText.includes("You are hidden here.")`)
	tab.press(labelled("Show me"))
	tab.until(`document.getElementById("toasts").innerText.includes("on the leaderboards here again")`)
	if n := ask[int](tab, `document.querySelectorAll("section.note").length`); n != 1 {
		t.Errorf("%d notes", n)
	}
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector("section.note")`)
}
