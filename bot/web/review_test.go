package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reviewMarks are the tiles that a move of a review is about.
type reviewMarks struct{ Tiles []int }

// reviewData is a review as the page reads it.
type reviewData struct {
	Ready     bool
	Costliest int
	Seats     []struct{ Name, LuckText, MistakesText string }
	Series    []struct{ Values []float64 }
	Moves     []reviewMove
}

// reviewMove is a move of a review.
type reviewMove struct {
	Title, CostText, LuckText string
	PlayedOn, BetterOn        *reviewMarks
}

// playOut is a script that plays a game to its end: the button of rank one, else the last choice.
const playOut = `new Promise((done) => {
	const act = () => {
		if (document.querySelector(".board.over")) return done(true);
		const node = document.querySelector(".act .primary:enabled") ??
			document.querySelector(".chips button:last-child");
		if (node?.checkVisibility() && !document.querySelector(".busy")) node.click();
		setTimeout(act, 20);
	};
	act();
})`

const (
	moveShown   = `document.querySelector(".stepper p span").textContent`
	reviewHead  = `document.querySelector(".review .head").textContent`
	reviewShown = `document.querySelector(".review")?.checkVisibility() && document.querySelector(".review .die")`
)

// readReview waits for the review of the first game, and returns it.
func readReview(tab *tab) reviewData {
	tab.t.Helper()
	const read = `fetch("/review?table=1").then((answer) => answer.json()).then((review) => globalThis.read = review)`
	ask[bool](tab, `new Promise((done) => {
		const look = () => `+read+`.then(({ ready }) => ready ? done(true) : setTimeout(look, 50));
		look();
	})`)
	return ask[reviewData](tab, `read`)
}

// texts returns the texts of all elements that a selector finds.
func (b *tab) texts(selector string) []string {
	b.t.Helper()
	return ask[[]string](b, `[...document.querySelectorAll(`+quoted(selector)+`)].map((node) => node.textContent)`)
}

// A finished game is reviewed on the stage: with the figures of the server, by mouse and by keyboard.
func gameReviewed(t *testing.T, tab *tab) {
	url := serveGames(t)
	tab.setLook(1366, "light")
	tab.open(url+"/table", `document.querySelector(".welcome")?.checkVisibility() && `+nameless)
	ask[bool](tab, `fetch("/command", { method: "POST", headers: { "Content-Type": "application/json" },
		body: '{"id":"a-first-table","text":"/shutbox 10"}' }).then(({ ok }) => ok)`)
	tab.press(labelled("Computer"))
	tab.press(labelled("Start"))
	ask[bool](tab, playOut)
	want := readReview(tab)
	if want.Costliest < 0 || len(want.Moves) < 5 {
		t.Fatalf("the game has no mistake: %+v", want)
	}
	tab.press(labelled("Review"))
	tab.until(reviewShown)
	wantFigures(t, tab, want)
	wantMarks(t, tab, want)
	wantNoFaults(t, tab, "review")
	tab.setLook(1366, "light")
	stepThrough(t, tab, want)

	tab.do(chromedp.KeyEvent("\r"))
	tab.do(chromedp.KeyEvent(kb.Escape))
	tab.until(`!document.querySelector(".review") && document.querySelector(".board.over").checkVisibility()`)
	if at := ask[string](tab, focused); at != "Review" {
		t.Errorf("once the review is closed the focus is on %q", at)
	}
	if tabs := tab.texts(".tabs button"); tabs[0] != "Players" {
		t.Errorf("once the review is closed the tabs are %q", tabs)
	}
	tab.press(labelled("Replay"))
	tab.until(reviewShown + ` && document.activeElement.matches(".review .head")`)
	tab.press(labelled("Play"))
	tab.until(moveShown + ` === ` + quoted(shownAt(want, len(want.Moves)-1)) + ` && Boolean(` + labelled("Play") + `)`)
	tab.press(`document.querySelector(".stepper .back")`)
	tab.until(`!document.querySelector(".review")`)
}

// shownAt returns the words for the move with an index.
func shownAt(want reviewData, index int) string {
	return fmt.Sprintf("Move %d of %d", index+1, len(want.Moves))
}

// wantFigures checks that the page shows the figures of a review.
func wantFigures(t *testing.T, tab *tab, want reviewData) {
	t.Helper()
	var bars, figures []string
	for _, name := range tab.texts(".reviewed .plate > .unseen") {
		for _, seat := range want.Seats {
			if seat.Name == name {
				bars = append(bars, seat.LuckText, seat.MistakesText)
			}
		}
	}
	for _, move := range want.Moves {
		switch {
		case move.CostText != "":
			figures = append(figures, "Mistakes "+move.CostText)
		case move.LuckText != "":
			figures = append(figures, "Luck "+move.LuckText)
		default:
			figures = append(figures, "")
		}
	}
	if got := tab.texts(".reviewed .split em"); len(bars) != 2*len(want.Seats) || !slices.Equal(got, bars) {
		t.Errorf("the bars say %q, not %q", got, bars)
	}
	if got := tab.texts(".mv > .num:last-child"); !slices.Equal(got, figures) {
		t.Errorf("the moves say %q, not %q", got, figures)
	}
	lines := ask[[]int](tab, `[...document.querySelectorAll(".graph .line")]
		.map((line) => line.getAttribute("d").split("L").length)`)
	if len(lines) != len(want.Series) || lines[0] != len(want.Series[0].Values) {
		t.Errorf("the lines have %d points, for %d values", lines, len(want.Series[0].Values))
	}
	if head := ask[string](tab, reviewHead); head != want.Moves[want.Costliest].Title {
		t.Errorf("the first position says %q", head)
	}
	if at := ask[string](tab, moveShown); at != shownAt(want, want.Costliest) {
		t.Errorf("the first position is %q", at)
	}
	if !ask[bool](tab, `document.activeElement.matches(".review .head")`) {
		t.Errorf("the focus is on %q", ask[string](tab, focused))
	}
}

// wantMarks checks that the board marks the played and the better tiles of the costliest move.
func wantMarks(t *testing.T, tab *tab, want reviewData) {
	t.Helper()
	move := want.Moves[want.Costliest]
	for selector, marks := range map[string]*reviewMarks{`.review .tile[data-state="picked"] .slot`: move.PlayedOn,
		".review .tile.better .slot": move.BetterOn} {
		if got := strings.Join(tab.texts(selector), " "); got != strings.Trim(fmt.Sprint(marks.Tiles), "[]") {
			t.Errorf("%s are %s, not %v", selector, got, marks.Tiles)
		}
	}
}

// stepThrough steps through a review by keys, the list, the graph and the buttons.
func stepThrough(t *testing.T, tab *tab, want reviewData) {
	t.Helper()
	last := len(want.Moves) - 1
	reach := func(index int) {
		t.Helper()
		tab.until(moveShown + ` === ` + quoted(shownAt(want, index)) +
			` && ` + reviewHead + ` === ` + quoted(want.Moves[index].Title) +
			fmt.Sprintf(` && document.querySelectorAll(".mv")[%d].ariaCurrent === "true"`, index))
	}
	tab.press(`document.querySelectorAll(".mv")[1]`)
	reach(1)
	tab.do(chromedp.KeyEvent(kb.ArrowRight))
	reach(2)
	tab.do(chromedp.KeyEvent(kb.ArrowLeft))
	tab.do(chromedp.KeyEvent(kb.ArrowLeft))
	reach(0)
	tab.press(`document.querySelector(".stepper .seg button:last-child")`)
	reach(last)
	tab.press(labelled("Next mistake"))
	reach(slices.IndexFunc(want.Moves, func(move reviewMove) bool { return move.CostText != "" }))
	at := ask[spot](tab, `(() => {
		const { right, y, height } = document.querySelector(".lines-of").getBoundingClientRect();
		return { x: right - 1, y: y + height / 2 };
	})()`)
	tab.do(chromedp.MouseClickXY(at.X, at.Y))
	reach(last)
}
