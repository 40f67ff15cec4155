package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

// A game in a language that is only files, and longer than the real ones:
// everything the page says is of it, and nothing is wider than a phone.
func anotherLanguage(t *testing.T, tab *tab) {
	said := wordstest.Speak(t, shutbox.Game{}.Words(), wuerfelpoker.New().Words())
	page, game := said.Below(wordstest.Code, "web"), said.Below(wordstest.Code, "shutbox")
	button := said.Below(wordstest.Code, "bot.button")
	url, _ := openIn(t, storetest.Empty(t), "127.0.0.1:0", said)
	tab.do(chromedp.Navigate(url + "/table"))
	tab.speaks(wordstest.Code)
	speaksOnly(t, tab)
	tab.press(labelled(strings.ReplaceAll(page["new-table"], "{game}", game["name"])))
	tab.until(`document.querySelectorAll(".seat").length === 1`)
	speaksOnly(t, tab)
	tab.press(`[...document.querySelectorAll(".buttons button")].find((b) => b.textContent.startsWith(` +
		quoted(button["start"][:12]) + `))`)
	tab.until(`document.querySelector(".board .buttons button")`)
	speaksOnly(t, tab)
	playOn(t, tab)
	tab.until(`document.querySelector(".board.over .more a")`) // also the dice of practice can be checked
	speaksOnly(t, tab)
	tab.picture("another-390-light")
}

// speaks opens the page again in a language.
func (b *tab) speaks(lang string) {
	b.t.Helper()
	ask[bool](b, `fetch("/look", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"lang":"`+lang+
		`"}'}).then((r) => r.ok)`)
	b.reload()
	b.until(`document.documentElement.lang === ` + quoted(lang) + ` && ` + cameIn)
}

// speaksOnly fails where the page says something in a language of the code, or
// is wider than the screen.
func speaksOnly(t *testing.T, tab *tab) {
	t.Helper()
	text := ask[string](tab, `document.body.innerText`)
	names := []string{"Knobel", "Guest"}
	there := must(words.New())
	for _, code := range there.Languages() {
		names = append(names, there.Language(code).Name) // each calls itself so
	}
	for _, strange := range wordstest.Strange(text, names...) {
		t.Errorf("the page says %s", strange)
	}
	if wide := ask[int](tab, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		t.Errorf("the page is %d pixels wider than the screen:\n%s", wide, text)
	}
}
