package web

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
)

// rolled is a board of whoever threw 1, 4 and 6, none of which is kept so far.
func rolled() chat.Message {
	m := chat.Message{Table: 2, State: chat.State{Turn: 4}, Lang: "en", Accent: 0, Head: "Anna threw 1, 4 and 6.",
		Pick: &chat.PickOn{Kind: "dice"}, Buttons: [][]chat.Button{{{Label: "Write…", Press: "1:2:4:!show write"},
			{Label: "↶ Undo", Press: "1:2:4:!undo"}}}}
	for _, face := range []int{1, 4, 6} {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6})
	}
	for _, c := range []struct {
		items []int
		what  string
	}{{[]int{}, "000"}, {[]int{0}, "100"}, {[]int{2}, "001"}, {[]int{0, 2}, "101"}} {
		m.Pick.Choices = append(m.Pick.Choices, chat.PickChoice{Items: c.items, Press: "1:2:4:keep " + c.what,
			Label: "Keep " + c.what})
	}
	return m
}

// After a die was clicked, Enter and space play what is chosen; whoever has come to a die by the Tab key turns it over
// by them.
func diceClicked(t *testing.T, tab *tab) {
	b := touched(t, tab, rolled())
	const first, last = `document.querySelectorAll(".pickable")[0]`, `document.querySelectorAll(".pickable")[1]`
	tab.press(first)
	tab.until(first + `.ariaPressed === "true" && document.activeElement === ` + first)
	tab.do(chromedp.KeyEvent("\r"))
	pressedLast(t, tab, b, "1:2:4:keep 100", 1)
	tab.do(chromedp.KeyEvent("\r"))
	pressedLast(t, tab, b, "1:2:4:keep 100", 2)
	tab.press(last)
	tab.until(last + `.ariaPressed === "true" && document.activeElement === ` + last)
	tab.do(chromedp.KeyEvent(" "))
	pressedLast(t, tab, b, "1:2:4:keep 101", 3)

	// There and back by the keyboard, the same die is a toggle button.
	tab.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	tab.until(`document.activeElement === ` + last)
	tab.do(chromedp.KeyEvent(" "))
	tab.until(last + `.ariaPressed === "false"`)
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(last + `.ariaPressed === "true"`)
	pressedLast(t, tab, b, "1:2:4:keep 101", 3)
	tab.do(chromedp.KeyEvent("1")) // a digit leaves the focus where it is
	tab.until(first + `.ariaPressed === "false"`)
	tab.do(chromedp.KeyEvent(" "))
	tab.until(last + `.ariaPressed === "false"`)

	// A finger is as good as a mouse.
	tab.do(chromedp.KeyEvent("1"))
	tab.until(first + `.ariaPressed === "true"`)
	at := ask[spot](tab, `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(`+
		last+`.getBoundingClientRect())`)
	tab.tap(at.X, at.Y)
	tab.until(last + `.ariaPressed === "true"`)
	tab.do(chromedp.KeyEvent("\r"))
	pressedLast(t, tab, b, "1:2:4:keep 101", 4)
}

// After a tile was clicked, Enter plays what is chosen, and does not put the tile back.
func tileClicked(t *testing.T, tab *tab) {
	m := elevenThrown("9", "9+2", "6+5")
	m.Pick.Goal, m.Pick.Choices[0].Label = 0, "Close 9"
	b := touched(t, tab, m)
	tab.press(tile(6))
	tab.until(tile(6) + `.ariaPressed === "true"`)
	tab.do(chromedp.KeyEvent("\r"))
	if !ask[bool](tab, tile(6)+`.ariaPressed === "true"`) {
		t.Error("Enter puts a tile back that was clicked")
	}
	if _, n := b.last(); n != 0 {
		t.Errorf("half of a set was played, in %d presses", n)
	}
	tab.press(tile(6))
	tab.press(tile(9))
	tab.until(`Boolean(` + labelled("Close 9") + `) && document.activeElement === ` + tile(9))
	tab.do(chromedp.KeyEvent("\r"))
	pressedLast(t, tab, b, "1:2:4:shut 9", 1)
}
