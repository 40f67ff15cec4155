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

// faults is a script that returns a list of barriers on the page: parts without a name, ids that occur
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
	if (counted < 6) found.push("hardly any text was looked at");
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
	ask[bool](tab, `(document.getElementById("stage").setAttribute("role", "dice"), true)`)
	if found := strings.Join(axeFaults(t, tab), "\n"); !strings.HasPrefix(found, "aria-roles (") ||
		!strings.Contains(found, `id="stage"`) {
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
		tab.setLook(1280, "light")
		ref := w.room.post(m)
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(m.Table) + `"`)
		stateInWords(t, tab, m.Table)
		wantNoFaults(t, tab, fmt.Sprint("board-", m.Table))
		tab.setLook(360, "light")
		wantAccessible(t, tab, fmt.Sprint("board ", m.Table, " at 360 pixels"))
		w.room.retire(ref)
	}
	lobby := gallery()[0]
	lobby.Table = 9
	w.room.post(lobby)
	tab.until(`Boolean(` + labelled("Mitspielen") + `)`)
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
		document.getElementById("stage").append(faint, narrow, document.createElement("button"));
		faint.id = "panel";
		return true;
	})()`)
	found := strings.Join(ask[[]string](tab, faults), "\n")
	for _, fault := range []string{"faint (", "no name: <button>", "twice: #panel", "broken inside a word: together",
		"squeezed to nothing: Wilhelmine"} {
		if !strings.Contains(found, fault) {
			t.Errorf("%q was not found, only:\n%s", fault, found)
		}
	}
}

// stateInWords fails the test unless the board of a table in gallery has its state in words, for screen readers.
func stateInWords(t *testing.T, tab *tab, table int64) {
	t.Helper()
	for selector, words := range map[int64]map[string]string{
		2: {`.tile:nth-child(1)`: "1 is closed", `.tile:nth-child(2)`: "2 is open", `.die`: "a die shows 5",
			`.banner .head`: "Anna threw 5 and 6"},
		4: {`.tile:nth-child(5)`: "5 is chosen", `.kept`: "a die shows 3, kept"},
		5: {`.die`: "a die with 20 sides shows 17"},
		6: {`.told`: "8 does not fit. Anna has 9.", `.dice`: "a die shows 4", `a[href*="/fair?table=6"]`: "Check the dice",
			`.rank .first`: "Ben", `.rank [data-state="out"]`: "House"},
		8: {`.kept[aria-pressed="true"]`: "a die shows 4, kept", `.die[aria-pressed="false"]`: "a die shows 1",
			`[data-mark="doubled"]`: "24, doubled", `[data-mark="struck"]`: "crossed out", `[data-mark="open"]`: "open"},
	}[table] {
		part := newest + `.querySelector(` + quoted(selector) + `)`
		tab.until(`Boolean(` + part + `)`) // some parts are loaded when they are needed
		if got := ask[string](tab, part+`.textContent`); !strings.Contains(got, words) {
			t.Errorf("%s of table %d says %q, not %q", selector, table, got, words)
		}
	}
	hostile := ask[int](tab, `document.querySelectorAll(".board script, .board img, .panel script, .name b, .own b").length`)
	if hostile != 0 {
		t.Errorf("%d elements came out of people's names", hostile)
	}
}

// The focus stays at the buttons or the headline when a board changes.
func focusStays(t *testing.T, tab *tab) {
	b := &fakeBot{}
	w := New(Config{})
	url := serve(t, w, b)
	tab.open(url+"/table", welcomed)
	m := board(1, "Anna is to throw.")
	m.People = []chat.Person{{Seat: 0, User: w.room.presentPeople()[0].user, Name: "Anna", State: games.ToMove}}
	m.Buttons = [][]chat.Button{{{Label: "Throw", Press: "1:1:0:throw", Style: games.Primary}}}
	ref := w.room.post(m)
	const button = `document.querySelector(".act .primary")`
	tab.until(`Boolean(` + button + `)`)
	ask[bool](tab, `(`+button+`.focus(), true)`)
	tab.do(chromedp.KeyEvent("\r"))
	tab.until(`!document.querySelector(".busy")`)
	if ev, n := b.lastEvent(); n != 1 || ev.Press != "1:1:0:throw" {
		t.Fatalf("the Enter key pressed %q, %d times", ev.Press, n)
	}
	m.Head = "Anna threw 3 and 4."
	m.Tiles = []chat.TileRow{{Tiles: tiles(9)}}
	m.Pick = &chat.PickOn{Kind: "tiles", Goal: 7, Choices: []chat.PickChoice{
		{Items: []int{7}, Label: "7", Press: "1:1:0:shut 7"},
		{Items: []int{4, 3}, Label: "4+3", Press: "1:1:0:shut 4+3"}}}
	m.Buttons = nil
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "7"`)
	ask[bool](tab, `(document.querySelectorAll(".chips button")[1].focus(), true)`)
	m.Head, m.Pick = "Anna is to throw.", nil
	m.Buttons = [][]chat.Button{{{Label: "Throw", Press: "1:1:0:throw", Style: games.Primary}}}
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "Throw"`)
	m.Head, m.Buttons, m.People[0].State, m.Record = "It is over.", nil, games.Done, 1
	done(t, w.room.edit(ref, m))
	tab.until(`document.activeElement.textContent === "It is over."`)
	// A screen reader reads the focused element anyway; all else is announced once.
	if said := ask[string](tab, `document.getElementById("live").innerText`); strings.Contains(said, "It is over.") ||
		strings.Count(said, "Anna threw 3 and 4.") != 1 {
		t.Errorf("what is read out: %q", said)
	}
}

// The mover sees the button of rank one at each size of the window, and a long answer does not hide it.
func moverSeesButtons(t *testing.T, tab *tab) {
	b := &fakeBot{}
	w := New(Config{})
	url := serve(t, w, b)
	tab.setLook(1280, "light")
	tab.open(url+"/table", welcomed)
	m := boardWithEleven("9+2", "8+3", "6+5")
	m.People[0].User = w.room.presentPeople()[0].user
	w.room.post(m)
	tab.until(`Boolean(document.querySelector(".act .primary"))`)
	const seen = `(() => {
		const buttons = [...document.querySelectorAll(".act .primary, .chips button")];
		return buttons.every((button) => {
			const { x, y, width, height } = button.getBoundingClientRect();
			return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
		});
	})()`
	for _, size := range windows {
		tab.do(chromedp.EmulateViewport(size[0], size[1]))
		tab.until(seen)
	}
	tab.setLook(1280, "light")
	long := slices.Repeat([]string{"A line."}, 60)
	b.setReply(chat.Reply{Private: &chat.Message{Lang: "en", Head: "Long", Lines: long}})
	command(tab, "/rules")
	tab.until(`Boolean(document.querySelector(".note .lines p:nth-child(60)")) && ` + seen)
}
