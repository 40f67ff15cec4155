package web

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games"
)

// faults is a script that returns a list of what makes the page hard to use: parts without a name, ids that occur
// twice, words on buttons broken in two, texts squeezed to nothing, too little contrast, and more.
const faults = `(() => {
	const found = [];
	const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
	const name = (node) => node.getAttribute("aria-label")
		|| (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("")
		|| [...(node.labels ?? [])].map((l) => l.textContent).join("") || node.textContent;
	for (const node of document.querySelectorAll("button, a[href], input, select, textarea, [role=group], [role=listbox]")) {
		if (seen(node) && !name(node).trim()) found.push("no name: " + node.outerHTML.slice(0, 120));
	}
	for (const image of document.images) if (!image.hasAttribute("alt")) found.push("no alt: " + image.src);
	const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
	for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("twice: #" + id);
	for (const node of document.querySelectorAll("[aria-controls], [for]")) {
		const id = node.getAttribute("aria-controls") ?? node.getAttribute("for");
		if (!document.getElementById(id)) found.push("points nowhere: #" + id);
	}
	if (!document.documentElement.lang || !document.title || !document.querySelector("h1") || !document.querySelector("main")) {
		found.push("no language, title, heading or main part");
	}
	for (const node of document.querySelectorAll(".board")) if (!node.lang) found.push("a board without a language");
	if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
	for (const node of document.querySelectorAll("button")) {
		const { width, height } = node.getBoundingClientRect();
		if (seen(node) && (width < 24 || height < 24)) found.push("too small to hit: " + name(node));
		const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
		while (seen(node) && texts.nextNode()) {
			for (const { index, 0: word } of texts.currentNode.textContent.matchAll(/[^\s\u00ad-]+/g)) {
				const part = new Range();
				part.setStart(texts.currentNode, index);
				part.setEnd(texts.currentNode, index + word.length);
				const tops = [...part.getClientRects()].map(({ top }) => Math.round(top));
				if (new Set(tops).size > 1) found.push("broken inside a word: " + word);
			}
		}
	}

	const paper = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	paper.canvas.width = paper.canvas.height = 1;
	const known = new Map(); // reading a canvas takes long
	const mixed = (colours) => {
		const key = colours.join();
		if (known.has(key)) return known.get(key);
		paper.clearRect(0, 0, 1, 1);
		for (const colour of colours) { paper.fillStyle = colour; paper.fillRect(0, 0, 1, 1); }
		known.set(key, [...paper.getImageData(0, 0, 1, 1).data].slice(0, 3));
		return known.get(key);
	};
	const light = (rgb) => rgb.map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const behind = (node) => {
		const layers = [];
		for (let n = node; n; n = n.parentElement) layers.unshift(getComputedStyle(n).backgroundColor);
		return layers;
	};
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let counted = 0;
	while (texts.nextNode()) {
		const node = texts.currentNode.parentElement;
		if (!texts.currentNode.textContent.trim() || !seen(node) || node.closest(".unseen, .skip, option, noscript")) continue;
		const style = getComputedStyle(node);
		const layers = ["#fff", ...behind(node)];
		const [a, b] = [light(mixed([...layers, style.color])), light(mixed(layers))];
		const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		const size = parseFloat(style.fontSize);
		const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
		counted++;
		if (style.overflow !== "visible" && style.clipPath === "none" && node.clientWidth < 12 && node.scrollWidth > 2 * node.clientWidth) {
			found.push("squeezed to nothing: " + texts.currentNode.textContent.trim());
		}
		if (contrast < least) found.push("faint (" + contrast.toFixed(2) + "): " + texts.currentNode.textContent.trim().slice(0, 40) + " in ." + node.className);
	}
	if (counted < 8) found.push("hardly any text was looked at");
	return found;
})()`

// wantAccessible fails the test for each fault that faults or, with KNOBEL_AXE, axe-core finds. where begins messages.
func wantAccessible(t *testing.T, tab *tab, where string) {
	t.Helper()
	for _, fault := range ask[[]string](tab, faults) {
		t.Errorf("%s: %s", where, fault)
	}
	if os.Getenv("KNOBEL_AXE") == "" {
		return // without axe-core, axeFindsFaults is skipped
	}
	for _, fault := range axeFaults(t, tab) {
		t.Errorf("%s: %s", where, fault)
	}
}

// wantNoFaults fails the test for each fault of the page in every width and theme. name begins the pictures' names.
func wantNoFaults(t *testing.T, tab *tab, name string) {
	t.Helper()
	everyLook(func(width int64, theme string) {
		tab.setLook(width, theme)
		wantAccessible(t, tab, fmt.Sprintf("%s %d %s", name, width, theme))
		tab.storePicture(fmt.Sprintf("%s-%d-%s", name, width, theme))
	})
}

// axeFaults returns the faults that axe-core finds on the page: the rule, its help, and the places.
func axeFaults(t *testing.T, tab *tab) []string {
	t.Helper()
	if !ask[bool](tab, `"axe" in globalThis`) {
		script := must(os.ReadFile(needs.Axe(t)))
		ask[bool](tab, string(script)+"\n;true")
	}
	return ask[[]string](tab, `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
		violations.map(({ id, help, nodes }) => id + " (" + help + "): " +
			nodes.map(({ html }) => html.slice(0, 200)).join("\n\t")))`)
}

// axeFindsFaults checks that wantAccessible reports the faults that axe-core finds.
func axeFindsFaults(t *testing.T, tab *tab) {
	needs.Axe(t)
	tab.open(serve(t, New(Config{}), &fakeBot{})+"/table", welcomed)
	wantAccessible(t, tab, "before there is a fault")
	ask[bool](tab, `(document.getElementById("feed").setAttribute("role", "dice"), true)`)
	if found := strings.Join(axeFaults(t, tab), "\n"); !strings.HasPrefix(found, "aria-roles (") ||
		!strings.Contains(found, `id="feed"`) {
		t.Errorf("a role that does not exist was not found, only: %s", found)
	}
}

// Every kind of board can be seen and used in both themes, on a phone and on a desktop computer, and in both languages.
func everyKindOfBoard(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &fakeBot{answer: chat.Reply{Toast: "You sit here already.", Refused: true}})
	tab.open(url+"/table", welcomed)
	wantNoFaults(t, tab, "welcome")
	for _, m := range gallery() {
		w.room.post(m)
	}
	unfold(tab, 8)
	stateInWords(t, tab)
	wantNoFaults(t, tab, "boards")
	tab.setLook(360, "light")
	wantAccessible(t, tab, "boards at 360 pixels")
	tab.press(labelled("Mitspielen"))
	for _, size := range windows {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		tab.press(labelled("Mitspielen"))
		tab.until(`document.querySelector(".toast.refused") && ` + rested)
		if under := ask[string](tab, overToast); under != "" {
			t.Errorf("at %d×%d the refusal lies under %s", size[0], size[1], under)
		}
	}
	tab.setLook(360, "light")
	wantAccessible(t, tab, "with a refusal")
	tab.open(url+"/fair", `document.body.dataset.ready`)
	wantAccessible(t, tab, "the page that checks dice")
	tab.storePicture("fair-360-light")
}

// overToast is a script that returns the element that covers the sentence of a toast; "": the sentence is visible.
const overToast = `(() => {
	const { x, y, width, height, top, bottom } = document.querySelector(".toast .words").getBoundingClientRect();
	if (top < 0 || bottom > innerHeight) return "the edge of the window, " + top + " to " + bottom + " of " + innerHeight;
	const toasts = document.getElementById("toasts");
	toasts.style.pointerEvents = "auto"; // presses go through it otherwise
	const over = document.elementFromPoint(x + width / 2, y + height / 2);
	toasts.style.pointerEvents = "";
	return toasts.contains(over) ? "" : over?.outerHTML.slice(0, 120) ?? "nothing";
})()`

// unfold waits until the feed has that many boards, opens the folded ones, and waits until all are there.
func unfold(tab *tab, boards int) {
	tab.t.Helper()
	tab.until(fmt.Sprintf(`document.querySelectorAll("#entries > .board, .old").length === %d`, boards))
	ask[bool](tab, `(document.querySelectorAll(".old:not([open]) > summary").forEach((line) => line.click()), true)`)
	tab.until(fmt.Sprintf(`document.querySelectorAll(".board").length === %d`, boards))
}

// The script faults finds faults that are put into a page.
func faultsAreFound(t *testing.T, tab *tab) {
	tab.open(serve(t, New(Config{}), &fakeBot{})+"/table", welcomed)
	ask[bool](tab, `(() => {
		const faint = document.createElement("p");
		faint.textContent = "hardly to be read";
		faint.style.color = "rgb(200 190 180)";
		const narrow = document.createElement("button");
		narrow.textContent = "together";
		narrow.style = "width: 3rem; overflow-wrap: anywhere";
		const squeezed = document.createElement("div");
		squeezed.textContent = "Wilhelmine";
		squeezed.style = "width: 5px; overflow: hidden";
		faint.append(squeezed);
		document.getElementById("feed").append(faint, narrow, document.createElement("button"));
		faint.id = "help";
		return true;
	})()`)
	found := strings.Join(ask[[]string](tab, faults), "\n")
	for _, fault := range []string{"faint (", "no name: <button>", "twice: #help", "broken inside a word: together",
		"squeezed to nothing: Wilhelmine"} {
		if !strings.Contains(found, fault) {
			t.Errorf("%q was not found, only:\n%s", fault, found)
		}
	}
}

// stateInWords fails the test unless each kind of board has its state in words, for screen readers.
func stateInWords(t *testing.T, tab *tab) {
	t.Helper()
	for selector, words := range map[string]string{
		`.board[data-table="2"] .tile:nth-child(1)`: "1 is shut", `.board[data-table="2"] .tile:nth-child(2)`: "2 stands",
		`.board[data-table="4"] .tile:nth-child(5)`: "5 is chosen", `.board[data-table="2"] .die`: "a die shows 5",
		`.board[data-table="4"] .kept`: "a die shows 3, kept", `.board[data-table="5"] .die`: "a die with 20 faces shows 17",
		`.board[data-table="2"] [data-state="to-move"]`: "to move", `.board[data-table="6"] [data-state="won"]`: "wins",
		`.board[data-table="6"] [data-state="out"]`:                "out",
		`.board[data-table="8"] .kept button[aria-pressed="true"]`: "a die shows 4, kept",
		`.board[data-table="6"] .told p`:                           "8 does not fit. Anna has 9.",
		`.board[data-table="6"] .owner`:                            "Ben",
		`.board[data-table="6"] .dice`:                             "a die shows 4",
		`.board[data-table="6"] .more a`:                           "Check the dice",
		`.board[data-table="8"] [aria-pressed="false"]`:            "a die shows 1",
		`.board[data-table="8"] [data-mark="doubled"]`:             "24, doubled",
		`.board[data-table="8"] [data-mark="struck"]`:              "struck",
		`.board[data-table="8"] [data-mark="open"]`:                "open",
	} {
		if got := ask[string](tab, `document.querySelector(`+quoted(selector)+`).textContent`); !strings.Contains(got,
			words) {
			t.Errorf("%s says %q, not %q", selector, got, words)
		}
	}
	hostile := ask[int](tab, `document.querySelectorAll(".board b, .board script, .board img").length`)
	if hostile != 0 {
		t.Errorf("%d elements came out of people's names", hostile)
	}
}

// The focus stays at the buttons or the headline when a board changes.
func focusStays(t *testing.T, tab *tab) {
	b := &fakeBot{}
	w := New(Config{})
	url := serve(t, w, b)
	m := board(1, "Anna is to throw.")
	ref := w.room.post(m)
	tab.open(url+"/table", nameless+` && document.querySelector(".buttons button")`)
	ask[bool](tab, `(document.querySelector(".buttons button").focus(), true)`)
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(`!document.querySelector(".busy")`)
	if ev, n := b.lastEvent(); n != 1 || ev.Press != "t" {
		t.Fatalf("the Enter key pressed %q, %d times", ev.Press, n)
	}
	m.Head, m.Buttons = "Anna threw 3 and 4.",
		[][]chat.Button{{{Label: "7", Press: "s7", Style: games.Primary}, {Label: "4+3", Press: "s43"}}}
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "7"`)
	ask[bool](tab, `(document.querySelectorAll(".buttons button")[1].focus(), true)`)
	m.Head, m.Buttons = "Anna is to throw.", [][]chat.Button{{{Label: "Throw", Press: "t"}}}
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "Throw"`)
	m.Head, m.Buttons = "It is over.", nil
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "It is over."`)
	// A screen reader reads the focused element anyway; all else is announced once.
	if said := ask[string](tab, `document.getElementById("live").innerText`); strings.Contains(said, "It is over.") ||
		strings.Count(said, "Anna threw 3 and 4.") != 1 {
		t.Errorf("what is read out: %q", said)
	}
}

// The mover sees a button without scrolling, however high the board.
func moverSeesButtons(t *testing.T, tab *tab) {
	b := &fakeBot{}
	w := New(Config{})
	url := serve(t, w, b)
	m := board(1, "Anna opens a table.")
	ref := w.room.post(m)
	tab.setLook(1280, "light")
	tab.do(chromedp.Navigate(url + "/table"))
	tab.press(labelled("Throw"))
	tab.until(`!document.querySelector(".busy")`)
	ev, _ := b.lastEvent()
	const seen = `(() => {
		const button = document.querySelector(".buttons button");
		const { x, y, width, height } = button.getBoundingClientRect();
		return document.elementFromPoint(x + width / 2, y + height / 2) === button;
	})()`
	m.Head, m.Lines = "News", slices.Repeat([]string{"A line of news."}, 40)
	done(t, w.room.edit(ref, m))
	tab.until(`document.querySelector(".board .head").textContent === "News" && ` + seen)
	// A person who reads a long answer below the board sees the button when their turn comes.
	answer := chat.Message{Head: "Long", Lines: slices.Repeat([]string{"A line."}, 60)}
	b.setReply(chat.Reply{Private: &answer})
	command(tab, "/rules")
	tab.until(`Boolean(document.querySelector(".note .lines p:nth-child(60)"))`)
	ask[bool](tab, `(scrollTo(0, 1e5), true)`)
	if ask[bool](tab, seen) {
		t.Fatal("the button is seen as it is: nothing was tested")
	}
	m.Head, m.People = "Your turn", []chat.Person{{Seat: 0, User: ev.User, Name: "Anna", State: games.ToMove}}
	done(t, w.room.edit(ref, m))
	tab.until(seen)
	// A person who has scrolled down sees their own roll, and how the game ends.
	const headline = `document.querySelector(".board .head").getBoundingClientRect().top >=
		document.querySelector(".persons").getBoundingClientRect().bottom`
	further := func() {
		ask[bool](tab, `(scrollTo(0, 400), true)`)
		if ask[bool](tab, headline) {
			t.Fatal("the headline is seen as it is: nothing was tested")
		}
	}
	further()
	m.Head, m.Dice = "Anna threw 3 and 4.", []chat.Die{{Face: 3, Sides: 6}, {Face: 4, Sides: 6}}
	done(t, w.room.edit(ref, m))
	tab.until(`document.querySelector(".board .head").textContent === "Anna threw 3 and 4." && ` + headline)
	further()
	m.Head, m.Dice, m.Record, m.People[0].State = "Anna wins.", nil, 1, games.Won
	done(t, w.room.edit(ref, m))
	tab.until(`document.querySelector(".board .head").textContent === "Anna wins." && ` + headline)
}
