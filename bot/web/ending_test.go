package web

import (
	"fmt"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
)

// won is a board of a game that its first seat has won, with as many seats as there are names.
func won(table int64, names ...string) chat.Message {
	m := chat.Message{Table: table, Record: table, Lang: "en", Accent: 0, Game: "Shut the Box",
		Head:    names[0] + " shut the box and takes 40 chips!",
		Lines:   []string{"📦 " + names[0] + " holds the box.", names[0] + ": lucky by 24.1, no mistake."},
		Tiles:   []chat.TileRow{{Owner: names[0], Dice: []chat.Die{{Face: 3, Sides: 6}, {Face: 5, Sides: 6}}}},
		Buttons: [][]chat.Button{{{Label: "↻ Rematch", Press: "1:9:0:!rematch", Style: games.Primary}}}}
	for n := range 9 {
		m.Tiles[0].Tiles = append(m.Tiles[0].Tiles, chat.Tile{Number: n + 1, Open: n > 7})
	}
	for i, name := range names {
		p := chat.Person{Seat: i, Name: name, Text: fmt.Sprintf("%d (−10)", i+3), State: games.Waiting, House: i == 1}
		if i == 0 {
			p.Text, p.State = "0 (+30)", games.Won
		}
		m.People = append(m.People, p)
	}
	return m
}

// The end of a game is celebrated once, when it comes: paper flies for a second, and where movement is not wanted
// the winner is crowned and all is still. Who comes later finds the result alone.
func endCelebrated(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.goes(url+"/table", welcomed)
	ask[bool](tab, `(navigator.share = async ({ text }) => { window.shared = text; }, true)`)
	ask[bool](tab, `(window.rained = 0, new MutationObserver((news) => news.forEach((one) => one.addedNodes
		.forEach((node) => { if (node.className === "paper-rain") window.rained++; })))
		.observe(document.getElementById("entries"), { childList: true, subtree: true }), true)`)
	for i, moves := range []bool{false, true} {
		if moves {
			tab.moves()
		}
		m := board(int64(i+1), "Anna is to choose.")
		m.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}, {Seat: 1, Name: "House", House: true}}
		ref := must(w.Post(t.Context(), roomPlace, m))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(i+1) + `"`)
		done(t, w.Edit(t.Context(), roomPlace, ref, won(int64(i+1), "Anna", "House")))
		tab.until(newest + `.classList.contains("crowned") && ` + newest + `.querySelector(".head .laurel")`)
		tab.picture(fmt.Sprintf("celebrated-%v-390-light", moves))
		tab.until(`!document.querySelector(".paper-rain")`)
		if rained := ask[int](tab, `window.rained`); rained != map[bool]int{true: 1}[moves] {
			t.Errorf("with movement %v, paper flies %d times", moves, rained)
		}
		if read := ask[string](tab, newest+`.querySelector(".head").textContent`); read != "Anna shut the box and takes 40 chips!" {
			t.Errorf("the headline is %q", read)
		}
		accessible(t, tab, "celebrated")
	}
	tab.press(labelled("Share the result"))
	tab.until(`window.shared === "Anna shut the box and takes 40 chips!\nAnna: 0 (+30)\nHouse: 4 (−10)"`)
	tab.reload()
	tab.until(newest + `?.classList.contains("over")`)
	if ask[bool](tab, `Boolean(document.querySelector(".crowned, .paper-rain"))`) {
		t.Error("an end of before is celebrated again")
	}
}
