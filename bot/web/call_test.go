package web

import (
	"errors"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"knobel/bot"
)

func summons(to bot.User, board bot.Ref) bot.Summons {
	return bot.Summons{
		Once: "call 1", To: to, Name: "<b>Anna", After: ", it is your turn: Shut the Box.", Lang: "en", Board: board,
		Off: bot.Button{Label: "Do not call me", Press: "1:7:0:/notify off"},
	}
}

// A call is told to the browser of who is called, and to nobody else.
func TestACallIsForOneBrowser(t *testing.T) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	c, v := enter(t, w, url)
	other, _ := enter(t, w, url)
	board := w.room.post(board(7, "Anna is to throw."))
	mine, theirs := listen(t, c, url, ""), listen(t, other, url, "")
	mine.next()
	theirs.next()
	ref, err := w.Call(t.Context(), roomPlace, summons(v.user(0), board))
	if err != nil {
		t.Fatal(err)
	}
	_, n, _ := mine.next()
	want := []notice{{Ref: ref, Text: "<b>Anna, it is your turn: Shut the Box.", Board: board, Off: bot.Button{Label: "Do not call me", Press: "1:7:0:/notify off"}}}
	if diff := cmp.Diff(want, n.Calls); diff != "" || len(n.All) != 1 {
		t.Errorf("of %d messages: %s", len(n.All), diff)
	}
	if _, n, _ := theirs.next(); n.Calls != nil {
		t.Errorf("somebody else is told %v", n.Calls)
	}
	if _, n, _ := listen(t, c, url, "").next(); len(n.Calls) != 1 {
		t.Errorf("a page that comes later is told %v", n.Calls)
	}
	for range 2 {
		if err := w.Dismiss(t.Context(), roomPlace, ref); err != nil {
			t.Fatal(err)
		}
	}
	if _, n, _ := mine.next(); n.Calls != nil {
		t.Errorf("afterwards: %v", n.Calls)
	}
	if _, err := w.Call(t.Context(), "web:cellar", summons(v.user(0), "")); !errors.Is(err, bot.ErrAway) {
		t.Errorf("in a place that is not: %v", err)
	}
}

// calledInTheBrowser looks at a call: it is announced, stands in the title,
// leads to the board, can be turned off, and goes.
func calledInTheBrowser(t *testing.T, tab *tab) {
	w, core := New(Config{}), &pretend{}
	tab.do(chromedp.Navigate(serve(t, w, core)))
	tab.until(`!document.getElementById("welcome").hidden`)
	tab.press(labelled("Help"))
	tab.until(`!document.querySelector(".busy")`)
	asker, _ := core.last()
	ref, err := w.Call(t.Context(), roomPlace, summons(asker.User, w.room.post(board(7, "Anna is to throw."))))
	if err != nil {
		t.Fatal(err)
	}
	tab.until(`document.querySelector("#calls .call")`)
	if text := ask[string](tab, `document.getElementById("calls").innerText`); !strings.Contains(text, "<b>Anna, it is your turn: Shut the Box.") {
		t.Errorf("it says %q", text)
	}
	if title := ask[string](tab, `document.title`); !strings.HasPrefix(title, "● Your turn · Knobel") {
		t.Errorf("the title is %q", title)
	}
	everyLook(func(width int64, theme string) {
		tab.look(width, theme)
		if ask[bool](tab, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("at %d it is too wide", width)
		}
	})
	tab.picture("called")
	accessible(t, tab, "with a call")
	tab.press(labelled("To the board"))
	tab.press(labelled("Do not call me"))
	tab.until(`!document.querySelector(".busy")`)
	if ev, _ := core.last(); ev.Press != "1:7:0:/notify off" || ev.User != asker.User {
		t.Errorf("it is turned off by %+v", ev)
	}
	if err := w.Dismiss(t.Context(), roomPlace, ref); err != nil {
		t.Fatal(err)
	}
	tab.until(`!document.querySelector("#calls .call") && document.title.startsWith("Knobel")`)
}
