package web

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
)

// saved has the page keep what it would hand to the browser's downloads, as a data URL in "saved".
const saved = `(() => {
	window.saved = {};
	const made = URL.createObjectURL;
	URL.createObjectURL = (blob) => {
		const reader = new FileReader();
		reader.onload = () => { window.saved.data = reader.result; };
		reader.readAsDataURL(blob);
		return made.call(URL, blob);
	};
	HTMLAnchorElement.prototype.click = function () { window.saved.name = this.download; };
	return true;
})()`

// resultKept presses what saves the result, and looks at the picture: it is so many pixels high.
func resultKept(t *testing.T, tab *tab, name string, high int) {
	t.Helper()
	ask[bool](tab, `(window.saved = {}, true)`)
	tab.press(labelled("Save picture"))
	tab.until(`window.saved?.data`)
	if got := ask[string](tab, `window.saved.name`); !strings.HasPrefix(got, "knobel-") || !strings.HasSuffix(got, ".png") {
		t.Errorf("the picture is called %q", got)
	}
	_, data, _ := strings.Cut(ask[string](tab, `window.saved.data`), ",")
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if size := drawn.Bounds().Size(); size.X != 1200 || size.Y != high {
		t.Errorf("the picture is %v", size)
	}
	if folder := os.Getenv("KNOBEL_ARTIFACTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+".png"), raw, 0o644); err != nil {
			t.Error(err)
		}
	}
}

// What is drawn into a picture, as the page writes it.
const writes = `(() => {
	window.written = [];
	const write = CanvasRenderingContext2D.prototype.fillText;
	CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
		window.written.push(text);
		window.lowest = Math.max(window.lowest, y);
		const right = x + this.measureText(text).width * { left: 1, right: 0, center: .5 }[this.textAlign];
		if (right > 1200 || y > this.canvas.height || x < 0) window.written.push("OUTSIDE: " + text);
		write.call(this, text, x, y);
	};
	return true;
})()`

// won is a board of a game that its first seat has won, with as many seats as there are names.
func won(table int64, names ...string) chat.Message {
	m := chat.Message{Table: table, Record: table, Lang: "en", Accent: 0, Game: "Shut the Box",
		Head:    names[0] + " shut the box and takes 40 chips!",
		Lines:   []string{"📦 " + names[0] + " holds the box.", names[0] + ": lucky by 24.1, no mistake."},
		Tiles:   []chat.TileRow{{Owner: names[0], Dice: []chat.Die{{Face: 3, Sides: 6}, {Face: 5, Sides: 6}}}},
		Buttons: [][]chat.Button{{{Label: "↻ Rematch", Press: "1:9:0:!rematch", Style: games.Primary}}}}
	for n := range 9 {
		m.Tiles[0].Tiles = append(m.Tiles[0].Tiles, chat.Tile{Number: n + 1, Open: n > 7})
	}
	for i, name := range names {
		p := chat.Person{Seat: i, Name: name, Text: fmt.Sprintf("%d (−10)", i+3), State: games.Waiting, House: i == 1}
		if i == 0 {
			p.Text, p.State = "0 (+30)", games.Won
		}
		m.People = append(m.People, p)
	}
	return m
}

// rows is the end of a game in which each seat has tiles of its own.
func rows(table int64) chat.Message {
	m := won(table, "Anna", "House")
	m.Tiles[0].Dice = nil
	m.Tiles = append(m.Tiles, chat.TileRow{Owner: "House", Tiles: m.Tiles[0].Tiles})
	return m
}

// twenty is the end of a game with one die of twenty faces.
func twenty(table int64) chat.Message {
	m := won(table, "Anna", "House")
	m.Tiles[0].Dice = []chat.Die{{Face: 17, Sides: 20}}
	return m
}

// written is the end of a game with a sheet.
func written(table int64, names ...string) chat.Message {
	m := won(table, names...)
	m.Tiles, m.Game, m.Sheet = nil, "Würfelpoker", &chat.Sheet{}
	m.People[1].Text = "57 (−46 1/3, −46 chips)"
	for i, name := range names {
		m.Sheet.Columns = append(m.Sheet.Columns, chat.SheetColumn{Seat: i, Name: name})
	}
	for _, r := range []struct {
		label, text string
		mark        games.Mark
		sum         bool
	}{{"Ones", "+1", games.Written, false}, {"Twos", "−2", games.Written, false},
		{"Threes", "0", games.Written, false}, {"Fours", "+4", games.Written, false},
		{"Fives", "−5", games.Written, false}, {"Sixes", "+6", games.Written, false},
		{"School", "4", "", true},
		{"Pair", "12", games.Written, false}, {"Two pairs", "22", games.Written, false},
		{"Three of a kind", "18", games.Written, false}, {"Straight", "—", games.Struck, false},
		{"Full house", "24*", games.Doubled, false}, {"Poker", "25", games.Written, false},
		{"Total", "105", "", true}} {
		row := chat.SheetRow{Label: r.label, Sum: r.sum}
		for range names {
			row.Cells = append(row.Cells, chat.SheetCell{Text: r.text, Mark: r.mark})
		}
		m.Sheet.Rows = append(m.Sheet.Rows, row)
	}
	return m
}

// The end of a game is celebrated once, when it comes: paper flies for a second, and where movement is not wanted
// the winner is crowned and all is still. Who comes later finds the result alone.
func endCelebrated(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(welcomed)
	ask[bool](tab, `(window.rained = 0, new MutationObserver((news) => news.forEach((one) => one.addedNodes
		.forEach((node) => { if (node.className === "paper-rain") window.rained++; })))
		.observe(document.getElementById("entries"), { childList: true, subtree: true }), true)`)
	for i, moves := range []bool{false, true} {
		if moves {
			tab.moves()
		}
		m := board(int64(i+1), "Anna is to choose.")
		m.People = []chat.Person{{Seat: 0, Name: "Anna", State: games.ToMove}, {Seat: 1, Name: "House", House: true}}
		ref := must(w.Post(t.Context(), roomPlace, m))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(i+1) + `"`)
		if err := w.Edit(t.Context(), roomPlace, ref, won(int64(i+1), "Anna", "House")); err != nil {
			t.Fatal(err)
		}
		tab.until(newest + `.classList.contains("crowned") && ` + newest + `.querySelector(".head .laurel")`)
		tab.window(fmt.Sprintf("celebrated-%v-390-light", moves))
		tab.until(`!document.querySelector(".paper-rain")`)
		if rained := ask[int](tab, `window.rained`); rained != map[bool]int{true: 1}[moves] {
			t.Errorf("with movement %v, paper flies %d times", moves, rained)
		}
		if read := ask[string](tab, newest+`.querySelector(".head").textContent`); read != "Anna shut the box and takes 40 chips!" {
			t.Errorf("the headline is %q", read)
		}
		accessible(t, tab, "celebrated")
	}
	tab.reload()
	tab.until(newest + `?.classList.contains("over")`)
	if ask[bool](tab, `Boolean(document.querySelector(".crowned, .paper-rain"))`) {
		t.Error("an end of before is celebrated again")
	}
}

// A result is a picture to pass on: with few seats and with many, with long names, with tiles, with a sheet. Whoever
// can hand it to another program does.
func resultShared(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(welcomed)
	ask[bool](tab, writes)
	ask[bool](tab, saved)
	many := []string{"Wilhelmine-Charlotte von der Hohenburg", "House"}
	for i := range 10 {
		many = append(many, fmt.Sprintf("Somebody with a long name %d", i))
	}
	plain := won(7, "Anna", "House")
	plain.Tiles = nil
	results := map[string]chat.Message{"two": won(1, "Anna", "House"), "many": won(2, many...),
		"sheet": written(3, "Anna", "Ben"), "sheets": written(4, many[:10]...), "rows": rows(5), "twenty": twenty(6),
		"plain": plain}
	number := int64(10)
	for name, m := range results {
		number++
		m.Table, m.Record = number, number
		must(w.Post(t.Context(), roomPlace, m))
		tab.until(newest + `?.dataset.table === "` + fmt.Sprint(m.Table) + `"`)
		ask[bool](tab, `(window.written = [], window.lowest = 0, true)`)
		high := 630
		if m.Sheet != nil {
			high = 1080
		}
		resultKept(t, tab, "result-"+name, high)
		said := strings.Join(ask[[]string](tab, `window.written`), "\n")
		for _, want := range []string{"Knobel", m.Game, "0 (+30)", "lucky by 24.1"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the picture does not say %q:\n%s", name, want, said)
			}
		}
		if row := m.Tiles; len(row) > 1 && !strings.Contains(said, row[1].Owner+"\u2069\n\u20681\u2069") {
			t.Errorf("%s: the second row and whose it is are missing:\n%s", name, said)
		}
		if name == "twenty" && !strings.Contains(said, "\u206817\u2069") {
			t.Errorf("%s: the die has no number:\n%s", name, said)
		}
		if low := ask[int](tab, `Math.round(window.lowest)`); low < high*3/4 || low > high-30 {
			t.Errorf("%s: the picture is written on down to %d of %d", name, low, high)
		}
		for _, want := range []string{"Full house", "57 (−46 1/3, −46 chips)", "\u2068—\u2069", "\u206824*\u2069",
			"\u2068105\u2069"} {
			if name == "sheet" && !strings.Contains(said, want) {
				t.Errorf("%s: the picture does not say %q:\n%s", name, want, said)
			}
		}
		if strings.Contains(said, "OUTSIDE") || strings.Contains(said, "📦") {
			t.Errorf("%s: the picture says:\n%s", name, said)
		}
	}
	ask[bool](tab, `(navigator.canShare = ({ files }) => files[0].type === "image/png",
		navigator.share = async ({ files, title }) => { window.shared = title + " " + files[0].size; }, true)`)
	must(w.Post(t.Context(), roomPlace, won(90, "Anna", "Ben")))
	tab.press(labelled("Share the result"))
	tab.until(`/^Anna shut the box and takes 40 chips! [0-9]{4,}$/.test(window.shared)`)
	shareRefused(t, tab)
	about := won(0, "Anna", "Ben") // a note about a game, such as /fair
	about.Record = 90
	must(w.Post(t.Context(), roomPlace, about))
	tab.until(`[...document.querySelectorAll("#entries .board")].at(-1).dataset.table === undefined`)
	if n := ask[int](tab, `document.querySelectorAll("#entries .board:not([data-table]) .ending button").length`); n != 0 {
		t.Errorf("a note about a game shares its result by %d buttons", n)
	}
	accessible(t, tab, "with a result to share")
	tab.picture("over-share-390-light")
}

// Where the browser refuses to pass a picture on, it is saved; who thinks better of it gets no file.
func shareRefused(t *testing.T, tab *tab) {
	t.Helper()
	for _, refusal := range []string{"AbortError", "NotAllowedError"} {
		ask[bool](tab, `(window.saved = {}, window.refused = 0, navigator.share = async () => {
			window.refused++; throw new DOMException("no", `+quoted(refusal)+`); }, true)`)
		tab.press(labelled("Share the result"))
		const done = `window.refused === 1 && !` + newest + `.querySelector(".ending button").disabled`
		tab.until(done)
		if kept := ask[bool](tab, `Boolean(window.saved.name)`); kept != (refusal != "AbortError") {
			t.Errorf("after %s: saved is %v", refusal, kept)
		}
	}
}

// replayed has the game that is over shown again, which goes by itself where movement is wanted, waits for whoever
// presses, and ends where the game did.
func replayed(t *testing.T, tab *tab) {
	t.Helper()
	const head = `document.querySelector(".note .head").textContent`
	tab.press(labelled("Replay"))
	tab.until(head + `.includes("before the first throw")`)
	if ask[bool](tab, `document.querySelector("#notes .note").classList.contains("playing")`) {
		t.Error("it goes by itself, though movement is not wanted")
	}
	tab.press(labelled("▶ Play"))
	tab.until(head + `.includes("move 2 of ")`)
	tab.press(labelled("❚❚ Pause"))
	tab.until(rested)
	at := ask[string](tab, head)
	tab.press(`document.querySelector(".note .buttons .primary")`)
	tab.until(head + ` !== ` + quoted(at) + ` && ` + rested)
	tab.window("replay-390-light")
	tab.press(`document.querySelectorAll(".note .buttons button")[3]`)
	tab.until(`/move (\d+) of \1[.]/.test(` + head + `)`)
	last := ask[string](tab, head)
	tab.press(labelled("◀"))
	tab.until(head + ` !== ` + quoted(last) + ` && ` + rested)
	tab.press(labelled("▶ Play"))
	tab.until(head + ` === ` + quoted(last) + ` && !document.querySelector(".playing")`)
	accessible(t, tab, "a game shown again")
	tab.press(labelled("✕ Close"))
	tab.until(`!document.querySelector("#notes > *")`)
	tab.moves()
	tab.press(labelled("Replay"))
	tab.until(head + `.includes("move 1 of ")`)
	tab.press(labelled("✕ Close"))
	tab.look(390, "light")
}
