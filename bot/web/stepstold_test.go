package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
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
		done(t, w.Edit(t.Context(), roomPlace, ref, m))
		tab.until(`!` + stepping + ` && ` + newest + `.querySelector(".head").textContent === ` + quoted(now.head))
	}
	want := []string{"Step 0.", "Anna struck Poker. Ben is to throw.", "Step 1.", "Ben closed 7: 27 open, 10 to beat.",
		"Step 2.", "Anna wins with 27 points. Ben struck Chance."}
	if heard := ask[[]string](tab, `globalThis.heard`); !slices.Equal(heard, want) {
		t.Errorf("what is read out is\n%s", strings.Join(heard, "\n"))
	}
}
