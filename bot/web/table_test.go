package web

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
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
	tab.do(chromedp.Navigate(serve(t, New(Config{}), b) + "/table"))
	tab.until(welcomed)
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
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		accessible(t, tab, fmt.Sprintf("tables %d %s", width, theme))
		tab.picture(fmt.Sprintf("tables-%d-%s", width, theme))
	})
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
