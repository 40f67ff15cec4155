package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/store/storetest"
)

// friends are people at a table, each at a browser of their own, by name.
type friends map[string]*tab

// The newest board as one page sees it.
const (
	newest = `[...document.querySelectorAll("#entries > .board[data-table]")].at(-1)`
	isOver = newest + `?.classList.contains("over")`
)

// Three friends, one with a telephone, and a house player play an evening from the first page to the end of both
// games. Anna presses five times before her first throw with the house at the table; Ben and Clara, who have the
// link, say a name and sit down.
func friendsPlay(t *testing.T, anna *tab) {
	at, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	anna.look(1280, "light")
	anna.isAsked()
	anna.do(chromedp.Navigate(at))
	anna.press(labelled("Play with friends"))
	anna.comesIn("Anna") // Enter
	anna.press(labelled("+ House (plays anything)"))
	anna.until(`document.querySelectorAll("#entries .seat").length === 2`)
	all := friends{"Anna": anna}
	link := ask[string](anna, `location.href`)
	for i, name := range []string{"Ben", "Clara"} {
		all[name] = anna.another(t)
		if name == "Ben" {
			all[name].look(1280, "dark")
		}
		all[name].do(chromedp.Navigate(link))
		all[name].comesIn(name)
		all[name].press(labelled("Sit down"))
		all.see(`document.querySelectorAll("#entries .seat").length === ` + []string{"3", "4"}[i])
	}
	anna.press(labelled("▶ Start"))
	anna.until(`Boolean(` + labelled("Throw") + `) && ` + rested)
	anna.press(labelled("Throw"))
	anna.until(`document.querySelectorAll("#entries .die").length === 2`)
	all.play(t, "Shut the Box")
	all.picture("friends-over")
	all.see(newest + `.classList.contains("crowned")`)

	replayed(t, all["Clara"])
	all.see(`!document.getElementById("here").textContent.includes("watching")`)
	anna.press(labelled("↻ Rematch"))
	all.see(newest + `.querySelectorAll(".seat").length === 4 && !` + isOver)
	for _, name := range []string{"Ben", "Clara"} {
		all[name].press(labelled("Sit down"))
		all[name].until(`![...` + newest + `.querySelectorAll("button")].some((b) => b.textContent === "Sit down")`)
	}
	anna.press(labelled("▶ Start"))
	all.play(t, "the rematch")

	command(anna, "/wuerfelpoker point=1")
	all.see(newest + `.querySelectorAll(".seat").length === 1`)
	anna.press(labelled("+ House (plays anything)"))
	all.see(newest + `.querySelectorAll(".seat").length === 2`)
	all["Ben"].press(labelled("Sit down"))
	all.see(newest + `.querySelectorAll(".seat").length === 3`)
	anna.press(labelled("▶ Start"))
	anna.until(`[...document.querySelectorAll("#here .guest")].map((guest) => guest.textContent)
		.some((said) => said.startsWith("Clara") && said.endsWith("watching"))`)
	all.play(t, "Würfelpoker")
	all.picture("friends-poker-over")
	all.see(`document.querySelectorAll("#earlier .old").length === 2`)
	for name, tab := range all {
		if said := ask[string](tab, newest+`.innerText`); strings.Count(said, "chips") == 0 {
			t.Errorf("%s does not see what was won:\n%s", name, said)
		}
	}
}

// see waits until an expression is true on everybody's page.
func (f friends) see(expression string) {
	for _, tab := range f {
		tab.t.Helper()
		tab.until(expression)
	}
}

// picture keeps a picture of everybody's page.
func (f friends) picture(name string) {
	for who, tab := range f {
		tab.picture(name + "-" + strings.ToLower(who))
	}
}

// play presses for whoever is to move the first way on, until the game is over on all pages.
func (f friends) play(t *testing.T, game string) {
	t.Helper()
	const at = newest + `.querySelector('.seat[data-state="to-move"] .name')?.textContent`
	any := f["Anna"]
	for range 600 {
		any.until(isOver + ` || ["Anna", "Ben", "Clara"].includes(` + at + `)`)
		who := ask[string](any, isOver+` ? "" : `+at+` ?? ""`)
		if who == "" {
			if ask[bool](any, isOver) {
				f.see(isOver)
				return
			}
			continue
		}
		tab := f[who]
		tab.until(isOver + ` || Boolean(` + next + `) && !` + newest + `.classList.contains("theirs") && ` + rested)
		if ask[bool](tab, isOver) {
			continue
		}
		before := ask[string](tab, newest+`.innerText`)
		tab.press(next)
		tab.until(newest + `.innerText !== ` + quoted(before) + ` && ` + rested)
		turned := ask[string](tab, newest+`.querySelector(".head").textContent`)
		any.until(newest + `.querySelector(".head").textContent === ` + quoted(turned))
	}
	t.Fatalf("%s does not end", game)
}
