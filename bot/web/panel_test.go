package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	logItems  = `[...document.querySelectorAll('#panel-log [role="log"][aria-label="Log"] li:not(.turn)')]`
	logTab    = `document.getElementById("tab-log")`
	primaries = `[...document.querySelectorAll(".primary")].filter((one) => one.checkVisibility()).length`
	nextRoll  = `document.querySelector('.act .primary[data-press*=":throw"]')`
	removers  = `#panel-log [aria-label="Remove this line by Ben"]`
	bubbles   = `[...document.querySelectorAll("#panel-log .bubble")].map((one) => one.textContent).join("|")`
)

// writeLine writes a line to all in the room.
func (b *tab) writeLine(text string) {
	b.t.Helper()
	b.press(`document.querySelector('[aria-label="Message to the room"]')`)
	b.do(chromedp.KeyEvent(text + "\r"))
}

// Anna, the host, and Ben write to the room: both read the lines in order, as plain text. Ben removes his own line and
// Anna one of his: both pages lose them.
func linesWritten(t *testing.T, anna *tab) {
	at := serveGames(t)
	anna.setLook(1280, "light")
	anna.askForName()
	anna.do(chromedp.Navigate(at))
	anna.press(labelled("Play with friends"))
	anna.enterName("Anna")
	anna.until(`document.querySelector(".plate .own")?.textContent === "Anna"`)
	ben := anna.otherBrowser(t)
	ben.setLook(1280, "light")
	ben.do(chromedp.Navigate(ask[string](anna, `location.href`)))
	ben.enterName("Ben")
	ben.until(`document.querySelectorAll(".plate").length === 2`)
	ben.writeLine("Hello <b>you</b>")
	anna.until(`document.querySelector("#tab-log .badge")?.textContent === "1" && document.getElementById("live")` +
		`.textContent.includes("Ben: Hello <b>you</b>")`)
	anna.writeLine("Well met")
	ben.writeLine("Oops")
	for _, tab := range []*tab{anna, ben} {
		tab.press(logTab)
		tab.until(bubbles + ` === "Ben Hello <b>you</b>|Anna Well met|Ben Oops"`)
		if ask[bool](tab, `Boolean(document.querySelector("#tab-log .badge")?.checkVisibility())`) {
			t.Error("what is read counts as unread")
		}
	}
	wantNoFaults(t, anna, "chat")
	anna.setLook(1280, "light")
	if n := ask[int](ben, `document.querySelectorAll(`+quoted(removers)+`).length`); n != 2 {
		t.Errorf("Ben can remove %d lines", n)
	}
	ben.press(`document.querySelectorAll(` + quoted(removers) + `)[1]`)
	anna.until(bubbles + ` === "Ben Hello <b>you</b>|Anna Well met"`)
	anna.press(`document.querySelector(` + quoted(removers) + `)`)
	for _, tab := range []*tab{anna, ben} {
		tab.until(bubbles + ` === "Anna Well met"`)
	}
}

// openAlone makes a room and enters it as Anna, in a wide window.
func openAlone(tab *tab, at string) {
	tab.t.Helper()
	tab.setLook(1366, "light")
	tab.askForName()
	tab.do(chromedp.Navigate(at))
	tab.press(labelled("Play with friends"))
	tab.enterName("Anna")
	tab.until(`document.querySelector(".plate .own")?.textContent === "Anna"`)
}

// edges is a script that returns the edges of the actions, of the primary button and of the parts above, in
// whole pixels.
const edges = `[".act", ".act .primary", ".banner", ".board .felt", ".plates"].flatMap((one) => {
	const { top, bottom, left, right } = document.querySelector(one).getBoundingClientRect();
	return one === ".act .primary" ? [bottom, right] : [top, bottom, left, right];
}).map(Math.round)`

// The window says whose turn it is in its title and picture. Between a roll and the choice nothing moves. Each state
// has one button of rank one, or none while others play.
func tableStands(t *testing.T, tab *tab) {
	openAlone(tab, serveGames(t))
	icon := `document.querySelector("link[rel=icon]").href`
	still := ask[string](tab, icon)
	if title := ask[string](tab, `document.title`); title != "Shut the Box · Anna’s room" {
		t.Errorf("in the lobby the title is %q", title)
	}
	wantOne := func(state string) {
		t.Helper()
		if n := ask[int](tab, primaries); n != 1 {
			t.Errorf("%s has %d buttons of rank one", state, n)
		}
	}
	wantOne("a lobby")
	tab.press(labelled("Start"))
	tab.until(`Boolean(` + labelled("Roll") + `) && document.title === "Your turn · Shut the Box"`)
	if ask[string](tab, icon) == still {
		t.Error("the picture of the window does not say whose turn it is")
	}
	wantOne("a turn before the roll")
	for _, size := range [][2]int64{{1366, 768}, {1366, 657}, {390, 844}} {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		before := ask[[]int](tab, edges)
		tab.press(nextRoll)
		tab.until(`document.querySelectorAll(".board .die:not(.ghost)").length === 2 &&
			Boolean(document.querySelector(".chips button")) && ` + rested)
		wantOne("a choice")
		wantSteady(t, fmt.Sprint("at ", size, " after a roll"), before, ask[[]int](tab, edges))
		if number := ask[int](tab, `parseInt([...document.querySelectorAll(".chips button")]
			.find(({ textContent }) => textContent.includes("+"))?.textContent ?? 0)`); number > 0 {
			tab.press(tileButton(number))
			tab.until(tileButton(number) + `.ariaPressed === "true"`)
			wantSteady(t, fmt.Sprint("at ", size, " with a tile chosen"), before, ask[[]int](tab, edges))
			tab.press(tileButton(number))
		}
		tab.press(`document.querySelector(".chips button")`)
		tab.until(`(Boolean(` + nextRoll + `) || ` + isOver + `) && ` + rested)
		if ask[bool](tab, isOver) {
			break
		}
	}
}

// wantSteady fails the test for edges that have moved by more than two pixels.
func wantSteady(t *testing.T, when string, before, after []int) {
	t.Helper()
	for i := range before {
		if d := after[i] - before[i]; d < -2 || d > 2 {
			t.Errorf("%s the edges are %v, before %v", when, after, before)
			return
		}
	}
}

// The panel beside the table: options as a form, how to play, the log with positions of the game, and the leaderboard.
func panelOpened(t *testing.T, tab *tab) {
	openAlone(tab, serveGames(t))
	field := func(label string) string {
		return `[...document.querySelectorAll("#lobby label")].find((one) => one.textContent === ` + quoted(label) +
			`)?.control`
	}
	tab.until(field("Variant") + `?.value`)
	choose := func(label, value string) {
		t.Helper()
		ask[bool](tab, `((list) => {
			list.value = [...list.options].find((one) => one.label === `+quoted(value)+`).value;
			list.dispatchEvent(new Event("change"));
			return true;
		})(`+field(label)+`)`)
		tab.until(field(label) + `?.selectedOptions[0].label === ` + quoted(value))
	}
	choose("Turn time", "1 hour")
	choose("Variant", "Golf")
	choose("Variant", "Classic")
	tab.press(`document.querySelector('#lobby [aria-label="Stake: more"]')`)
	tab.until(`document.querySelector("#lobby output").textContent === "1 chip"`)
	wantAccessible(t, tab, "options")

	tab.press(labelled("How to play"))
	tab.until(`document.querySelectorAll("#panel-answer .howto-steps li").length === 3`)
	wantAccessible(t, tab, "how to play")
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`document.activeElement.textContent === "How to play" &&
		document.getElementById("panel-players").checkVisibility()`)

	tab.press(labelled("Computer"))
	tab.until(`document.querySelectorAll(".plate").length === 2`)
	tab.press(labelled("Start"))
	ask[bool](tab, playOut)
	tab.press(logTab)
	tab.until(logItems + `.length > 2`)
	said := ask[[]string](tab, logItems+`.map((one) => one.querySelector("button").textContent)`)
	moves := ask[[]string](tab, `fetch(location.pathname + "/log?table=1").then((log) => log.json())
		.then(({ moves }) => moves.map(({ said }) => said))`)
	if len(said) != len(moves) {
		t.Fatalf("the log has %q, the game %q", said, moves)
	}
	for i, move := range moves {
		if !strings.Contains(said[i], move) {
			t.Errorf("line %d of the log says %q, not %q", i, said[i], move)
		}
	}
	wantAccessible(t, tab, "the log")
	tab.press(logItems + `[0].querySelector("button")`)
	tab.until(logItems + `[0].querySelector("button").ariaCurrent === "true" && Boolean(` + labelled("Back to now") + `)`)
	wantAccessible(t, tab, "an earlier position")
	tab.press(labelled("Back to now"))
	tab.until(isOver + ` && !` + labelled("Back to now") + ` && !document.querySelector("#panel-log [aria-current]")`)

	tab.press(`document.getElementById("tab-leaderboard")`)
	tab.until(`[...document.querySelectorAll("#panel-leaderboard h3")].map((one) => one.firstChild.textContent).join() ===
		"Settle up,Past games"`)
	wantAccessible(t, tab, "the leaderboard")
	tab.press(`document.querySelector("#panel-leaderboard .past button")`)
	tab.until(reviewShown)
}
