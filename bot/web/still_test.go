package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
)

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
