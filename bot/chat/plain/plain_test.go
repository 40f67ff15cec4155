package plain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/games"
)

func board() chat.Message {
	return chat.Message{
		Table: 7, Lang: "en", Head: "Anna threw 5 and 6: close 11.",
		Tiles: []chat.TileRow{{Tiles: []chat.Tile{{Number: 9, Open: true}, {Number: 10, Open: true, Picked: true},
			{Number: 11}}}},
		Dice: []chat.Die{{Face: 5, Sides: 6}, {Face: 6, Sides: 6}},
		People: []chat.Person{
			{Seat: 0, User: "terminal:0", Name: "Anna", Text: "19 open", State: games.ToMove},
			{Seat: 1, User: "terminal:1", Name: "Ben"},
		},
		Exact: []chat.Exact{{Before: "Luck of Anna: ", Text: "@evil.com"}},
		Lines: []string{"Pool 20 chips"},
		Deadline: &chat.Deadline{At: 1_700_000_000, Before: "The house plays this turn ", Clock: "at 21:40",
			After: "."},
		Small: "Dice seal 3fa9c1d20b77",
		Buttons: [][]chat.Button{{{Label: "9+2", Press: "a"}, {Label: "8+3", Press: "b"}},
			{{Label: "Dice ✓", Press: "c"}}},
	}
}

func TestDrawn(t *testing.T) {
	platformtest.Draws(t, func(m chat.Message) string { return Text(m, "") })
}

// The numbers typed for an answer's buttons begin with a sign, such as ".": without it they mean the board's buttons.
func TestRenderAnswer(t *testing.T) {
	if text := Text(board(), "."); !strings.HasSuffix(text, "\n  .1) 9+2  .2) 8+3\n  .3) Dice ✓\n") {
		t.Errorf("it looks otherwise:\n%s", text)
	}
	for typed, want := range map[string]string{".1": "a", ".3": "c", "8+3": "b", "1": "", ".4": "", ".": ""} {
		if got, ok := Find(Choices(board(), "."), typed); got.Press != want || ok != (want != "") {
			t.Errorf("typing %q finds %q (%v), want %q", typed, got.Press, ok, want)
		}
	}
}

func TestRenderPicture(t *testing.T) {
	m := chat.Message{Head: "Anna's balance.", Lines: []string{"+12"},
		Picture: &chat.Picture{PNG: []byte("png"), More: "It rises\x1b[2J\nto +12."}}
	if d := cmp.Diff("Anna's balance.\n  +12\n  It rises[2J to +12.\n", Text(m, "")); d != "" {
		t.Errorf("a picture is told otherwise (-want +got):\n%s", d)
	}
}

// File returns JSON as text, and "" for other files.
func TestRenderFile(t *testing.T) {
	for kind, want := range map[string]string{
		"application/json":              "  {\n    \"name\": \"Anna[2J\"\n  }\n",
		"application/json; charset=utf": "  {\n    \"name\": \"Anna[2J\"\n  }\n",
		"image/png":                     "",
	} {
		f := chat.File{Type: kind, Bytes: []byte("{\n  \"name\": \"Anna\x1b[2J\"\n}\n")}
		if d := cmp.Diff(want, File(&f)); d != "" {
			t.Errorf("%s looks otherwise (-want +got):\n%s", kind, d)
		}
	}
	if got := File(nil); got != "" {
		t.Errorf("no file is %q", got)
	}
}

func TestFind(t *testing.T) {
	for typed, want := range map[string]string{"a": "a", "C": "c", "8+3": "b", "dice ✓": "c", "0": "", "1": "", "d": "",
		"-1": "", "": "", "nine": ""} {
		got, ok := Find(Choices(board(), ""), typed)
		if got.Press != want || ok != (want != "") {
			t.Errorf("typing %q finds %q (%v), want %q", typed, got.Press, ok, want)
		}
	}
}

func TestHostileTextIsShownNotObeyed(t *testing.T) {
	m := board()
	for _, text := range []string{"\x1b[2J\x1b]0;owned\x07", "Anna\nBen wins", "\u202eannA", "a\u0000b",
		strings.Repeat("x", 4000)} {
		m.Head, m.People[0].Name, m.Buttons[0][0].Label = text, text, text
		for _, r := range Text(m, "") {
			if r != '\n' && (r < ' ' || r == 0x7f || r == 0x202e) {
				t.Errorf("%q reaches the screen with %U", text, r)
			}
		}
		if lines := strings.Count(Text(m, ""), "\n"); lines != strings.Count(Text(board(), ""), "\n") {
			t.Errorf("%q makes a board of %d lines", text, lines)
		}
	}
}

// pickingBoard returns a board on which tiles are chosen one by one; done are further buttons.
func pickingBoard(done ...chat.Button) chat.Message {
	m := chat.Message{
		Tiles: []chat.TileRow{{Tiles: []chat.Tile{{Number: 2, Open: true}, {Number: 3, Open: true, Picked: true},
			{Number: 16, Open: true}}}},
		Buttons: [][]chat.Button{{{Label: "3✓", Press: "three"}, {Label: "2", Press: "two"}},
			{{Label: "16", Press: "sixteen"}}},
	}
	if done != nil {
		m.Buttons = append(m.Buttons, done)
	}
	return m
}

func TestTilesAreCalledByTheirNumbers(t *testing.T) {
	m := pickingBoard(chat.Button{Label: "Close these", Press: "done", Style: games.Primary},
		chat.Button{Label: "Help", Press: "help"})
	if text := Text(m, ""); !strings.Contains(text, "\n  3✓  2\n  16\n  a) Close these  b) Help\n") {
		t.Errorf("it looks otherwise:\n%s", text)
	}
	for typed, want := range map[string]string{"2": "two", "3": "three", "16": "sixteen", "a": "done", "B": "help",
		"close these": "done", "1": "", "c": "", "3✓": "three"} {
		if got, ok := Find(Choices(m, ""), typed); got.Press != want || ok != (want != "") {
			t.Errorf("typing %q finds %q (%v), want %q", typed, got.Press, ok, want)
		}
	}
}

func TestEnterGoesOn(t *testing.T) {
	ready := chat.Button{Label: "Close these", Press: "done", Style: games.Primary}
	chosen := pickingBoard()
	chosen.Buttons = [][]chat.Button{{{Label: "3✓", Press: "three"}, {Label: "2✓", Press: "two"}}}
	stopping := board()
	stopping.Buttons = [][]chat.Button{{{Label: "Throw 2 dice", Press: "throw"},
		{Label: "Stop with 350", Press: "stop", Style: games.Primary}}}
	for name, c := range map[string]struct {
		m    chat.Message
		want string
	}{
		"the first button":         {board(), "a"},
		"the primary one":          {stopping, "stop"},
		"a tile not chosen yet":    {pickingBoard(), "two"},
		"what ends the choice":     {pickingBoard(ready), "done"},
		"what has all been chosen": {chosen, "three"},
		"nothing":                  {chat.Message{}, ""},
	} {
		if got, ok := Usual(c.m); got.Button.Press != c.want || ok != (c.want != "") {
			t.Errorf("%s: Enter presses %q (%v), want %q", name, got.Button.Press, ok, c.want)
		}
	}
}

// If a board has no tiles, or two buttons with the same number, no button chooses a tile: all are numbered in order.
func TestOtherNumbersAreNoTiles(t *testing.T) {
	m := pickingBoard()
	m.Tiles = nil
	if got, _ := Find(Choices(m, ""), "2"); got.Press != "two" || !strings.Contains(Text(m, ""), "2) 2") {
		t.Errorf("without tiles buttons are not numbered:\n%s", Text(m, ""))
	}
	m = pickingBoard(chat.Button{Label: "2", Press: "two again"})
	if !strings.Contains(Text(m, ""), "4) 2") {
		t.Errorf("with two alike buttons are not numbered:\n%s", Text(m, ""))
	}
}
