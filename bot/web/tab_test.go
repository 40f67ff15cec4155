package web

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// What is done on a page, and parts of it, that several stories need.

// The newest board as one page sees it.
const (
	newest = `[...document.querySelectorAll("#entries > .board[data-table]")].at(-1)`
	isOver = newest + `?.classList.contains("over")`
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

// windows are the sizes at which the mover has everything at hand; the last is 1280×720 at 200 %.
var windows = [][2]int64{{320, 568}, {360, 640}, {390, 844}, {640, 400}, {1280, 720}, {1366, 657}, {1366, 768},
	{1536, 730}, {1920, 1080}, {640, 360}}

// speaks opens the page again in a language.
func (b *tab) speaks(lang string) {
	b.t.Helper()
	ask[bool](b, `fetch("/look", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"lang":"`+lang+
		`"}'}).then((r) => r.ok)`)
	b.reload()
	b.until(`document.documentElement.lang === ` + quoted(lang) + ` && ` + cameIn)
}

// moves has the page move as it does unless it is asked not to.
func (b *tab) moves() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}},
		})
		return err
	}))
}

const (
	stepping = `document.querySelector(".stepping")`
	ended    = `document.querySelector(".board.over") && !` + stepping
)
