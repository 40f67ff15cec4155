package discord

import (
	"testing"

	"knobel/bot"
)

func TestSheetIsABlockOfCode(t *testing.T) {
	got := sheet(bot.Sheet{
		Columns: []bot.SheetColumn{{Name: "An```na"}, {Name: "**Ben*", Seat: 1}},
		Rows:    []bot.SheetRow{{Label: "Pair", Short: "Pair", Cells: []bot.SheetCell{{Text: "24*"}, {Text: "—"}}}},
	})
	want := "```\n     Anˋˋˋna  **Ben*\nPair     24*       —\n```"
	if got != want {
		t.Errorf("the sheet is\n%s\nwant\n%s", got, want)
	}
}
