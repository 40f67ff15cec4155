package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// late has a page wait for the answers to its presses until a test gives them: the newest press of what "asks" holds.
const late = `(() => {
	globalThis.asks = [];
	const real = globalThis.fetch;
	globalThis.fetch = (to, how) => !String(to).endsWith("/press") ? real(to, how) : new Promise((done) => {
		asks.push({ what: JSON.parse(how.body).press.split(":")[3], answer: (game, move, toast) => {
			const go = (label, to, style) => ({ label, style, press: "1:0:0:/history " + game + " " + to });
			done(new Response(JSON.stringify({ toast, private: { lang: "en", head: "Game " + game + ", move " + move + ".",
				buttons: [[go("▶", move + 1, "primary"), go("▶▶", 9, "")]] } })));
		} });
	});
	return true;
})()`

// answered answers what the page has asked for last under a name, once it has: with a move of a game, and with a toast,
// if any, that is seen once the page has read the answer.
func (b *tab) answered(what string, game, move int, toast string) {
	b.t.Helper()
	asked := `asks.findLast((one) => one.what === ` + quoted(what) + `)`
	b.until(`Boolean(` + asked + `)`)
	ask[bool](b, fmt.Sprintf(`(%s.answer(%d, %d, %s), true)`, asked, game, move, quoted(toast)))
	if toast != "" {
		b.until(`document.querySelector(".toast .words")?.textContent === ` + quoted(toast))
	}
}

// twoOver is a page with a board from which two games can be shown again, whose answers come when a test gives them.
func twoOver(t *testing.T, tab *tab) *Web {
	t.Helper()
	w := New(Config{})
	url := serve(t, w, &pretend{})
	w.room.post(chat.Message{Table: 1, Lang: "en", Head: "Two games are over.",
		State: chat.State{Turn: 9}, Buttons: [][]chat.Button{{{Label: "Replay 1", Press: "1:0:0:/history 1 first"},
			{Label: "Replay 2", Press: "1:0:0:/history 2 first"}}}})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(`Boolean(` + labelled("Replay 1") + `)`)
	ask[bool](tab, late)
	return w
}

const (
	noteHead  = `document.querySelector("#notes .head")?.textContent`
	allQuiet  = `!document.querySelector(".busy")`
	hasNoNote = `!document.querySelector("#notes > *")`
)

// Of games that are shown again, and of their moves, what was asked for last is shown, whichever answer comes last;
// and nothing where the note was closed meanwhile.
func lastReplayWins(t *testing.T, tab *tab) {
	twoOver(t, tab)
	tab.press(labelled("Replay 1"))
	tab.press(labelled("Replay 2"))
	tab.answered("/history 2 first", 2, 0, "")
	tab.until(noteHead + ` === "Game 2, move 0."`)
	tab.press(labelled("✕ Close"))
	tab.until(hasNoNote)
	tab.answered("/history 1 first", 1, 0, "read")
	if !ask[bool](tab, hasNoNote) {
		t.Errorf("a game that is not wanted any more is shown: %s", ask[string](tab, noteHead))
	}
	if on := ask[string](tab, `document.activeElement.textContent`); on != "Replay 2" {
		t.Errorf("once the note is closed the focus is on %q", on)
	}

	tab.press(labelled("Replay 1"))
	tab.answered("/history 1 first", 1, 0, "")
	tab.until(noteHead + ` === "Game 1, move 0."`)
	tab.press(labelled("▶"))
	tab.press(labelled("▶▶"))
	tab.answered("/history 1 9", 1, 9, "")
	tab.until(noteHead + ` === "Game 1, move 9."`)
	tab.answered("/history 1 1", 1, 1, "read")
	if head := ask[string](tab, noteHead); head != "Game 1, move 9." {
		t.Errorf("a late answer shows %q", head)
	}
	if on := ask[string](tab, `document.activeElement.textContent`); on != "▶▶" {
		t.Errorf("the focus has gone from the button to %q", on)
	}
}
