package web

import (
	"fmt"
	"strings"
	"testing"
)

// types is command for what is answered by a note.
func (b *tab) types(text string) {
	b.t.Helper()
	command(b, text)
	b.until(`document.activeElement.matches(".note")`)
}

// privacyIsRead reads what is kept, takes the file of it, and is forgotten in the
// end: the name goes from the board.
func privacyIsRead(t *testing.T, tab *tab, name string) {
	t.Helper()
	note := func() string { return ask[string](tab, `document.querySelector("section.note").innerText`) }
	tab.types("/privacy")
	if text := note(); !strings.Contains(text, "What I keep of you, why, and for how long:") {
		t.Errorf("the page says\n%s", text)
	}
	accessible(t, tab, "with what is kept")
	tab.look(390, "light")
	tab.picture("privacy-390-light")
	// What can be kept cannot be fetched by the page, whose policy forbids that.
	ask[bool](tab, `(() => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { window.kept = blob; return make.call(URL, blob) };
		return true;
	})()`)
	tab.press(labelled("My data"))
	tab.until(`document.querySelector("section.note .file a")`)
	if text := note(); !strings.Contains(text, "Save knobel.json") {
		t.Errorf("with the file the page says\n%s", text)
	}
	told := ask[string](tab, `kept.text().then((text) => JSON.stringify(JSON.parse(text)))`)
	if !strings.Contains(told, `"name":"`+name+`"`) || !strings.Contains(told, `"seats":[`) {
		t.Errorf("the file says %s", told)
	}
	for _, width := range []int64{1280, 390} {
		tab.look(width, "dark")
		tab.picture(fmt.Sprintf("mydata-%d-dark", width))
	}
	accessible(t, tab, "with a file")

	tab.types("/forget")
	for _, width := range []int64{1280, 390} {
		tab.look(width, "dark")
		tab.picture(fmt.Sprintf("forget-%d-dark", width))
	}
	tab.press(labelled("Forget me"))
	tab.until(`document.querySelector("section.note").innerText.includes("You are forgotten.")`)
	tab.until(`![...document.querySelectorAll(".board")].at(-1).innerText.includes("` + name + `")`)
}
