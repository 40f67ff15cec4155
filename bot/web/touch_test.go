package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
	"knobel/games"
)

// openBoard opens a page with the board m and returns the fake bot that answers its presses.
func openBoard(t *testing.T, tab *tab, m chat.Message) *fakeBot {
	t.Helper()
	b, w := &fakeBot{}, New(Config{})
	url := serve(t, w, b)
	tab.open(url+"/table", welcomed)
	m.People[0].User = w.room.presentPeople()[0].user
	w.room.post(m)
	tab.until(`Boolean(document.querySelector(".act .primary"))`)
	return b
}

// wantLastPress fails the test unless the last press was press, and the number of all presses is presses.
func wantLastPress(t *testing.T, tab *tab, b *fakeBot, press string, presses int) {
	t.Helper()
	tab.until(rested)
	if ev, n := b.lastEvent(); n != presses || ev.Press != press {
		t.Errorf("pressed %q, in all %d times, not %q after %d", ev.Press, n, press, presses)
	}
}

// boardWithEleven returns a board with a roll of 11; sets are the sets of tiles that can be closed.
func boardWithEleven(sets ...string) chat.Message {
	m := chat.Message{Table: 2, Lang: "en", Accent: 0, Head: "Anna threw 5 and 6: close 11.",
		State: chat.State{Turn: 4}, Tiles: []chat.TileRow{{Tiles: tiles(9, 1, 4)}},
		Dice:   []chat.Die{{Face: 5, Sides: 6}, {Face: 6, Sides: 6}},
		People: []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}},
		Pick:   &chat.PickOn{Kind: "tiles", Goal: 11}}
	var row []chat.Button
	for i, set := range sets {
		choice := chat.PickChoice{Press: "1:2:4:shut " + set, Label: set}
		for number := range strings.SplitSeq(set, "+") {
			choice.Items = append(choice.Items, int(number[0]-'0'))
		}
		m.Pick.Choices = append(m.Pick.Choices, choice)
		style := games.Plain
		if i == 0 {
			style = games.Primary
		}
		row = append(row, chat.Button{Label: set, Press: choice.Press, Style: style})
	}
	m.Buttons = [][]chat.Button{row, {{Label: "↶ Undo", Press: "1:2:4:!undo"}}}
	return m
}

// tileButton returns a script that finds the button on a tile of the board.
func tileButton(number int) string {
	return fmt.Sprintf(`document.querySelector(".tile:nth-child(%d) .touch")`, number)
}

// Tiles are chosen on the box itself: fitting ones are marked and announced, the sum is shown, a tile that does not fit
// says why, and the last tile of a set closes it.
func tilesTouched(t *testing.T, tab *tab) {
	b := openBoard(t, tab, boardWithEleven("9+2", "8+3", "6+5", "6+3+2"))
	const said = `document.getElementById("live").innerText`
	for number, name := range map[int]string{9: "tile 9, open, fits", 7: "tile 7, open, doesn't fit"} {
		if got := ask[string](tab, tileButton(number)+`.ariaLabel`); got != name {
			t.Errorf("the tile is called %q, not %q", got, name)
		}
	}
	if n := ask[int](tab, `document.querySelectorAll(".tile .touch").length`); n != 7 {
		t.Errorf("%d tiles can be touched, two of nine are shut", n)
	}
	if label := ask[string](tab, `document.querySelector(".act .primary:disabled").textContent`); label != "Close …" {
		t.Errorf("before a choice the button says %q", label)
	}
	if n := ask[int](tab, `new Set([...document.querySelectorAll(".chips button")].map((one) => one.offsetTop)).size`); n != 1 {
		t.Errorf("four ways, which are small, lie in %d rows", n)
	}
	tab.press(tileButton(9))
	tab.until(tileButton(9) + `.ariaPressed === "true" && ` + said + `.includes("9 of 11")`)
	tab.storePicture("tiles-touched-390-light")
	wantAccessible(t, tab, "with a tile chosen")
	tab.press(tileButton(8))
	tab.until(tileButton(8) + `.ariaPressed === "false" && ` + said + `.includes("9 + 8 = 17: more than 11.")`)
	tab.press(tileButton(9))
	tab.until(tileButton(9) + `.ariaPressed === "false"`)
	tab.press(tileButton(9))
	if _, n := b.lastEvent(); n != 0 {
		t.Errorf("choosing has pressed %d times", n)
	}
	tab.press(tileButton(2))
	wantLastPress(t, tab, b, "1:2:4:shut 9+2", 1)

	// Tiles are chosen by keys, too. The board, which the fake bot does not redraw, still has 9+2 chosen.
	ask[bool](tab, `(document.activeElement.blur(), true)`)
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`!document.querySelector('.touch[aria-pressed="true"]')`)
	const unfit = `"With 7, the open tiles can't make 11."`
	tab.do(chromedp.KeyEvent("7"))
	tab.until(`document.querySelector(".hint.bad")?.textContent === ` + unfit)
	tab.do(chromedp.KeyEvent("7"))
	if n := ask[int](tab, said+`.split(`+unfit+`).length - 1`); n != 1 {
		t.Errorf("that tile 7 does not fit is read out %d times", n)
	}
	tab.do(chromedp.KeyEvent("83"))
	wantLastPress(t, tab, b, "1:2:4:shut 8+3", 2)
	tab.do(chromedp.KeyEvent("z"))
	wantLastPress(t, tab, b, "1:2:4:!undo", 3)
	tab.do(chromedp.KeyEvent("?"))
	tab.until(`document.querySelector("dialog.keys")?.open`)
	wantAccessible(t, tab, "with the keys shown")
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`!document.querySelector("dialog.keys")`)
}

// Dice are kept, and cells chosen, in the page alone; the result is one press.
func diceAndCellsTouched(t *testing.T, tab *tab) {
	m := sheetBoard()
	m.Turn, m.Pick = 7, &chat.PickOn{Kind: "dice", Picked: []int{0, 1}}
	for bits := range 32 {
		c := chat.PickChoice{Items: []int{}, Press: fmt.Sprintf("1:8:7:keep %05b", bits), Style: games.Primary}
		for i := range 5 {
			if bits&(16>>i) != 0 {
				c.Items = append(c.Items, i)
			}
		}
		c.Label = fmt.Sprintf("Throw %d dice", 5-len(c.Items))
		m.Pick.Choices = append(m.Pick.Choices, c)
	}
	m.Sheet.Rows[4].Cells[0] = chat.SheetCell{Text: "·", Mark: games.Open, Press: "1:8:7:strike poker",
		Label: "strike Poker"}
	m.Sheet.Rows[3].Cells[0] = chat.SheetCell{Text: "·", Mark: games.Open, Press: "1:8:7:write pair", Label: "Pair 8"}
	b := openBoard(t, tab, m)
	tab.until(`Boolean(` + labelled("Throw 3 dice") + `)`)
	tab.press(`document.querySelectorAll(".dice button")[2]`)
	tab.until(`Boolean(` + labelled("Throw 2 dice") + `)`)
	ask[bool](tab, `(document.activeElement.blur(), true)`)
	tab.do(chromedp.KeyEvent("6")) // the fourth die shows a 6
	tab.until(`Boolean(` + labelled("Throw 1 dice") + `)`)
	if _, n := b.lastEvent(); n != 0 {
		t.Errorf("keeping has pressed %d times", n)
	}
	tab.do(chromedp.KeyEvent(" "))
	wantLastPress(t, tab, b, "1:8:7:keep 11110", 1)

	const (
		pair  = `document.querySelector('[aria-label="Pair 8"]')`
		poker = `document.querySelector('[aria-label="strike Poker"]')`
	)
	tab.press(pair)
	tab.until(pair + `.ariaPressed === "true" && Boolean(` + labelled("Score 8 in Pair") + `)`)
	tab.storePicture("cell-touched-390-light")
	wantAccessible(t, tab, "with a cell chosen")
	tab.press(poker)
	tab.until(pair + `.ariaPressed === "false" && Boolean(` + labelled("Cross out Poker") + `)`)
	if _, n := b.lastEvent(); n != 1 {
		t.Errorf("choosing a cell has pressed")
	}
	tab.press(poker)
	wantLastPress(t, tab, b, "1:8:7:strike poker", 2)
}

// twoColourPNG returns a PNG of two colours.
func twoColourPNG(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			img.Set(x, y, color.RGBA{uint8(40 + 100*(x*8/width%2)), 90, uint8(120 + 60*(y*4/height%2)), 255})
		}
	}
	var b bytes.Buffer
	done(t, png.Encode(&b, img))
	return b.Bytes()
}

// A picture in an answer fits every width, and is replaced or removed when a press replaces the answer.
func pictureShown(t *testing.T, tab *tab) {
	page := func(head string, p *chat.Picture) chat.Reply {
		return chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: head,
			Lines: []string{"Anna +12 · Ben −12"}, Picture: p,
			Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}}
	}
	b := &fakeBot{answer: page("One.", &chat.Picture{Name: "balance.png", PNG: twoColourPNG(t, 800, 450),
		Alt: `It "rises" <b>.`})}
	tab.open(serve(t, New(Config{}), b)+"/table", welcomed)
	ask[bool](tab, `(globalThis.broken = [], addEventListener("securitypolicyviolation", (e) => broken.push(e.violatedDirective)), true)`)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/stats\r"))
	const image = `document.querySelector(".note .picture img")`
	tab.until(image + `?.naturalWidth === 800`)
	if alt := ask[string](tab, image+`.alt`); alt != `It "rises" <b>.` {
		t.Errorf("the picture is called %q", alt)
	}
	everyLook(func(width int64, theme string) {
		tab.setLook(width, theme)
		fits := `(() => { const r = ` + image +
			`.getBoundingClientRect(); return r.width > 250 && r.right <= innerWidth && Math.abs(r.width / r.height - 800 / 450) < .02 })()`
		if !ask[bool](tab, fits) {
			t.Errorf("at %d the picture does not fit", width)
		}
		wantAccessible(t, tab, "with a picture")
	})
	tab.setLook(390, "light")
	tab.storePicture("picture-390-light")
	b.setReply(page("Two.", &chat.Picture{Name: "scores.png", PNG: twoColourPNG(t, 300, 300), Alt: "Others."}))
	tab.press(labelled("Turn"))
	tab.until(image + `.naturalWidth === 300 && ` + image + `.alt === "Others."`)
	b.setReply(page("Three.", nil))
	tab.press(labelled("Turn"))
	tab.until(`document.querySelector(".note .head").textContent === "Three." && !` + image +
		` && document.querySelectorAll(".note").length === 1`)
	if broken := ask[[]string](tab, `globalThis.broken`); len(broken) > 0 {
		t.Errorf("the page broke its own policy: %v", broken)
	}
}

// An answer shows words to copy above its lines. A copied word is exact, even in an answer that has replaced another.
func wordCopied(t *testing.T, tab *tab) {
	answer := func(number int, words ...string) chat.Reply {
		m := &chat.Message{Lang: "en", Accent: -1, Head: "The dice", Lines: []string{fmt.Sprint("Thrown: ", number)},
			Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}
		for _, word := range words {
			m.Exact = append(m.Exact, chat.Exact{Before: "Luck of Anna: ", Text: word, After: "!"})
		}
		return chat.Reply{Private: m}
	}
	b := &fakeBot{answer: answer(0, "a  b")}
	tab.open(serve(t, New(Config{}), b)+"/table", welcomed)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/fair\r"))
	tab.until(`document.querySelector(".note .lines p:last-child")?.textContent === "Thrown: 0"`)
	for number, words := range [][]string{{"a  b"}, {"https://evil.com/x", "<b>@everyone</b>", "שלום.com"}, {},
		{"▶ 👩‍👩‍👧"}} {
		b.setReply(answer(1+number, words...))
		tab.press(labelled("Turn"))
		tab.until(fmt.Sprintf(`document.querySelectorAll(".note .lines p").length === %d && document.querySelector(".note .lines p:last-child").textContent === "Thrown: %d"`,
			len(words)+1, 1+number))
		copied := ask[[]string](tab, `Array.from(document.querySelectorAll(".note .lines code"), (code) => {
			getSelection().selectAllChildren(code);
			return getSelection().toString();
		})`)
		if !slices.Equal(copied, words) {
			t.Errorf("%q are copied as %q", words, copied)
		}
	}
	wantAccessible(t, tab, "with a word to copy")
}
