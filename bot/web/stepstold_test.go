package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/store/storetest"
)

// listens notes all that is read out on a page, and what gets the focus there by itself, in order.
func listens(b *tab) {
	b.t.Helper()
	ask[bool](b, `(() => {
		globalThis.heard = [];
		new MutationObserver((changes) => changes.flatMap((change) => [...change.addedNodes])
			.forEach((line) => globalThis.heard.push(line.textContent))).observe(document.getElementById("live"), { childList: true });
		document.addEventListener("focusin", ({ target }) => {
			if (target.matches(".head")) globalThis.heard.push(target.textContent);
		});
		return true;
	})()`)
}

// plays has one page press on, by the key Enter, until a game is over.
func (b *tab) plays() {
	b.t.Helper()
	for range 100 {
		b.until(isOver + ` || !` + stepping + ` && Boolean(` + next + `) && ` + rested)
		if ask[bool](b, `Boolean(`+isOver+`)`) {
			b.until(`!` + stepping)
			return
		}
		before := ask[string](b, newest+`.innerText`)
		ask[bool](b, `(`+next+`.focus(), true)`)
		b.do(chromedp.KeyEvent("\r"))
		b.until(newest + `.innerText !== ` + quoted(before))
	}
	b.t.Fatal("the game does not end")
}

// Without movement one's own last throw is told where the house has gone on since, and stays told.
func ownThrowIsTold(t *testing.T, tab *tab) {
	url, _ := open(t, storetest.Empty(t), "127.0.0.1:0")
	annaComes(tab, url)
	command(tab, "/shutbox 0 tiles=1-6")
	tab.press(labelled("+ House (plays anything)"))
	tab.until(`document.querySelectorAll(".seat").length === 2 && ` + rested)
	tab.press(labelled("▶ Start"))
	listens(tab)
	tab.plays()
	own := ask[string](tab, `(async () => {
		const { moves } = await (await fetch("/record?table=1")).json();
		const seat = [...document.querySelectorAll(".seat .name")].findIndex((name) => name.textContent === "Anna");
		const { dice } = moves.findLast((move) => move.seat === seat && move.dice?.length);
		return "Anna threw " + dice.join(" and ");
	})()`)
	tab.adds("Ben") // all is drawn anew
	if said := ask[string](tab, newest+`.innerText`); !strings.Contains(said, own) {
		t.Errorf("the board does not say %q:\n%s", own, said)
	}
	if heard := strings.Join(ask[[]string](tab, `globalThis.heard`), "\n"); strings.Count(heard, own) != 1 {
		t.Errorf("%q is not heard once:\n%s", own, heard)
	}
}

// Whose throw it is stands right where the seats have another order since the game has begun, and what was said of the
// throw before is not said of it.
func stepsKnowTheSeats(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.comesIn("Anna")
	tab.moves()
	anna, house := chat.Person{Name: "Anna"}, chat.Person{Name: "House", House: true}
	lobby := chat.Message{Table: 1, Lang: "en", Head: "Anna opens a table.", Accent: -1, State: chat.State{Live: true},
		People: []chat.Person{anna, house}, Lines: []string{"Would score now: Ones −3."}}
	ref := must(w.Post(t.Context(), roomPlace, lobby))
	tab.until(`document.querySelectorAll("#entries .seat").length === 2`)
	ask[bool](tab, `(() => {
		globalThis.shown = [];
		new MutationObserver(() => {
			const board = document.querySelector(".stepping");
			if (!board) return;
			const mover = board.querySelector('.seat[data-state="to-move"] .name')?.textContent;
			const lines = board.querySelector(".lines").textContent;
			const now = [board.querySelector(".whose").textContent, mover, lines].join("|");
			if (now !== globalThis.shown.at(-1)) globalThis.shown.push(now);
		}).observe(document.getElementById("entries"), { subtree: true, childList: true, characterData: true, attributes: true });
		return true;
	})()`)
	anna.Seat, anna.State, house.Seat = 1, "to-move", 0
	game := chat.Message{Table: 1, Lang: "en", Head: "Anna is to throw.", Accent: 1,
		People: []chat.Person{house, anna}, State: chat.State{Live: true, Turn: 2, Steps: []chat.Step{
			{Turn: 1, Seat: 0, Said: "House threw 4.", Dice: []chat.Die{{Face: 4, Sides: 6}}},
			{Turn: 2, Seat: 0, Said: "House threw 5.", Dice: []chat.Die{{Face: 5, Sides: 6}}}}}}
	if err := w.Edit(t.Context(), roomPlace, ref, game); err != nil {
		t.Fatal(err)
	}
	tab.until(`document.querySelector("#entries .head").textContent === "Anna is to throw."`)
	if shown := ask[[]string](tab, `globalThis.shown`); !slices.Equal(shown, []string{"House's throw|House|"}) {
		t.Errorf("the steps of the house are shown as %q", shown)
	}
}

// What a step says is not said again by the board that follows at once, whether that says it in the same words or tells
// more of it.
func stepsAreHeardOnce(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(cameIn)
	tab.moves()
	m := chat.Message{Table: 1, Lang: "en", Head: "Anna is to throw.", Accent: 0,
		State:  chat.State{Live: true, Turn: 1},
		People: []chat.Person{{Name: "Anna", State: "to-move"}, {Seat: 1, Name: "Ben"}}}
	ref := must(w.Post(t.Context(), roomPlace, m))
	tab.until(newest + `?.querySelector(".head").textContent === "Anna is to throw."`)
	listens(tab)
	for i, now := range []struct {
		said, head string
		told       []string
	}{
		{"Anna struck Poker.", "Anna struck Poker. Ben is to throw.", nil},
		{"Ben closed 7: 27 open.", "Ben closed 7: 27 open, 10 to beat.", nil},
		{"Ben struck Chance. Anna wins with 27 points.", "Anna wins with 27 points.", []string{"Ben struck Chance."}},
	} {
		m.Turn += 2
		m.Head, m.Told = now.head, now.told
		m.Steps = []chat.Step{
			{Turn: m.Turn - 1, Said: fmt.Sprint("Step ", i, "."), Dice: []chat.Die{{Face: 3, Sides: 6}}},
			{Turn: m.Turn, Said: now.said, Dice: []chat.Die{{Face: i + 4, Sides: 6}}}}
		if err := w.Edit(t.Context(), roomPlace, ref, m); err != nil {
			t.Fatal(err)
		}
		tab.until(`!` + stepping + ` && ` + newest + `.querySelector(".head").textContent === ` + quoted(now.head))
	}
	want := []string{"Step 0.", "Anna struck Poker. Ben is to throw.", "Step 1.", "Ben closed 7: 27 open, 10 to beat.",
		"Step 2.", "Anna wins with 27 points. Ben struck Chance."}
	if heard := ask[[]string](tab, `globalThis.heard`); !slices.Equal(heard, want) {
		t.Errorf("what is read out is\n%s", strings.Join(heard, "\n"))
	}
}

// Whoever sits in a lobby hears that others sit down, once each, and not that they get up or play.
func seatsAreHeard(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(cameIn)
	lobby := board(1, "Anna opens a table.")
	anna, ben := chat.Person{Name: "Anna", User: firstHere(w.room)}, chat.Person{Seat: 1, Name: "Ben", User: "web:x:0"}
	lobby.Live, lobby.People = true, []chat.Person{ben}
	ref := must(w.Post(t.Context(), roomPlace, lobby))
	draws := func(people ...chat.Person) {
		t.Helper()
		lobby.People = people
		if err := w.Edit(t.Context(), roomPlace, ref, lobby); err != nil {
			t.Fatal(err)
		}
		tab.until(fmt.Sprintf(`document.querySelectorAll("#entries .seat").length === %d`, len(people)))
	}
	tab.until(`document.querySelectorAll("#entries .seat").length === 1`)
	listens(tab)
	draws(anna, ben)
	draws(anna, ben, chat.Person{Seat: 2, Name: "Clara"}, chat.Person{Seat: 3, Name: "House", House: true})
	draws(anna, chat.Person{Seat: 1, Name: "Clara"})
	anna.State = "to-move"
	draws(anna, chat.Person{Seat: 1, Name: "Clara"}, ben)
	if heard := ask[[]string](tab, `globalThis.heard`); !slices.Equal(heard, []string{"Clara sits down."}) {
		t.Errorf("what is read out is %q", heard)
	}
}

// Where the end tells one's own last move, without movement it is not told besides.
func ownEndIsToldOnce(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(cameIn)
	m := chat.Message{Table: 1, Lang: "en", Head: "Anna is to write.", Accent: 0,
		State:  chat.State{Live: true, Turn: 1},
		People: []chat.Person{{Name: "Anna", User: firstHere(w.room), State: "to-move"}, {Seat: 1, Name: "Ben"}}}
	ref := must(w.Post(t.Context(), roomPlace, m))
	tab.until(newest + `?.querySelector(".head").textContent === "Anna is to write."`)
	m.Turn, m.Live, m.Head, m.Told = 2, false, "Ben wins with 3 points.", []string{"Anna struck Poker."}
	m.People[0].State, m.People[1].State = "waiting", "won"
	m.Steps = []chat.Step{{Turn: 2, Said: "Anna struck Poker. Ben wins with 3 points.",
		Dice: []chat.Die{{Face: 3, Sides: 6}}}}
	if err := w.Edit(t.Context(), roomPlace, ref, m); err != nil {
		t.Fatal(err)
	}
	tab.until(newest + `.querySelector(".head").textContent === "Ben wins with 3 points."`)
	if told := ask[string](tab, newest+`.querySelector(".told").innerText`); told != "Anna struck Poker." {
		t.Errorf("besides, it is told %q", told)
	}
}
