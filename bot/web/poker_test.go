package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/fakes/needs"
	"knobel/store/storetest"
)

// Parts of the page while Würfelpoker is played.
const (
	mover   = `document.querySelector('.seat[data-state="to-move"] .name')?.textContent`
	diceLie = `document.querySelectorAll(".dice .pickable").length === 5`
	rested  = `!document.querySelector(".busy")`

	// nameless: the page asks for no name; while it does, all keys are for that.
	nameless = `!document.getElementById("names").open`
	// cameIn: the page's script is there, and asks for no name.
	cameIn = `document.querySelector("#new-tables button") && ` + nameless
	// welcomed: the page has nothing to show yet, and asks for no name.
	welcomed = `!document.getElementById("welcome").hidden && ` + nameless
)

// begins finds the last visible button whose text begins so.
func begins(text string) string {
	return `[...document.querySelectorAll("button")].filter((b) => b.checkVisibility() && b.textContent.trim().startsWith(` + quoted(text) + `)).at(-1)`
}

// command types a command into the line that the button with the slash opens.
func command(tab *tab, text string) {
	tab.t.Helper()
	tab.until(cameIn)
	openLine(tab)
	tab.do(chromedp.KeyEvent(text))
	tab.until(`document.getElementById("text").value === ` + quoted(text))
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(`document.getElementById("text").value === "" && ` + rested)
}

// openLine opens the line for commands, with nothing in it.
func openLine(tab *tab) {
	tab.t.Helper()
	ask[bool](tab, `(() => {
		if (document.getElementById("line").hidden) document.getElementById("slash").click();
		const line = document.getElementById("text");
		line.value = "";
		line.focus();
		return true;
	})()`)
}

// keepMost clicks the dice that show the face that lies most often, and says
// how many are left to throw.
func keepMost(tab *tab) int {
	tab.t.Helper()
	const wrong = `(() => {
		const dice = [...document.querySelectorAll(".dice .pickable")];
		const face = (die) => die.querySelectorAll(".pip").length;
		const count = (f) => dice.filter((die) => face(die) === f).length;
		const most = dice.map(face).sort((a, b) => count(b) - count(a) || b - a)[0];
		return dice.findIndex((die) => (die.ariaPressed === "true") !== (face(die) === most));
	})()`
	for range 10 {
		i := ask[int](tab, wrong)
		if i < 0 {
			break
		}
		die := fmt.Sprintf(`document.querySelectorAll(".dice .pickable")[%d]`, i)
		before := ask[string](tab, die+`.ariaPressed`)
		tab.press(die)
		tab.until(die + `.ariaPressed !== ` + quoted(before) + ` && ` + rested)
	}
	return ask[int](tab, `document.querySelectorAll('.dice .pickable[aria-pressed="false"]').length`)
}

// writesRow plays somebody's round: up to so many throws, then the first row.
func writesRow(tab *tab, name string, throws int) {
	tab.t.Helper()
	tab.until(mover + ` === ` + quoted(name) + ` && Boolean(` + labelled("Throw") + `) && ` + rested)
	tab.press(labelled("Throw"))
	tab.until(diceLie + ` && ` + rested)
	last := false
	for n := 1; n < throws && !last && keepMost(tab) > 0; n++ {
		before := ask[string](tab, `document.querySelector(".board .head").textContent`)
		last = n == 2
		tab.press(begins("Throw "))
		tab.until(`document.querySelector(".board .head").textContent !== ` + quoted(before) + ` && ` + rested)
	}
	if !last {
		tab.press(labelled("Write…"))
		tab.until(`Boolean(` + labelled("Back") + `) && ` + rested)
	}
	tab.press(`document.querySelector(".board .buttons button")`)
	tab.until(`(document.querySelector(".board.over") || ` + mover + ` !== ` + quoted(name) + `) && ` + rested)
}

// seen keeps pictures of the page as it looks on a phone, and by
// KNOBEL_TEST_LONG=1 in every look.
func seen(t *testing.T, tab *tab, name string) {
	t.Helper()
	looks := everyLook
	if !needs.IsLong() {
		looks = func(do func(int64, string)) { do(390, "light") }
	}
	looks(func(width int64, theme string) {
		tab.look(width, theme)
		accessible(t, tab, fmt.Sprintf("%s %d %s", name, width, theme))
		tab.picture(fmt.Sprintf("%s-%d-%s", name, width, theme))
	})
	tab.look(390, "light")
}

// Two people at one screen play Würfelpoker to the end by what they see, and
// settle up.
func pokerPlayed(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	twoBegin(tab, url, "/wuerfelpoker point=2")
	for round := range 15 {
		if round == 9 {
			tab.until(mover + ` === "Anna" && Boolean(` + labelled("Throw") + `) && ` + rested)
			tab.press(labelled("Throw"))
			tab.until(diceLie + ` && ` + rested)
			keepMost(tab)
			seen(t, tab, "poker")
			tab.window("poker-window-390-light")
			tab.press(labelled("Write…"))
			tab.until(`Boolean(` + labelled("Back") + `) && ` + rested)
			seen(t, tab, "poker-rows")
			tab.press(`document.querySelector(".board .buttons button")`)
			tab.until(mover + ` === "Ben"`)
		} else {
			writesRow(tab, "Anna", 1+round%3)
		}
		writesRow(tab, "Ben", 1)
	}
	tab.until(`Boolean(document.querySelector(".board.over"))`)
	text := ask[string](tab, `document.querySelector(".board.over").innerText`)
	if strings.Count(text, "(+")+strings.Count(text, "(−") < 2 || !strings.Contains(text, "chips") {
		t.Errorf("the settlement is not seen:\n%s", text)
	}
	if open := ask[int](tab, `document.querySelectorAll('.board td[data-mark="open"]').length`); open != 0 {
		t.Errorf("%d rows are still open", open)
	}
	seen(t, tab, "poker-over")
	command(tab, "/settle")
	tab.until(`document.querySelector(".note .lines")?.textContent.includes("→")`)
	seen(t, tab, "settle")
	bookSeen(t, tab)
	reviewRead(t, tab)
}

// picture is the chart of a page that only its reader sees.
const picture = `document.querySelector(".note .chart:not([hidden]) svg")`

// bookSeen opens the leaderboard, the statistics and the charts, each from the
// one before by a button, and goes back.
func bookSeen(t *testing.T, tab *tab) {
	t.Helper()
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector("#notes > *")`)
	command(tab, "/leaderboard")
	tab.until(`document.querySelector(".note .lines")?.textContent.includes("Ben")`)
	seen(t, tab, "poker-leaderboard")
	for _, page := range []struct{ button, name string }{{"Chart", "chart"}, {"Statistics", "stats"},
		{"Scores", "scores"}} {
		before := ask[string](tab, `document.querySelector(".note .head").textContent`)
		tab.press(`[...document.querySelectorAll(".note .buttons button")].find((b) => b.textContent.trim() === ` +
			quoted(page.button) + `)`)
		tab.until(`document.querySelector(".note .head").textContent !== ` + quoted(before) + ` && ` + rested)
		if page.name != "stats" {
			tab.until(picture + `?.clientWidth > 250 && ` + picture + `.querySelector("title").textContent.length > 20`)
		}
		if notes := ask[int](tab, `document.querySelectorAll("#notes > *").length`); notes != 1 {
			t.Errorf("%d notes", notes)
		}
		seen(t, tab, page.name)
	}
}
