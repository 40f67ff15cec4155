package platformtest

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
)

// messages are the sample messages that Draws draws.
var messages = []struct {
	name string
	chat.Message
}{
	{"a board", chat.Message{
		Table: 7, Lang: "en", Head: "Anna rolled 5 and 6: close 11.", Told: []string{"24 is # to beat."}, Accent: 11,
		Tiles: []chat.TileRow{{Tiles: []chat.Tile{{Number: 9, Open: true}, {Number: 10, Open: true, Picked: true},
			{Number: 11}}}},
		Dice: []chat.Die{{Face: 5, Sides: 6}, {Face: 6, Sides: 6, Kept: true}},
		People: []chat.Person{{Name: "Anna", Text: "19 open", State: games.ToMove},
			{Seat: 1, Name: "Ben_ <b>", Text: "12", State: games.Done}, {Seat: 2, Name: "Computer", State: games.Won}},
		Exact: []chat.Exact{{Before: "@anna's luck word: ", Text: "@evil.com"}},
		Lines: []string{"Pool 20 chips"},
		Deadline: &chat.Deadline{At: 1_700_000_000, Before: "The computer plays this turn ", Clock: "at 21:40",
			After: "."},
		Guide: "New here? Press a sum.", Small: "Dice seal 3fa9c1d20b77",
		Buttons: [][]chat.Button{{{Label: "9+2", Press: "a", Style: games.Primary}, {Label: "8+3", Press: "b"}},
			{{Label: "🔒 Fair dice", Press: "c"}}},
	}},
	{"turns that have ended", chat.Message{
		Table: 7, Accent: -1,
		Head: "Nothing makes 10. Anna finishes on 24, and Ben, who has rolled only ones for a while, is next.",
		Tiles: []chat.TileRow{{Owner: "Anna", Tiles: []chat.Tile{{Number: 1}, {Number: 2, Open: true}},
			Dice: []chat.Die{{Face: 4, Sides: 6}, {Face: 6, Sides: 6}}},
			{Owner: "Ben", Dice: []chat.Die{{Face: 1, Sides: 6}}}},
	}},
	{"places", chat.Message{
		Table: 7, Head: "Ben wins with 5 points.", Accent: -1,
		People: []chat.Person{{Seat: 1, Name: "Ben_", Text: "5 points (+20)", State: games.Won, Place: 1},
			{Name: "Anna", Text: "12 points (−20)", State: games.Done, Place: 2}},
	}},
	{"a sheet", chat.Message{
		Table: 7, Head: "Anna keeps 4.", Accent: -1,
		Sheet: &chat.Sheet{Asked: true, Columns: []chat.SheetColumn{{Name: "<b>A```"}, {Name: "Ben", Seat: 1}},
			Rows: []chat.SheetRow{
				{Label: "Pair", Short: "Pair", Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}},
				{Label: "Total", Short: "Total", Sum: true, Cells: []chat.SheetCell{{Text: "24"}, {Text: "0"}}}}},
	}},
	{"an answer", chat.Message{
		Head: "# Shut the Box", Accent: -1, Folds: true, Small: "Small.",
		Lines: []string{"Roll.", "Close.\nAgain.", "3", "4", "5 < 6"},
	}},
	{"nothing", chat.Message{Table: 7, Accent: -1}},
}

// Draws compares the sample messages, drawn with draw, with testdata/drawn.txt, which -redraw rewrites.
func Draws(t *testing.T, draw func(chat.Message) string) {
	t.Helper()
	var drawn strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&drawn, "== %s\n%s\n", m.name, draw(m.Message))
	}
	fakes.Golden(t, "drawn.txt", drawn.String())
}

// Rows returns rows of button labels as text, in brackets.
func Rows(rows [][]string) (said string) {
	for _, row := range rows {
		said += "\n[" + strings.Join(row, "] [") + "]"
	}
	return said
}
