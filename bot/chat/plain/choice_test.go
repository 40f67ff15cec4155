package plain

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
)

// picking returns a board on which tiles are chosen one by one.
func picking(done ...chat.Button) chat.Message {
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
	m := picking(chat.Button{Label: "Close these", Press: "done", Style: games.Primary},
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
	chosen := picking()
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
		"a tile not chosen yet":    {picking(), "two"},
		"what ends the choice":     {picking(ready), "done"},
		"what has all been chosen": {chosen, "three"},
		"nothing":                  {chat.Message{}, ""},
	} {
		if got, ok := Usual(c.m); got.Button.Press != c.want || ok != (c.want != "") {
			t.Errorf("%s: Enter presses %q (%v), want %q", name, got.Button.Press, ok, c.want)
		}
	}
}

// Dice have equal faces, and without tiles a number is no tile.
func TestOtherNumbersAreNoTiles(t *testing.T) {
	m := picking()
	m.Tiles = nil
	if got, _ := Find(Choices(m, ""), "2"); got.Press != "two" || !strings.Contains(Text(m, ""), "2) 2") {
		t.Errorf("without tiles buttons are not numbered:\n%s", Text(m, ""))
	}
	m = picking(chat.Button{Label: "2", Press: "two again"})
	if !strings.Contains(Text(m, ""), "4) 2") {
		t.Errorf("with two alike buttons are not numbered:\n%s", Text(m, ""))
	}
}
