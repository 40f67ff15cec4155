package web

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// holds presses a key and keeps it down, as its first keydown or as a repetition.
func (b *tab) holds(key, text string, code int64, again bool) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeKeyDown, Key: key, Code: key, Text: text, WindowsVirtualKeyCode: code,
			AutoRepeat: &again})
		return err
	}))
}

// A key that is held down presses once: a tile stays chosen, a way to play is sent once, a dialog that comes up is
// not closed by it.
func heldOnce(t *testing.T, tab *tab) {
	b := touched(t, tab, elevenThrown("9+2", "8+3", "6+5", "6+3+2"))
	focus := func(node string) { ask[bool](tab, `(`+node+`.focus(), true)`) }
	enter := func(again bool) { tab.holds("Enter", "\r", 13, again) }
	focus(tile(9))
	enter(false)
	enter(true)
	if !ask[bool](tab, tile(9)+`.ariaPressed === "true"`) {
		t.Error("a held Enter puts the tile back that it has chosen")
	}
	focus(labelled("8+3"))
	enter(false)
	pressedLast(t, tab, b, "1:2:4:shut 8+3", 1)
	focus(labelled("↶ Undo"))
	enter(true)
	pressedLast(t, tab, b, "1:2:4:shut 8+3", 1)
	tab.do(chromedp.KeyEvent("?"))
	tab.until(`document.querySelector("dialog.keys")?.open`)
	enter(true)
	if !ask[bool](tab, `document.querySelector("dialog.keys")?.open`) {
		t.Error("a held Enter closes a dialog")
	}
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(`!document.querySelector("dialog.keys")`)
}
