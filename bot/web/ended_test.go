package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
	"knobel/games"
)

// endedBySteps are a board of whoever is to throw, and how it ends after two steps of the house.
func endedBySteps() (plays, ends chat.Message) {
	people := []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}, {Seat: 1, Name: "House", House: true}}
	plays = chat.Message{Table: 2, Lang: "en", Accent: 0, Head: "Anna is to throw.", People: people,
		State:   chat.State{Turn: 4},
		Tiles:   []chat.TileRow{{Tiles: tiles(9, 1, 4)}},
		Buttons: [][]chat.Button{{{Label: "Throw", Press: "1:2:4:throw", Style: games.Primary}}}}
	ends = plays
	ends.Turn, ends.Head, ends.Record = 7, "House wins.", 2
	ends.People = []chat.Person{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "House", House: true, State: games.Won}}
	ends.Steps = []chat.Step{
		{Turn: 5, Seat: 1, Said: "House threw 5.", Tiles: plays.Tiles, Dice: []chat.Die{{Face: 5, Sides: 6}}},
		{Turn: 6, Seat: 1, Said: "House threw 6.", Tiles: plays.Tiles, Dice: []chat.Die{{Face: 6, Sides: 6}}}}
	ends.Buttons = [][]chat.Button{{{Label: "↻ Rematch", Press: "1:2:7:!again", Style: games.Primary}}}
	return plays, ends
}

// Keys that hurry the last steps of a game do not press what has come in their way, whether a button has the focus or
// nothing: not until some time has passed, or whoever sits there has gone to the button by the Tab key.
func hurriedToTheEnd(t *testing.T, tab *tab) {
	plays, ends := endedBySteps()
	b, w := &pretend{}, New(Config{})
	url := serve(t, w, b)
	ref := w.room.post(plays)
	tab.moves()
	begins := func(focus string) {
		t.Helper()
		if err := w.room.edit(ref, plays); err != nil {
			t.Fatal(err)
		}
		tab.do(chromedp.Navigate(url + "/table"))
		tab.until(`Boolean(` + labelled("Throw") + `)`)
		ask[bool](tab, `(performance.now = () => globalThis.clock ?? 0, document.querySelector(`+quoted(focus)+
			`).focus(), true)`)
		if err := w.room.edit(ref, ends); err != nil {
			t.Fatal(err)
		}
		tab.until(`Boolean(document.querySelector(".stepping"))`)
		tab.do(chromedp.KeyEvent("\r"))
		tab.until(`Boolean(` + labelled("↻ Rematch") + `)`)
	}
	at := func(clock, presses int, keys ...string) {
		t.Helper()
		ask[bool](tab, fmt.Sprintf(`(globalThis.clock = %d, true)`, clock*500))
		for _, key := range keys {
			tab.do(chromedp.KeyEvent(key))
		}
		tab.until(rested)
		if ev, n := b.last(); n != presses {
			t.Errorf("after %d half seconds, in all %d presses, not %d: the last is %q", clock, n, presses, ev.Press)
		}
	}
	begins(".buttons button")
	tab.until(`document.activeElement === ` + labelled("↻ Rematch"))
	at(1, 0, "\r", " ")
	at(2, 0, "\r")
	at(4, 1, "\r")

	begins("body")
	ask[bool](tab, `(document.activeElement.blur(), true)`)
	at(1, 1, " ", "\r")
	at(4, 2, "\r")

	begins(".buttons button")
	tab.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	at(1, 3, "\r")

	begins(".buttons button")
	tab.press(labelled("↻ Rematch"))
	at(1, 4)
}
