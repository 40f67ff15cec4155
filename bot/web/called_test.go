package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// Whoever is called while they look at the board still has everything at hand, at every size: the call pushes no button
// out of sight, also where names are long and somebody else of the browser plays.
func calledAtHand(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(welcomed)
	tab.adds("Ben")
	who := w.room.presents()[0].user
	m := board(1, "Maximiliane-Friederike is to choose; 12 of Ben is to beat.")
	m.Guide = "New here? Press the tiles that add up to your throw, or one of the buttons."
	row := chat.TileRow{}
	for n := range 12 {
		row.Tiles = append(row.Tiles, chat.Tile{Number: n + 1, Open: n != 3})
	}
	m.Tiles, m.Dice = []chat.TileRow{row}, []chat.Die{{Face: 6, Sides: 6}, {Face: 5, Sides: 6}}
	m.People = []chat.Person{{Seat: 0, User: who, Name: "Maximiliane-Friederike", State: "to-move"}}
	for i := range 7 {
		m.People = append(m.People, chat.Person{Seat: i + 1, Name: fmt.Sprint("Somebody ", i), Text: "12 open"})
	}
	m.Buttons = nil
	for _, label := range []string{"11", "10+1", "9+2", "8+3", "8+2+1", "7+4", "6+5", "6+3+2"} {
		m.Buttons = append(m.Buttons, []chat.Button{{Label: label, Press: "1:1:0:" + label}})
	}
	w.room.post(m)
	tab.until(`Boolean(` + labelled("6+3+2") + `)`)
	for _, size := range windows {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		tab.reload()
		tab.until(`Boolean(` + labelled("6+3+2") + `) && document.readyState === "complete"`)
		ref, err := w.Call(t.Context(), roomPlace, chat.Ping{To: who, Name: "Maximiliane-Friederike", Board: "web:x",
			After: ", it is your turn: Shut the Box.", Off: chat.Button{Label: "Do not remind me", Press: "1:0:0:/n"}})
		if err != nil {
			t.Fatal(err)
		}
		tab.until(`document.querySelectorAll(".call").length === 1`)
		ask[bool](tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		for _, fault := range append(ask[[]string](tab, outOfHand), ask[[]string](tab, faults)...) {
			t.Errorf("called at %d×%d: %s", size[0], size[1], fault)
		}
		if high := ask[int](tab, `document.getElementById("calls").offsetHeight`); high > 90 {
			t.Errorf("at %d×%d the call takes %d pixels of the board's", size[0], size[1], high)
		}
		tab.window(fmt.Sprintf("called-%dx%d", size[0], size[1]))
		if err := w.Dismiss(t.Context(), roomPlace, ref); err != nil {
			t.Fatal(err)
		}
		tab.until(`document.querySelectorAll(".call").length === 0`)
	}
}
