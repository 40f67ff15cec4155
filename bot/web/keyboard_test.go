package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"knobel/bot/chat"
)

// hears is a script that records, in order, the headlines of boards and the announcements to screen readers.
const hears = `(() => {
	globalThis.heard = [];
	const heads = new Map();
	const live = document.getElementById("live");
	new MutationObserver((changes) => {
		for (const board of document.querySelectorAll("#tables > .board")) {
			const head = board.querySelector(".head");
			if (heads.get(board) !== head.textContent) {
				heard.push({ where: "head", text: head.textContent });
				heads.set(board, head.textContent);
			}
		}
		for (const { target, addedNodes } of changes) {
			if (target === live) addedNodes.forEach((line) => heard.push({ where: "live", text: line.textContent }));
		}
	}).observe(document.body, { subtree: true, childList: true, characterData: true });
	return true;
})()`

// word is one text that hears has recorded.
type word struct {
	Where string `json:"where"` // "head" or "live"
	Text  string `json:"text"`
}

// focused is a script that returns the label or text of the focused element.
const focused = `(document.activeElement.ariaLabel || document.activeElement.textContent).trim()`

// tabTo presses Tab until the element with the label or text name has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	var passed []string
	for range 80 {
		at := ask[string](b, focused)
		if at == name {
			return
		}
		passed = append(passed, at)
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.t.Fatalf("the Tab key does not lead to %q, only to %q", name, passed)
}

// enters goes to the element with the label or text name by Tab, and presses Enter.
func (b *tab) enters(name string) {
	b.t.Helper()
	b.until(`Boolean(` + labelled(name) + `) && ` + rested)
	b.tabTo(name)
	b.do(chromedp.KeyEvent("\r"))
}

// Both games are played by keyboard alone: the next button nearly always has the focus, and events are announced once.
func playedByKeyboard(t *testing.T, anna *tab) {
	at := serveGames(t)
	anna.askForName()
	anna.do(chromedp.Navigate(at + "/table"))
	anna.enterName("Anna")
	ask[bool](anna, hears)
	for _, game := range []string{"/shutbox", "/wuerfelpoker point=1"} {
		anna.do(chromedp.KeyEvent("/"))
		anna.until(`document.activeElement.id === "text"`)
		anna.do(chromedp.KeyEvent(game + "\r"))
		anna.until(newest + `?.classList.contains("lobby") && document.activeElement === ` + newest + `.querySelector(".head")`)
		anna.enters("Computer")
		anna.until(`document.querySelectorAll(".plate").length === 2`)
		anna.enters("Start")
		if game == "/shutbox" {
			keyedToTheEnd(t, anna)
		}
	}
	anna.until(`Boolean(` + labelled("Roll") + `) && ` + rested)
	anna.do(chromedp.KeyEvent("\r"))
	anna.until(diceLie + ` && ` + rested)
	toggles(t, anna)
	keyedToTheEnd(t, anna)
}

// keyedToTheEnd presses Enter on the next button until the game is over.
func keyedToTheEnd(t *testing.T, tab *tab) {
	t.Helper()
	const hasFocus = nextButton + ` === document.activeElement`
	tabs, moves := 0, 0
	for range 300 {
		tab.until(`(` + isOver + ` || Boolean(` + nextButton + `) && !` + newest + `.classList.contains("theirs")) && ` +
			rested)
		if ask[bool](tab, isOver) {
			break
		}
		for range 40 {
			if ask[bool](tab, hasFocus) {
				break
			}
			tab.do(chromedp.KeyEvent(kb.Tab))
			tabs++
		}
		if under := ask[string](tab, covered); under != "" {
			t.Errorf("what has the focus lies under %s", under)
		}
		before := ask[string](tab, newest+`.innerText`)
		tab.do(chromedp.KeyEvent("\r"))
		tab.until(newest + `.innerText !== ` + quoted(before))
		moves++
	}
	if !ask[bool](tab, isOver) {
		t.Fatal("the game does not end")
	}
	if tabs > moves/4 {
		t.Errorf("%d moves took %d presses of Tab: the focus does not stay with what is to be pressed", moves, tabs)
	}
	eachHeardOnce(t, tab)
	tab.enters("Check the dice")
	tab.until(`document.querySelector(".judged.right")`)
	tab.enters("Back to the room")
	tab.until(`Boolean(document.querySelector(".board.over"))`)
	ask[bool](tab, hears)
}

// covered is a script that returns the element that covers the focused one; "": the focused one is visible.
const covered = `(() => {
	const { x, y, width, height } = document.activeElement.getBoundingClientRect();
	const top = document.elementFromPoint(x + width / 2, y + height / 2);
	if (document.activeElement.contains(top)) return "";
	return top ? top.outerHTML.slice(0, 200) : "the edge of the window";
})()`

// toggles keeps one die by pressing a digit key. It fails the test unless the board's dice are then toggle buttons with
// names, its title is a heading, and its seats are a list.
func toggles(t *testing.T, tab *tab) {
	t.Helper()
	face := ask[string](tab, `String(document.querySelector(".dice button").querySelectorAll(".pip").length)`)
	tab.do(chromedp.KeyEvent(face))
	tab.until(`document.querySelectorAll('.dice button[aria-pressed="true"]').length === 1`)
	var seen []string
	for _, node := range runCommand(tab, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		if !node.Ignored && node.Role != nil && node.Name != nil {
			seen = append(seen, asRead(node))
		}
	}
	all := strings.Join(seen, "\n")
	for _, part := range []string{`heading "You rolled `, `list "Seats"`, "button \"a die shows " + face + ", kept\" pressed=true",
		`button "Roll 4 dice"`} {
		if !strings.Contains(all, part) {
			t.Errorf("a screen reader finds no %s, only:\n%s", part, all)
		}
	}
	if i := slices.IndexFunc(seen, func(s string) bool { return strings.HasPrefix(s, `button ""`) }); i >= 0 {
		t.Errorf("a button has no name")
	}
}

// asRead returns a node as screen readers find it: its role and name and, for a toggle button, its state.
func asRead(node *accessibility.Node) string {
	var role, name string
	_ = json.Unmarshal(node.Role.Value, &role)
	_ = json.Unmarshal(node.Name.Value, &name)
	text := fmt.Sprintf("%s %q", role, name)
	for _, p := range node.Properties {
		if p.Name == "pressed" {
			text += " pressed=" + strings.Trim(string(p.Value.Value), `"`)
		}
	}
	return text
}

// eachHeardOnce fails the test if a headline was not announced at once, or a text was announced twice. The first
// headlines are read with the page, or because of the focus.
func eachHeardOnce(t *testing.T, tab *tab) {
	t.Helper()
	words := ask[[]word](tab, `heard`)
	if len(words) < 20 {
		t.Errorf("only this was heard: %+v", words)
	}
	for i, w := range words {
		switch {
		case strings.HasSuffix(w.Text, ": press again to confirm."): // a cell that is chosen, not yet a move
		case w.Where == "head" && i > 0 && (i+1 == len(words) || !strings.HasPrefix(words[i+1].Text, w.Text)):
			t.Errorf("%q is not read out", w.Text)
		case strings.HasSuffix(w.Text, ": press again to do it."): // a cell was chosen
		case w.Where == "live" && (words[i-1].Where != "head" || !strings.HasPrefix(w.Text, words[i-1].Text)):
			t.Errorf("%q is read out, and no board says it anew", w.Text)
		}
	}
}

// A command is typed, completed and sent by keys alone.
func typedCommand(t *testing.T, tab *tab) {
	b := &fakeBot{answer: chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: "Dice with friends.",
		Lines: []string{"/shutbox opens a table."}, Buttons: [][]chat.Button{{{Label: "Rules", Press: "/rules"}}}}}}
	tab.open(serve(t, New(Config{}), b)+"/table", cameIn)
	tab.do(chromedp.KeyEvent("/"))
	tab.until(`document.activeElement.id === "text" && document.activeElement.value === "/"`)
	tab.do(chromedp.KeyEvent("sh"))
	tab.until(`document.querySelectorAll("#suggestions [role=option]").length === 1`)
	// Another window comes to the front: the list must stay.
	ask[bool](tab, `document.getElementById("text").dispatchEvent(new FocusEvent("blur"))`)
	tab.do(chromedp.KeyEvent(kb.ArrowDown))
	tab.until(`document.querySelector("#suggestions [aria-selected=true]")?.id === document.getElementById("text").getAttribute("aria-activedescendant")`)
	tab.do(chromedp.KeyEvent(kb.Tab))
	tab.until(`document.getElementById("text").value === "/shutbox " && document.querySelectorAll("#suggestions li").length === 2`)
	tab.do(chromedp.KeyEvent("variant=c"))
	tab.until(`document.querySelector("#suggestions .what")?.textContent === "canoga"`)
	wantAccessible(t, tab, "with suggestions")
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
	if ev, _ := b.lastEvent(); ev.Command != "shutbox" || ev.Text != "variant=canoga" {
		t.Errorf("told /%s %q", ev.Command, ev.Text)
	}
	wantAccessible(t, tab, "with a private note")
	tab.storePicture("note-390-light")
	tab.press(labelled("Rules"))
	tab.until(`document.querySelectorAll(".note").length === 1 && !document.querySelector(".busy")`)
	if ev, _ := b.lastEvent(); ev.Press != "/rules" || ev.On != "" {
		t.Errorf("a private button pressed %q on %q", ev.Press, ev.On)
	}
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector(".note") && document.activeElement.matches(".bottom button")`)
	newestNoteFirst(t, tab, b)
	lateSuggestionsStayAway(t, tab)
}

// lateSuggestionsStayAway checks that a late answer after Escape does not open the list of suggestions again.
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

// newestNoteFirst requests two answers: the second is above the first, and Escape closes the focused one.
func newestNoteFirst(t *testing.T, tab *tab, b *fakeBot) {
	t.Helper()
	for _, head := range []string{"First.", "Second."} {
		b.setReply(chat.Reply{Private: &chat.Message{Lang: "en", Accent: -1, Head: head}})
		command(tab, "/help")
		tab.until(`document.activeElement.matches(".note") && document.activeElement.innerText.includes(` +
			quoted(head) + `)`)
	}
	const heads = `[...document.querySelectorAll(".note .head")].map((head) => head.textContent).join(" ")`
	if all := ask[string](tab, heads); all != "Second. First." {
		t.Errorf("the notes are %s", all)
	}
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(heads + ` === "First." && document.activeElement.matches(".bottom button")`)
}
