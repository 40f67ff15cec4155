package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
)

// answerWithTables returns an answer with two tables between its lines, the second wider than a phone.
func answerWithTables() chat.Message {
	wide := chat.Grid{From: 3, To: 4, Caption: "Everything:", Head: []string{"Player"}, Rows: [][]string{{"Anna"}}}
	for i := range 12 {
		wide.Head = append(wide.Head, fmt.Sprint("Evening ", i+1))
		wide.Rows[0] = append(wide.Rows[0], fmt.Sprint("+", 10*i, ".5"))
	}
	return chat.Message{Lang: "en", Accent: -1, Head: "Pools in chips.",
		Lines: []string{"1. Anna +120 · 3 of 4 won", "…", "4. <b>Ben −20 · 0 of 4 won", "Anna +0.5",
			"At least 1 game."},
		Grids: []chat.Grid{
			{From: 0, To: 3, Head: []string{"Place", "Player", "Pools", "Games"}, Rows: [][]string{
				{"1.", "Anna", "+120", "3 of 4 won"}, {"…"}, {"4.", "<b>Ben", "−20", "0 of 4 won"}}},
			wide,
		},
		Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}
}

// Lists are shown as tables: columns have names, and a wide table scrolls sideways while the names stay.
func tablesShown(t *testing.T, tab *tab) {
	first := answerWithTables()
	b := &fakeBot{answer: chat.Reply{Private: &first}}
	tab.open(serve(t, New(Config{}), b)+"/table", welcomed)
	command(tab, "/leaderboard")
	tab.until(`document.querySelectorAll(".note .grid table").length === 2`)
	tab.until(`document.querySelector(".note .grid[role]") !== null`) // the page has measured which table is too wide
	for what, expression := range map[string]string{
		"Place Player Pools Games":    `texts("table:first-of-type thead th[scope=col]", grids[0])`,
		"Anna <b>Ben":                 `texts("tbody th[scope=row]", grids[0])`,
		"1. +120 4. −20":              `texts("tbody .number", grids[0])`,
		"Everything:":                 `texts("caption:not([hidden])", document)`,
		"4":                           `String(grids[0].querySelector("td[colspan]").colSpan)`,
		"At least 1 game.":            `texts(".lines > p", document)`,
		"Pools in chips.|Everything:": `grids.map((g) => named(g.firstElementChild)).join("|")`,
		"end":                         `getComputedStyle(grids[0].querySelector("td.number")).textAlign`,
		"tabular-nums":                `getComputedStyle(grids[0].querySelector("td.number")).fontVariantNumeric`,
		"HEAD|CAPTION":                `grids.map((g) => by(g.firstElementChild)).join("|")`,
		"|Everything:":                `grids.map((g) => g.role ? named(g) : "").join("|")`, // the wide one alone
	} {
		got := ask[string](tab, `(() => {
			const grids = [...document.querySelectorAll(".note .grid")];
			const texts = (selector, root) => [...root.querySelectorAll(selector)].map((n) => n.textContent).join(" ");
			const namer = (node) => document.getElementById(node.getAttribute("aria-labelledby"));
			const named = (node) => namer(node).textContent;
			const by = (node) => namer(node).className.toUpperCase() || namer(node).tagName;
			return `+expression+`;
		})()`)
		if got != what {
			t.Errorf("%s is %q, not %q", expression, got, what)
		}
	}
	wantNoFaults(t, tab, "tables")
	tab.setLook(390, "light")
	const wide = `document.querySelectorAll(".note .grid")[1]`
	tab.until(wide + `.tabIndex === 0`) // the keyboard reaches parts that are out of sight
	name := func() []float64 {
		return ask[[]float64](tab, `(() => {
			const frame = `+wide+`;
			const [name, cell] = frame.querySelector("tbody tr").children;
			return [name, cell].map((n) => Math.round(n.getBoundingClientRect().left - frame.getBoundingClientRect().left));
		})()`)
	}
	before := name()
	ask[bool](tab, `(`+wide+`.scrollLeft = 200, true)`)
	if after := name(); after[0] != 0 || after[1] >= before[1] {
		t.Errorf("the name stands at %v and, moved sideways, at %v", before, after)
	}
	next := answerWithTables()
	next.Lines, next.Grids = next.Lines[:1], nil
	b.setReply(chat.Reply{Private: &next})
	tab.press(labelled("Turn"))
	tab.until(`!document.querySelector(".note .grid")`)
	got := ask[[]string](tab, `[...document.querySelectorAll(".note .lines p")].map((p) => p.textContent)`)
	if !slices.Equal(got, next.Lines) {
		t.Errorf("the lines are %q", got)
	}
}

// slash is a script that presses "/", the key that opens the line for commands.
const slash = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`

// whileTyping runs a script while the line for commands is open, and fails the test unless the line keeps the focus.
func (b *tab) whileTyping(script string) {
	b.t.Helper()
	if at := ask[string](b, `(async () => {
		`+script+`;
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		return document.activeElement.outerHTML.slice(0, 100);
	})()`); !strings.Contains(at, `id="text"`) {
		b.t.Errorf("after %s the focus is at %s", script, at)
	}
}

// Events do not interrupt the typing of a command.
func typingGoesOn(t *testing.T, tab *tab) {
	w, b := New(Config{}), &fakeBot{}
	tab.open(serve(t, w, b)+"/table", cameIn)
	b.setReply(chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "An answer."}})
	const runs = `document.getElementById("text").value = "/help"; document.getElementById("line").requestSubmit(); ` + slash
	const comes = `while (!document.querySelector("%s")) await new Promise(requestAnimationFrame)`
	tab.whileTyping(slash + `; ` + runs + `; ` + fmt.Sprintf(comes, ".note"))
	w.room.post(board(1, "A table."))
	tab.until(`document.querySelector("#tables .board")`)
	b.setReply(chat.Reply{})
	command(tab, "/shutbox")
	tab.do(chromedp.KeyEvent("/"))
	w.room.post(board(2, "The next."))
	tab.whileTyping(fmt.Sprintf(comes, "#tables .board[data-table='2']"))
}

// From the lobby of a new room, "Change game" leads to another game.
func anotherGame(t *testing.T, tab *tab) {
	tab.askForName()
	tab.do(chromedp.Navigate(serveGames(t)))
	tab.press(labelled("Play with friends"))
	tab.enterName("Anna")
	tab.press(labelled("Change game"))
	const card = `[...document.querySelectorAll("button")].find((b) => b.checkVisibility() && b.textContent.includes("Würfelpoker"))`
	tab.until(`Boolean(` + card + `)`)
	tab.press(card)
	tab.until(newest + `.querySelector(".head").textContent === "You invite your friends to Würfelpoker." &&
		document.activeElement === ` + newest + `.querySelector(".head")`)
}

// tiles returns a row of tiles from 1 to most; shut are the closed ones.
func tiles(most int, shut ...int) []chat.Tile {
	row := make([]chat.Tile, most)
	for i := range row {
		row[i] = chat.Tile{Number: i + 1, Open: true}
	}
	for _, n := range shut {
		row[n-1].Open = false
	}
	return row
}

// gallery returns one board of each kind.
func gallery() []chat.Message {
	plain := func(labels ...string) (row []chat.Button) {
		for i, l := range labels {
			b := chat.Button{Label: l, Press: fmt.Sprint("p", i)}
			if i == 0 {
				b.Style = games.Primary
			}
			row = append(row, b)
		}
		return row
	}
	lobby := chat.Message{
		Table: 1, Lang: "de", Accent: -1, Head: "Anna macht einen Tisch auf: Shut the Box um 10 Chips.",
		People: []chat.Person{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "Haus (solide)", House: true},
			{Seat: 2, Name: "Ben", Text: "reserviert"}},
		Lines:   []string{"Topf 30 Chips · ein Würfel erlaubt, wenn 7 8 9 zu sind"},
		Small:   "Würfelsiegel 3fa9c1d20b77",
		Buttons: [][]chat.Button{plain("Mitspielen", "Aufstehen"), plain("▶ Los", "+ Haus", "⚙ Regeln")},
	}
	lobby.Buttons[1][0].Style = games.Success
	play := chat.Message{
		Table: 2, Lang: "en", Accent: 2, Head: "Anna threw 5 and 6: close 11.",
		Tiles: []chat.TileRow{{Tiles: tiles(9, 1, 4)}},
		Dice:  []chat.Die{{Face: 5, Sides: 6}, {Face: 6, Sides: 6}},
		People: []chat.Person{{Seat: 0, Name: "Ben", Text: "12", State: games.Done},
			{Seat: 1, Name: "House 17", Text: "17", State: games.Done, House: true},
			{Seat: 2, Name: "Anna", State: games.ToMove}, {Seat: 3, Name: "Clara", State: games.Waiting}},
		Lines:   []string{"Pool 40 chips"},
		Buttons: [][]chat.Button{plain("9+2", "8+3", "6+5", "8+2+1"), plain("6+3+2", "5+3+2+1", "7+3+1")},
	}
	play.Buttons[1][0].Style = games.Plain
	duel := chat.Message{
		Table: 3, Lang: "en", Accent: 1, Head: "Ben is to throw.",
		Tiles: []chat.TileRow{{Owner: "Anna", Tiles: tiles(12, 1, 2, 9)},
			{Owner: "Ben <b>*_[x](y)@everyone", Tiles: tiles(12, 4, 7, 12)}},
		People: []chat.Person{{Seat: 0, Name: "Anna", State: games.Waiting},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone", State: games.ToMove}},
		Buttons: [][]chat.Button{plain("🎲🎲 Two dice", "🎲 One die")},
	}
	large := chat.Message{
		Table: 4, State: chat.State{Turn: 9}, Lang: "en", Accent: 0, Head: "Anna has 24 tiles and four dice.",
		Tiles: []chat.TileRow{{Tiles: tiles(24, 1, 13, 20)}},
		Dice: []chat.Die{{Face: 1, Sides: 6}, {Face: 2, Sides: 6}, {Face: 3, Sides: 6, Kept: true},
			{Face: 4, Sides: 6}},
	}
	large.Tiles[0].Tiles[4].Picked = true
	odd := chat.Message{
		Table: 5, State: chat.State{Turn: 1}, Lang: "en", Accent: -1, Head: "Dice of every kind.",
		Dice: []chat.Die{{Face: 17, Sides: 20}, {Face: 3, Sides: 4}, {Face: 7, Sides: 8}, {Face: 11, Sides: 12}},
	}
	over := chat.Message{
		Table: 6, Record: 6, Lang: "en", Accent: 0, Head: "Ben shut the box and takes 30 chips!",
		Told: []string{"8 does not fit. Anna has 9."},
		Tiles: []chat.TileRow{{Owner: "Ben", Tiles: tiles(9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
			Dice: []chat.Die{{Face: 4, Sides: 6}, {Face: 2, Sides: 6}}}},
		People: []chat.Person{{Seat: 0, Name: "Ben", Text: "0 (+20)", State: games.Won},
			{Seat: 1, Name: "Anna", Text: "9 (−10)", State: games.Done},
			{Seat: 2, Name: "House", Text: "17 (−10)", State: games.Out, House: true}},
		Lines:   []string{"📦 Ben holds the box, since today, three times now."},
		Buttons: [][]chat.Button{plain("↻ Rematch", "Dice ✓")},
	}
	abandoned := chat.Message{
		Table: 7, State: chat.State{Turn: 4}, Lang: "de", Accent: -1,
		Head: "Der Tisch wurde vor der Zeit beendet. Alle haben ihre 10 Chips wieder.",
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "+10 zurück", State: games.Out},
			{Seat: 1, Name: "Ben", Text: "+10 zurück", State: games.Out}},
		Buttons: [][]chat.Button{plain("↻ Revanche")},
	}
	race := chat.Message{
		Table: 9, Lang: "en", Accent: 0, Head: "Anna sets aside 1 1 and has 200.",
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "2,500", State: games.ToMove},
			{Seat: 1, Name: "Ben", Text: "10,000", State: games.Waiting}},
		Race:    &chat.Race{Target: 10_000, Points: []int{2500, 10_000}, Turn: 200},
		Buttons: [][]chat.Button{plain("Roll 4 dice", "Bank 200")},
	}
	for i, face := range []int{1, 1, 3, 4, 6, 6} {
		race.Dice = append(race.Dice, chat.Die{Face: face, Sides: 6, Kept: i < 2})
	}
	return []chat.Message{lobby, play, duel, large, odd, over, abandoned, sheetBoard(), race}
}

// sheetBoard returns a board with dice to press and a score sheet.
func sheetBoard() chat.Message {
	m := chat.Message{
		Table: 8, Lang: "en", Accent: 0, Head: "Anna keeps 4 4, one throw left.",
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "61", State: games.ToMove},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone", Text: "48", State: games.Waiting}},
		Lines: []string{"Part two, round 3 of 9.", "Would score now: pair 8 · chance 17."},
		Sheet: &chat.Sheet{Columns: []chat.SheetColumn{{Seat: 0, Name: "Anna"},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone"}, {Seat: 2, Name: "Clara"}}},
		Buttons: [][]chat.Button{
			{{Label: "Throw 3 dice", Press: "throw", Style: games.Primary}, {Label: "Write…", Press: "write"},
				{Label: "Sheet", Press: "sheet"}},
		},
	}
	for i, face := range []int{4, 4, 1, 6, 2} {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6, Kept: face == 4, Press: fmt.Sprint("die", i)})
	}
	row := func(label string, sum bool, texts ...string) {
		r := chat.SheetRow{Label: label, Short: label, Sum: sum}
		for _, text := range texts {
			mark := games.Written
			switch {
			case text == "·":
				mark = games.Open
			case text == "—":
				mark = games.Struck
			case text[len(text)-1] == '*':
				mark = games.Doubled
			}
			r.Cells = append(r.Cells, chat.SheetCell{Text: text, Mark: mark})
		}
		m.Sheet.Rows = append(m.Sheet.Rows, r)
	}
	row("Ones", false, "−1", "0", "+1")
	row("Twos", false, "0", "−2", "0")
	row("School", true, "+50", "−4", "+50")
	row("Pair", false, "24*", "12", "8")
	row("Poker", false, "—", "80", "·")
	row("Total", true, "111", "142", "63")
	return m
}

// wonBoard returns the board of a game that its first seat has won, with a seat for each name.
func wonBoard(table int64, names ...string) chat.Message {
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

// The end of a game is celebrated once, when it comes: confetti for a second or, if a person asks for less motion, a
// crown for the winner without movement. A page opened later shows the result alone.
func endCelebrated(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &fakeBot{})
	tab.open(url+"/table", welcomed)
	ask[bool](tab, `(navigator.share = async ({ text }) => { window.shared = text; }, true)`)
	ask[bool](tab, `(window.rained = 0, new MutationObserver((news) => news.forEach((one) => one.addedNodes
		.forEach((node) => { if (node.className === "paper-rain") window.rained++; })))
		.observe(document.getElementById("tables"), { childList: true, subtree: true }), true)`)
	for i, moves := range []bool{false, true} {
		if moves {
			tab.turnOnAnimations()
		}
		m := board(int64(i+1), "Anna is to choose.")
		m.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}, {Seat: 1, Name: "House", House: true}}
		ref := must(w.Post(t.Context(), roomPlace, m))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(i+1) + `"`)
		done(t, w.Edit(t.Context(), roomPlace, ref, wonBoard(int64(i+1), "Anna", "House")))
		tab.until(newest + `.classList.contains("crowned") && ` + newest + `.querySelector(".head .laurel")`)
		tab.storePicture(fmt.Sprintf("celebrated-%v-390-light", moves))
		tab.until(`!document.querySelector(".paper-rain")`)
		if rained := ask[int](tab, `window.rained`); rained != map[bool]int{true: 1}[moves] {
			t.Errorf("with movement %v, paper flies %d times", moves, rained)
		}
		if read := ask[string](tab, newest+`.querySelector(".head").textContent`); read != "Anna shut the box and takes 40 chips!" {
			t.Errorf("the headline is %q", read)
		}
		wantAccessible(t, tab, "celebrated")
	}
	tab.press(labelled("Share the result"))
	tab.until(`window.shared === "Anna shut the box and takes 40 chips!\nAnna: 0 (+30)\nHouse: 4 (−10)"`)
	tab.reload()
	tab.until(newest + `?.classList.contains("over")`)
	if ask[bool](tab, `Boolean(document.querySelector(".crowned, .paper-rain"))`) {
		t.Error("an end of before is celebrated again")
	}
}
