package web

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

// drawing is a picture of two colours.
func drawing(t *testing.T, width, height int) []byte {
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

func pictureShown(t *testing.T, tab *tab) {
	page := func(head string, p *chat.Picture) chat.Reply {
		return chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: head,
			Lines: []string{"Anna +12 · Ben −12"}, Picture: p,
			Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}}
	}
	b := &pretend{answer: page("One.", &chat.Picture{Name: "balance.png", PNG: drawing(t, 800, 450),
		Alt: `It "rises" <b>.`})}
	tab.goes(serve(t, New(Config{}), b)+"/table", welcomed)
	ask[bool](tab, `(globalThis.broken = [], addEventListener("securitypolicyviolation", (e) => broken.push(e.violatedDirective)), true)`)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/stats\r"))
	const image = `document.querySelector(".note .picture img")`
	tab.until(image + `?.naturalWidth === 800`)
	if alt := ask[string](tab, image+`.alt`); alt != `It "rises" <b>.` {
		t.Errorf("the picture is called %q", alt)
	}
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		fits := `(() => { const r = ` + image +
			`.getBoundingClientRect(); return r.width > 250 && r.right <= innerWidth && Math.abs(r.width / r.height - 800 / 450) < .02 })()`
		if !ask[bool](tab, fits) {
			t.Errorf("at %d the picture does not fit", width)
		}
		accessible(t, tab, "with a picture")
	})
	tab.look(390, "light")
	tab.picture("picture-390-light")
	b.says(page("Two.", &chat.Picture{Name: "scores.png", PNG: drawing(t, 300, 300), Alt: "Others."}))
	tab.press(labelled("Turn"))
	tab.until(image + `.naturalWidth === 300 && ` + image + `.alt === "Others."`)
	b.says(page("Three.", nil))
	tab.press(labelled("Turn"))
	tab.until(`document.querySelector(".note .head").textContent === "Three." && !` + image +
		` && document.querySelectorAll(".note").length === 1`)
	if broken := ask[[]string](tab, `globalThis.broken`); len(broken) > 0 {
		t.Errorf("the page broke its own policy: %v", broken)
	}
}

// A word that people copy is the same when they have, and stands above the lines,
// also where another answer takes its place.
func wordCopied(t *testing.T, tab *tab) {
	answer := func(number int, words ...string) chat.Reply {
		m := &chat.Message{Lang: "en", Accent: -1, Head: "The dice", Lines: []string{fmt.Sprint("Thrown: ", number)},
			Buttons: [][]chat.Button{{{Label: "Turn", Press: "/turn"}}}}
		for _, word := range words {
			m.Exact = append(m.Exact, chat.Exact{Before: "Luck of Anna: ", Text: word, After: "!"})
		}
		return chat.Reply{Private: m}
	}
	b := &pretend{answer: answer(0, "a  b")}
	tab.goes(serve(t, New(Config{}), b)+"/table", welcomed)
	openLine(tab)
	tab.do(chromedp.KeyEvent("/fair\r"))
	tab.until(`document.querySelector(".note .lines p:last-child")?.textContent === "Thrown: 0"`)
	for number, words := range [][]string{{"a  b"}, {"https://evil.com/x", "<b>@everyone</b>", "שלום.com"}, {},
		{"▶ 👩‍👩‍👧"}} {
		b.says(answer(1+number, words...))
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
	accessible(t, tab, "with a word to copy")
}
