package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store/storetest"
)

// Those who are called alike have the numbers that the board gives them, whoever came first; who does not sit, has
// another. A name that changed in a game is the new one.
func TestNamesakesInARoomAreToldApart(t *testing.T) {
	r := newRoom("web:r-1")
	var all []visitor
	for _, name := range []string{"Anna", "Anna", "anna", "Clara", "Anna"} {
		v := newVisitor(name)
		all = append(all, v)
		r.comes(v, time.Now().Add(time.Duration(len(all))*time.Second))
	}
	names := func() (said []string) {
		for _, p := range r.presents() {
			said = append(said, p.Name)
		}
		return said
	}
	if got := fmt.Sprint(names()); got != "[Anna Anna 2 anna 3 Clara Anna 4]" {
		t.Errorf("before a game those here are %s", got)
	}
	m := board(1, "Anna 2 is to throw.")
	m.People = []chat.Person{{Seat: 0, User: all[1].user(0), Name: "Anna", State: games.Waiting},
		{Seat: 1, User: all[0].user(0), Name: "Anna 2", State: games.ToMove},
		{Seat: 2, User: all[3].user(0), Name: "Ben", State: games.Waiting}, {Seat: 3, Name: "House", House: true}}
	r.post(m)
	if got := fmt.Sprint(names()); got != "[Anna 2 Anna anna 3 Clara Anna 4]" {
		t.Errorf("in a game those here are %s", got)
	}
}

// The dice say of whom they are as the board does, also where throws stand behind the owner of a row.
func namesakes(t *testing.T, tab *tab) {
	w := New(Config{})
	at := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(at + "/table"))
	tab.until(welcomed)
	for i, row := range []struct{ owner, whose, said string }{
		{"Anna", "", "Anna's throw"}, {"Anna 2", "", "Anna 2's throw"}, {"Anna 2 3 ·", "Anna", "Anna's throw"},
	} {
		m := board(int64(i+1), fmt.Sprint("Board ", i))
		m.People = []chat.Person{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "Anna 2", State: games.ToMove}}
		m.Tiles = []chat.TileRow{{Owner: row.owner, Whose: row.whose, Tiles: []chat.Tile{{Number: 1, Open: true}},
			Dice: []chat.Die{{Face: 6, Sides: 6}}}}
		w.room.post(m)
		tab.until(newest + `?.querySelector(".head").textContent === ` + quoted(m.Head))
		if got := ask[string](tab, newest+`.querySelector(".whose").textContent`); got != row.said {
			t.Errorf("the dice of %q are %q, not %q", row.owner, got, row.said)
		}
	}
}

// Two people at one browser who are called alike have buttons of different names, as the board calls them, and keep
// the numbers when who plays changes.
func namesakesAtOneBrowser(t *testing.T, tab *tab) {
	at, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	annaComes(tab, strings.TrimSuffix(at, "/"))
	tab.people()
	tab.press(labelled("+ Add a person"))
	tab.do(chromedp.KeyEvent("Anna\r"))
	const chips = `[...document.querySelectorAll("#persons .person")].map((chip) => chip.textContent).join(", ")`
	const plays = `document.getElementById("you-name").textContent`
	tab.until(chips + ` === "Anna, Anna 2" && ` + plays + ` === "Anna 2"`)
	tab.people()
	for _, width := range []int64{390, 1280} {
		tab.look(width, "light")
		accessible(t, tab, fmt.Sprintf("with namesakes at one browser, %d", width))
		tab.window(fmt.Sprintf("namesakes-%d", width))
	}
	tab.playsAs("Anna")
	command(tab, "/shutbox")
	tab.until(`document.querySelectorAll("#entries .seat").length === 1`)
	tab.playsAs("Anna 2")
	tab.press(labelled("Sit down"))
	tab.until(`[...document.querySelectorAll("#entries .seat .name")].map((name) => name.textContent).join(", ") === ` +
		chips)
	tab.people()
	tab.press(`document.querySelector('#persons [data-key="pen"]')`)
	tab.do(chromedp.KeyEvent("Ben\r"))
	tab.until(chips + ` === "Anna, Ben" && ` + plays + ` === "Ben"`)
}
