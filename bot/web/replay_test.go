package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
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

// A game that is shown again by itself leaves what was said where it is, and the focus, also where a new table comes,
// and where it was paused or closed while a move was on its way.
func replayKeepsToItself(t *testing.T, tab *tab) {
	w := twoOver(t, tab)
	tab.moves()
	tab.press(labelled("Replay 1"))
	tab.answered("/history 1 first", 1, 0, "Here you are.")
	tab.until(noteHead + ` === "Game 1, move 0." && asks.at(-1).what === "/history 1 1"`)
	ask[bool](tab, `(window.said = document.querySelector(".toast"), said.dispatchEvent(new Event("focusin")),
		document.querySelector("#entries button").focus(), true)`)
	tab.answered("/history 1 1", 1, 1, "")
	tab.until(noteHead + ` === "Game 1, move 1." && asks.at(-1).what === "/history 1 2"`)
	lobby := board(2, "Anna has opened a table.")
	lobby.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.Waiting}}
	must(w.Post(t.Context(), roomPlace, lobby))
	tab.until(newest + `?.dataset.table === "2"`)
	if !ask[bool](tab, `said.isConnected`) {
		t.Error("a move that is shown again takes away what was said")
	}
	if on := ask[string](tab, `document.activeElement.textContent`); on != "Replay 1" {
		t.Errorf("the focus has gone to %q", on)
	}
	if heard := ask[string](tab, `document.getElementById("live").textContent`); strings.Contains(heard, "move 1") {
		t.Errorf("a game that goes on by itself is read out: %q", heard)
	}

	tab.press(labelled("❚❚ Pause"))
	tab.answered("/history 1 2", 1, 2, "")
	tab.until(noteHead + ` === "Game 1, move 2." && ` + allQuiet)
	if on := ask[string](tab, `document.activeElement.textContent`); on != "▶ Play" {
		t.Errorf("after a pause the focus has gone to %q", on)
	}
	tab.press(labelled("▶ Play"))
	tab.until(`asks.at(-1).what === "/history 1 3"`)
	tab.press(labelled("✕ Close"))
	tab.until(hasNoNote)
	ask[bool](tab, `(document.body.style.paddingBottom = "2000px", scrollTo(0, 300), true)`)
	tab.answered("/history 1 3", 1, 3, "read")
	if y := ask[float64](tab, `scrollY`); y != 300 {
		t.Errorf("a closed game moves the page to %v", y)
	}
	if on := ask[string](tab, `document.activeElement.textContent`); on != "Replay 1" {
		t.Errorf("once it is closed the focus is on %q", on)
	}
}
