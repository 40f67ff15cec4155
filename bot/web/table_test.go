package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/sheet/sets"
)

// listed is an answer with two tables between its lines, the second wider than a phone.
func listed() chat.Message {
	wide := chat.Grid{From: 3, To: 4, Caption: "Everything:", Head: []string{"Player"}, Rows: [][]string{{"Anna"}}}
	for i := range 12 {
		wide.Head = append(wide.Head, fmt.Sprint("Evening ", i+1))
		wide.Rows[0] = append(wide.Rows[0], fmt.Sprint("+", 10*i, ".5"))
	}
	return chat.Message{Lang: "en", Accent: -1, Head: "Pools in chips.",
		Lines: []string{"1. Anna +120 · 3 of 4 won", "…", "4. <b>Ben −20 · 0 of 4 won", "Anna +0.5",
			"At least 1 game."},
		Grids: []chat.Grid{
			{From: 0, To: 3, Head: []string{"Place", "Player", "Pools", "Games"}, Rows: [][]string{
				{"1.", "Anna", "+120", "3 of 4 won"}, {"…"}, {"4.", "<b>Ben", "−20", "0 of 4 won"}}},
			wide,
		},
		Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}
}

// Lists are tables: their columns named, numbers below each other, a wide one moved sideways while the names stay.
func tablesShown(t *testing.T, tab *tab) {
	first := listed()
	b := &pretend{answer: chat.Reply{Private: &first}}
	tab.goes(serve(t, New(Config{}), b)+"/table", welcomed)
	command(tab, "/leaderboard")
	tab.until(`document.querySelectorAll(".note .grid table").length === 2`)
	tab.until(`document.querySelector(".note .grid[role]") !== null`) // it is known which of them is too wide
	for what, expression := range map[string]string{
		"Place Player Pools Games":    `texts("table:first-of-type thead th[scope=col]", grids[0])`,
		"Anna <b>Ben":                 `texts("tbody th[scope=row]", grids[0])`,
		"1. +120 4. −20":              `texts("tbody .number", grids[0])`,
		"Everything:":                 `texts("caption:not([hidden])", document)`,
		"4":                           `String(grids[0].querySelector("td[colspan]").colSpan)`,
		"At least 1 game.":            `texts(".lines > p", document)`,
		"Pools in chips.|Everything:": `grids.map((g) => named(g.firstElementChild)).join("|")`,
		"end":                         `getComputedStyle(grids[0].querySelector("td.number")).textAlign`,
		"tabular-nums":                `getComputedStyle(grids[0].querySelector("td.number")).fontVariantNumeric`,
		"HEAD|CAPTION":                `grids.map((g) => by(g.firstElementChild)).join("|")`,
		"|Everything:":                `grids.map((g) => g.role ? named(g) : "").join("|")`, // the wide one alone
	} {
		got := ask[string](tab, `(() => {
			const grids = [...document.querySelectorAll(".note .grid")];
			const texts = (selector, root) => [...root.querySelectorAll(selector)].map((n) => n.textContent).join(" ");
			const namer = (node) => document.getElementById(node.getAttribute("aria-labelledby"));
			const named = (node) => namer(node).textContent;
			const by = (node) => namer(node).className.toUpperCase() || namer(node).tagName;
			return `+expression+`;
		})()`)
		if got != what {
			t.Errorf("%s is %q, not %q", expression, got, what)
		}
	}
	looksWell(t, tab, "tables")
	tab.look(390, "light")
	const wide = `document.querySelectorAll(".note .grid")[1]`
	tab.until(wide + `.tabIndex === 0`) // the keyboard reaches what is out of sight
	name := func() []float64 {
		return ask[[]float64](tab, `(() => {
			const frame = `+wide+`;
			const [name, cell] = frame.querySelector("tbody tr").children;
			return [name, cell].map((n) => Math.round(n.getBoundingClientRect().left - frame.getBoundingClientRect().left));
		})()`)
	}
	before := name()
	ask[bool](tab, `(`+wide+`.scrollLeft = 200, true)`)
	if after := name(); after[0] != 0 || after[1] >= before[1] {
		t.Errorf("the name stands at %v and, moved sideways, at %v", before, after)
	}
	next := listed()
	next.Lines, next.Grids = next.Lines[:1], nil
	b.says(chat.Reply{Private: &next})
	tab.press(labelled("Turn"))
	tab.until(`!document.querySelector(".note .grid")`)
	got := ask[[]string](tab, `[...document.querySelectorAll(".note .lines p")].map((p) => p.textContent)`)
	if !slices.Equal(got, next.Lines) {
		t.Errorf("the lines are %q", got)
	}
}

// slash is a script that presses the key of the line for commands.
const slash = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`

// typesOn runs a script in which the line for commands is opened, and wants it to keep the focus.
func (b *tab) typesOn(script string) {
	b.t.Helper()
	if at := ask[string](b, `(async () => {
		`+script+`;
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return document.activeElement.outerHTML.slice(0, 100);
	})()`); !strings.Contains(at, `id="text"`) {
		b.t.Errorf("after %s the focus is at %s", script, at)
	}
}

// Events do not interrupt the typing of a command.
func typingGoesOn(t *testing.T, tab *tab) {
	w, b := New(Config{}), &pretend{}
	tab.goes(serve(t, w, b)+"/table", cameIn)
	b.says(chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "An answer."}})
	const runs = `document.getElementById("text").value = "/help"; document.getElementById("line").requestSubmit(); ` + slash
	const comes = `while (!document.querySelector("%s")) await new Promise(requestAnimationFrame)`
	tab.typesOn(slash + `; ` + runs + `; ` + fmt.Sprintf(comes, ".note"))
	w.room.post(board(1, "A table."))
	tab.until(`document.querySelector("#entries .board")`)
	b.says(chat.Reply{})
	command(tab, "/shutbox")
	tab.do(chromedp.KeyEvent("/"))
	w.room.post(board(2, "The next."))
	tab.typesOn(fmt.Sprintf(comes, "#entries .board[data-table='2']"))
}

// A person alone in the lobby of a new room opens another game by one press. With others seated, spectators are offered
// nothing.
func anotherGame(t *testing.T, tab *tab) {
	const (
		inLobby = newest + `.querySelectorAll(".seat").length === `
		offered = `[...` + newest + `.querySelectorAll(".instead button")].map((b) => b.textContent).join()`
	)
	url := open(t)
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

// Of many games the first have a button each; another button shows all, by family. The list goes once a table is opened
// from it, and the game that was opened last in this browser has a button from then on.
func manyGames(t *testing.T, tab *tab) {
	const offered = `[...document.querySelectorAll("#new-tables button")].map((b) => b.textContent).join()`
	more := []games.Game{}
	for _, g := range sets.All() {
		more = append(more, g)
	}
	url := open(t, more...)
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
