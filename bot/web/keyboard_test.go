package web

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hears is a script that notes, in their order, what boards say at their heads and what is read out.
const hears = `(() => {
	globalThis.heard = [];
	const heads = new Map();
	const live = document.getElementById("live");
	new MutationObserver((changes) => {
		for (const board of document.querySelectorAll("#entries > .board")) {
			const head = board.querySelector(".head");
			if (heads.get(board) !== head.textContent) {
				heard.push({ where: "head", text: head.textContent });
				heads.set(board, head.textContent);
			}
		}
		for (const { target, addedNodes } of changes) {
			if (target === live) addedNodes.forEach((line) => heard.push({ where: "live", text: line.textContent }));
		}
	}).observe(document.body, { subtree: true, childList: true, characterData: true });
	return true;
})()`

// word is something that hears notes.
type word struct {
	Where string `json:"where"` // "head" or "live"
	Text  string `json:"text"`
}

// focused is what the element that has the focus is called.
const focused = `(document.activeElement.ariaLabel || document.activeElement.textContent).trim()`

// tabTo goes forward by the Tab key until what is called so has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	var passed []string
	for range 80 {
		at := ask[string](b, focused)
		if at == name {
			return
		}
		passed = append(passed, at)
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.t.Fatalf("the Tab key does not lead to %q, only to %q", name, passed)
}

// enters goes to what is called so and presses Enter.
func (b *tab) enters(name string) {
	b.t.Helper()
	b.until(`Boolean(` + labelled(name) + `) && ` + rested)
	b.tabTo(name)
	b.do(chromedp.KeyEvent("\r"))
}

// Both games are played to the end by keyboard alone: what is to be pressed next nearly always has the focus, it is
// seen, and each thing that happens is read out once.
func playedByKeyboard(t *testing.T, anna *tab) {
	at := open(t)
	anna.isAsked()
	anna.do(chromedp.Navigate(at + "/table"))
	anna.comesIn("Anna")
	ask[bool](anna, hears)
	anna.enters("New table of Shut the Box")
	anna.until(`document.activeElement === ` + newest + `.querySelector(".head")`)
	anna.enters("+ House (plays anything)")
	anna.until(newest + `.querySelectorAll(".seat").length === 2`)
	anna.enters("▶ Start")
	keyedToTheEnd(t, anna)

	ask[bool](anna, `Boolean(Object.defineProperty(navigator, "language", { get: () => "en-GB" }))`)
	anna.do(chromedp.KeyEvent("/"))
	anna.until(`document.activeElement.id === "text"`)
	anna.do(chromedp.KeyEvent("/wuerfelpoker point=1\r"))
	anna.until(`document.querySelectorAll("#earlier .old").length === 1`)
	if at := ask[string](anna, `document.querySelector(".old time").textContent`); !regexp.MustCompile(
		`^\d\d:\d\d$`).MatchString(at) {
		t.Errorf("a browser of 24 hours is told that it was over at %q", at)
	}
	anna.enters("+ House (plays anything)")
	anna.until(newest + `.querySelectorAll(".seat").length === 2`)
	anna.enters("▶ Start")
	anna.until(`Boolean(` + labelled("Throw") + `) && ` + rested)
	anna.do(chromedp.KeyEvent("\r"))
	anna.until(diceLie + ` && ` + rested)
	toggles(t, anna)
	keyedToTheEnd(t, anna)
}

// keyedToTheEnd presses Enter on the first way on until the game is over.
func keyedToTheEnd(t *testing.T, tab *tab) {
	t.Helper()
	const thrown = newest + `.querySelector(".at-hand .chosen:not([hidden]) button:not(.clear)")` // dice are thrown on
	const hasFocus = `(` + thrown + ` ?? ` + next + `) === document.activeElement`
	tabs, moves := 0, 0
	for range 300 {
		tab.until(`(` + isOver + ` || Boolean(` + next + `) && !` + newest + `.classList.contains("theirs")) && ` + rested)
		if ask[bool](tab, isOver) {
			break
		}
		for range 40 {
			if ask[bool](tab, hasFocus) {
				break
			}
			tab.do(chromedp.KeyEvent(kb.Tab))
			tabs++
		}
		if under := ask[string](tab, covered); under != "" {
			t.Errorf("what has the focus lies under %s", under)
		}
		before := ask[string](tab, newest+`.innerText`)
		tab.do(chromedp.KeyEvent("\r"))
		tab.until(newest + `.innerText !== ` + quoted(before))
		moves++
	}
	if !ask[bool](tab, isOver) {
		t.Fatal("the game does not end")
	}
	if tabs > moves/4 {
		t.Errorf("%d moves took %d presses of Tab: the focus does not stay with what is to be pressed", moves, tabs)
	}
	eachHeardOnce(t, tab)
	tab.enters("Check the dice")
	tab.until(`document.querySelector(".judged.right")`)
	tab.enters("Back to the room")
	tab.until(`Boolean(document.querySelector(".board.over"))`)
	ask[bool](tab, hears)
}

// covered is what lies over the middle of what has the focus; "": nothing does, and the window shows it.
const covered = `(() => {
	const { x, y, width, height } = document.activeElement.getBoundingClientRect();
	const top = document.elementFromPoint(x + width / 2, y + height / 2);
	if (document.activeElement.contains(top)) return "";
	return top ? top.outerHTML.slice(0, 200) : "the edge of the window";
})()`

// toggles wants the dice of the board to be toggle buttons with names, its title to be a heading, and its seats to be
// a list; one die is kept by a digit.
func toggles(t *testing.T, tab *tab) {
	t.Helper()
	face := ask[string](tab, `String(document.querySelector(".dice .pickable").querySelectorAll(".pip").length)`)
	tab.do(chromedp.KeyEvent(face))
	tab.until(`document.querySelectorAll('.dice .pickable[aria-pressed="true"]').length === 1`)
	var seen []string
	for _, node := range tells(tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if !node.Ignored && node.Role != nil && node.Name != nil {
			seen = append(seen, asRead(node))
		}
	}
	all := strings.Join(seen, "\n")
	for _, part := range []string{`heading "Anna `, `list "Seats"`, "button \"a die shows " + face + ", kept\" pressed=true",
		`button "Write…"`} {
		if !strings.Contains(all, part) {
			t.Errorf("a screen reader finds no %s, only:\n%s", part, all)
		}
	}
	if i := slices.IndexFunc(seen, func(s string) bool { return strings.HasPrefix(s, `button ""`) }); i >= 0 {
		t.Errorf("a button has no name")
	}
}

// asRead is a part of the page as a screen reader finds it.
func asRead(node *accessibility.Node) string {
	var role, name string
	_ = json.Unmarshal(node.Role.Value, &role)
	_ = json.Unmarshal(node.Name.Value, &name)
	text := fmt.Sprintf("%s %q", role, name)
	for _, p := range node.Properties {
		if p.Name == "pressed" {
			text += " pressed=" + strings.Trim(string(p.Value.Value), `"`)
		}
	}
	return text
}

// eachHeardOnce fails where what a board said was not read out at once, or something was read out twice. What stood
// there to begin with is read with the page, or because it has the focus.
func eachHeardOnce(t *testing.T, tab *tab) {
	t.Helper()
	words := ask[[]word](tab, `heard`)
	if len(words) < 20 {
		t.Errorf("only this was heard: %+v", words)
	}
	for i, w := range words {
		switch {
		case w.Where == "head" && i > 0 && (i+1 == len(words) || !strings.HasPrefix(words[i+1].Text, w.Text)):
			t.Errorf("%q is not read out", w.Text)
		case w.Where == "live" && (words[i-1].Where != "head" || !strings.HasPrefix(w.Text, words[i-1].Text)):
			t.Errorf("%q is read out, and no board says it anew", w.Text)
		}
	}
}
