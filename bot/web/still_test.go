package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
)

// pressesInPlace clicks what the script finds where it lies in the window.
func (b *tab) pressesInPlace(button string) {
	b.t.Helper()
	b.until(`(` + button + `)?.checkVisibility()`)
	at := ask[spot](b, `(() => {
		const { x, y, width, height } = (`+button+`).getBoundingClientRect();
		return { x: x + Math.min(width, 40) / 2, y: y + height / 2 }; // a chip may be cut off
	})()`)
	b.do(chromedp.MouseClickXY(at.X, at.Y))
}

// What takes the focus at the edge of the window leaves the page where it is: the line for commands, the panels of
// people, the question before something is done.
func pageStaysStill(t *testing.T, tab *tab) {
	w := New(Config{})
	at := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(at))
	tab.press(labelled("Play with friends"))
	tab.until(`location.pathname.startsWith("/r/") && document.querySelector("#new-tables button")`)
	for _, m := range gallery()[:4] {
		must(w.Post(t.Context(), "web:r-1", m))
	}
	guest, room := client(t), ask[string](tab, `location.href`)
	do(t, guest, "POST", room+"/me", "")
	listen(t, guest, room, "").next()
	tab.until(cameIn + ` && document.querySelectorAll("#entries .board").length === 4 && document.querySelector("#here button")`)
	closes := func() { tab.do(chromedp.KeyEvent(kb.Escape)) }
	for _, size := range [][2]int64{{390, 844}, {1280, 720}, {640, 400}} {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		// The strip of people lies at the top of the page where there is little room.
		from := ask[int](tab, `getComputedStyle(document.querySelector(".persons")).position === "sticky" ? 300 : 8`)
		for _, way := range []struct {
			name string
			does func()
		}{
			{"the key of the line", func() { tab.do(chromedp.KeyEvent("/")); tab.until(`document.activeElement.id === "text"`) }},
			{"a command", func() {
				tab.do(chromedp.KeyEvent("sh"))
				tab.until(`document.getElementById("text").value === "/sh"`)
				// Those for what was typed before lie elsewhere, and are replaced when an answer has come.
				tab.until(`(all => all.length && all.every((li) => li.innerText.includes("/sh")))(
					[...document.querySelectorAll("#suggestions li")])`)
			}},
			{"a suggestion", func() {
				tab.pressesInPlace(`document.querySelector("#suggestions li")`)
				tab.until(`document.getElementById("text").value.length > 3`)
			}},
			{"closing the line", func() {
				tab.until(`!document.getElementById("suggestions").hidden`)
				closes()
				closes()
				tab.until(`document.getElementById("line").hidden`)
			}},
			{"a new name", func() {
				tab.pressesInPlace(`document.getElementById("you")`)
				tab.pressesInPlace(`document.querySelector("#persons .pen")`)
				tab.until(`document.activeElement.id === "person-name"`)
			}},
			{"closing the name", func() {
				tab.pressesInPlace(`document.getElementById("person-cancel")`)
				tab.until(`!document.getElementById("you-panel").matches(":popover-open")`)
			}},
			{"the link to another browser", func() {
				tab.pressesInPlace(`document.getElementById("you")`)
				tab.pressesInPlace(`document.querySelector('#persons [data-key="way"]')`)
				tab.until(`document.activeElement.closest("#way")`)
				tab.pressesInPlace(`document.getElementById("way-close")`)
				closes()
			}},
			{"the menu of a guest", func() {
				tab.pressesInPlace(`document.querySelector("#here button")`)
				tab.until(`document.activeElement.closest("#guest")`)
			}},
			{"the question about a guest", func() {
				tab.pressesInPlace(`document.querySelector("#guest .danger")`)
				tab.until(`document.getElementById("sure").open`)
				closes()
				tab.until(`document.activeElement.matches("#here button")`)
			}},
			{"a key while a question closes", func() {
				tab.pressesInPlace(`document.querySelector("#here button")`)
				tab.pressesInPlace(`document.querySelector("#guest .danger")`)
				tab.until(`document.getElementById("sure").open`)
				tab.typesOn(`document.getElementById("sure").close(); ` + slash + `;
					await new Promise((done) => document.getElementById("sure").addEventListener("close", done, { once: true }))`)
				closes()
				closes()
				tab.until(`document.getElementById("line").hidden`)
			}},
		} {
			ask[bool](tab, fmt.Sprintf(`(scrollTo({ top: %d, behavior: "instant" }), true)`, from))
			way.does()
			if y := ask[int](tab, `Math.round(scrollY)`); y != from {
				t.Errorf("at %d×%d %s moves the page from %d to %d", size[0], size[1], way.name, from, y)
			}
		}
	}
}

// slash is a script that presses the key of the line for commands.
const slash = `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true, cancelable: true }))`

// typesOn runs a script in which the line for commands is opened, and wants it to keep the focus.
func (b *tab) typesOn(script string) {
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
	w, b := New(Config{}), &pretend{}
	tab.do(chromedp.Navigate(serve(t, w, b) + "/table"))
	tab.until(cameIn)
	b.says(chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "An answer."}})
	const runs = `document.getElementById("text").value = "/help"; document.getElementById("line").requestSubmit(); ` + slash
	const comes = `while (!document.querySelector("%s")) await new Promise(requestAnimationFrame)`
	tab.typesOn(slash + `; ` + runs + `; ` + fmt.Sprintf(comes, ".note"))
	w.room.post(board(1, "A table."))
	tab.until(`document.querySelector("#entries .board")`)
	b.says(chat.Reply{})
	command(tab, "/shutbox")
	tab.do(chromedp.KeyEvent("/"))
	w.room.post(board(2, "The next."))
	tab.typesOn(fmt.Sprintf(comes, "#entries .board[data-table='2']"))
}
