package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
)

// outOfSight is a script that lists which parts of how a game has ended are not seen where the page opens: the
// headline, and each seat with what it has won.
const outOfSight = `(() => {
	const board = document.querySelector("#entries > .board.over");
	const found = [];
	const parts = [...board.querySelectorAll(".head, .seat .name, .seat .text")];
	for (const part of parts) {
		const { x, y, width, height, top, bottom } = part.getBoundingClientRect();
		const under = document.elementFromPoint(x + width / 2, y + height / 2);
		if (top >= 0 && bottom <= innerHeight && under && part.contains(under)) continue;
		found.push(part.textContent + " lies at " + Math.round(top) + " to " + Math.round(bottom) + " of " + innerHeight +
			" under " + (under?.outerHTML.slice(0, 80) ?? "nothing"));
	}
	if (parts.length < 5) found.push("there are " + parts.length + " parts");
	const seats = board.querySelector(".seats").getBoundingClientRect().bottom;
	for (const part of board.querySelectorAll(innerWidth < 760 ? ".box, .pad" : ".box")) { // the pad may lie beside
		const above = part.checkVisibility() && part.getBoundingClientRect().top < seats;
		if (above) found.push(part.className + " is above the seats");
	}
	if (board.querySelector(".lid").checkVisibility()) found.push("a closed lid is seen");
	const quick = document.getElementById("quick");
	const high = quick.checkVisibility() ? quick.offsetHeight : 0;
	if (high > 60) found.push("new tables take " + high + " pixels");
	if (scrollY) found.push("the page opens " + scrollY + " pixels down");
	return found;
})()`

// sheetOver is the end of a Würfelpoker, with all that a board says then.
func sheetOver(table int64) chat.Message {
	m := won(table, "Anna", "Ben")
	m.Head, m.Game, m.Tiles = "Anna has won with 105 points: 48 more than Ben.", "Würfelpoker", nil
	m.Told = []string{"Ben wrote 12 into Grand."}
	m.Sheet = &chat.Sheet{Columns: []chat.SheetColumn{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "Ben"}}}
	for n := range 15 {
		m.Sheet.Rows = append(m.Sheet.Rows, chat.SheetRow{Label: fmt.Sprint("Row ", n), Sum: n == 14,
			Cells: []chat.SheetCell{{Text: "24", Mark: games.Written}, {Text: "5", Mark: games.Written}}})
	}
	m.People[0].Text, m.People[1].Text = "105 (+24)", "57 (−24)"
	return m
}

// Who has won how much is seen at once when a game is over, on small screens as well; the board follows.
func endInSight(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(welcomed)
	closed := won(2, "Anna", "House")
	closed.Tiles = nil
	names := []string{"tiles", "closed", "sheet"}
	for i, m := range []chat.Message{won(1, "Anna", "House"), closed, sheetOver(3)} { // each newer than those before
		name := names[i]
		m.Buttons = [][]chat.Button{{{Label: "↻ Rematch", Press: "1:9:0:!rematch", Style: games.Primary},
			{Label: "Replay", Press: "1:9:0:/history 9 first"}, {Label: "Review", Press: "1:9:0:/review"},
			{Label: "Dice", Press: "1:9:0:/fair"}}}
		must(w.Post(t.Context(), roomPlace, m))
		for _, size := range [][2]int64{{390, 844}, {320, 568}, {360, 640}, {640, 400}, {1280, 800}} {
			tab.do(chromedp.EmulateViewport(size[0], size[1]))
			tab.reload()
			tab.until(newest + `?.dataset.table === "` + fmt.Sprint(m.Table) + `" && document.readyState === "complete"`)
			ask[bool](tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
			for _, fault := range append(ask[[]string](tab, outOfSight), ask[[]string](tab, outOfHand)...) {
				t.Errorf("%s at %d×%d: %s", name, size[0], size[1], fault)
			}
			tab.window(fmt.Sprintf("end-%s-%dx%d", name, size[0], size[1]))
		}
	}
}
