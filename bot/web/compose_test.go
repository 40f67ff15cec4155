package web

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
)

func typedCommand(t *testing.T, tab *tab) {
	b := &pretend{answer: chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "Dice with friends.",
		Lines: []string{"/shutbox opens a table."}, Buttons: [][]chat.Button{{{Label: "Rules", Press: "/rules"}}}}}}
	tab.goes(serve(t, New(Config{}), b)+"/table", cameIn)
	tab.do(chromedp.KeyEvent("/"))
	tab.until(`document.activeElement.id === "text" && document.activeElement.value === "/"`)
	tab.do(chromedp.KeyEvent("sh"))
	tab.until(`document.querySelectorAll("#suggestions [role=option]").length === 1`)
	// Another window comes to the front: that takes nothing away.
	ask[bool](tab, `document.getElementById("text").dispatchEvent(new FocusEvent("blur"))`)
	tab.do(chromedp.KeyEvent(kb.ArrowDown))
	tab.until(`document.querySelector("#suggestions [aria-selected=true]")?.id === document.getElementById("text").getAttribute("aria-activedescendant")`)
	tab.do(chromedp.KeyEvent(kb.Tab))
	tab.until(`document.getElementById("text").value === "/shutbox " && document.querySelectorAll("#suggestions li").length === 2`)
	tab.do(chromedp.KeyEvent("variant=c"))
	tab.until(`document.querySelector("#suggestions .what")?.textContent === "canoga"`)
	accessible(t, tab, "with suggestions")
	tab.do(chromedp.KeyEvent(kb.ArrowDown))
	tab.until(`document.querySelector("#suggestions [aria-selected=true] .what")?.textContent === "canoga"`)
	tab.do(chromedp.KeyEvent("a"))
	tab.until(`performance.getEntriesByName(location.origin + "/complete?text=" + encodeURIComponent("/shutbox variant=ca")).length === 1`)
	if chosen := ask[string](tab, `document.querySelector("#suggestions [aria-selected=true] .what")?.textContent ?? "none"`); chosen != "canoga" {
		t.Errorf("after a new answer the choice is %s", chosen)
	}
	tab.do(chromedp.KeyEvent(kb.Tab))
	tab.until(`document.getElementById("text").value === "/shutbox variant=canoga "`)
	tab.do(chromedp.KeyEvent("\r"))

	tab.until(`document.activeElement.matches(".note")`)
	if ev, _ := b.last(); ev.Command != "shutbox" || ev.Text != "variant=canoga" {
		t.Errorf("told /%s %q", ev.Command, ev.Text)
	}
	accessible(t, tab, "with a private note")
	tab.picture("note-390-light")
	tab.press(labelled("Rules"))
	tab.until(`document.querySelectorAll(".note").length === 1 && !document.querySelector(".busy")`)
	if ev, _ := b.last(); ev.Press != "/rules" || ev.On != "" {
		t.Errorf("a private button pressed %q on %q", ev.Press, ev.On)
	}
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector(".note") && document.activeElement.id === "slash"`)
	newestNoteFirst(t, tab, b)
	lateSuggestionsStayAway(t, tab)
}

// lateSuggestionsStayAway: an answer that comes after Escape opens the list of suggestions no more, and the next
// Escape closes the line.
func lateSuggestionsStayAway(t *testing.T, tab *tab) {
	t.Helper()
	ask[bool](tab, `((really) => {
		window.late = { open: [], read: 0 };
		const json = async () => (late.read++, [{ text: "/shutbox ", label: "/shutbox" }]);
		window.fetch = (at, ...more) => !String(at).includes("/complete?") ? really(at, ...more) :
			new Promise((answers) => late.open.push(() => answers({ ok: true, json })));
		return true;
	})(window.fetch.bind(window))`)
	tab.do(chromedp.KeyEvent("/"))
	tab.until(`late.open.length === 1 && (late.open[0](), true)`)
	tab.until(`document.querySelectorAll("#suggestions li").length === 1`)
	tab.do(chromedp.KeyEvent("s"))
	tab.until(`late.open.length === 2`)
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`document.getElementById("suggestions").hidden && (late.open[1](), true)`)
	tab.until(`late.read === 2`)
	ask[bool](tab, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
	if !ask[bool](tab, `document.getElementById("suggestions").hidden`) {
		t.Error("a late answer opens the list again")
	}
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`document.getElementById("line").hidden`)
}

// newestNoteFirst asks for two answers: the second stands above the first, and Escape closes the one that has the
// focus.
func newestNoteFirst(t *testing.T, tab *tab, b *pretend) {
	t.Helper()
	for _, head := range []string{"First.", "Second."} {
		b.says(chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: head}})
		command(tab, "/help")
		tab.until(`document.activeElement.matches(".note") && document.activeElement.innerText.includes(` +
			quoted(head) + `)`)
	}
	const heads = `[...document.querySelectorAll(".note .head")].map((head) => head.textContent).join(" ")`
	if all := ask[string](tab, heads); all != "Second. First." {
		t.Errorf("the notes are %s", all)
	}
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(heads + ` === "First." && document.activeElement.id === "slash"`)
}
