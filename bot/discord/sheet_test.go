package discord

import (
	"testing"

	"knobel/bot/chat"
)

func TestSheetIsABlockOfCode(t *testing.T) {
	got := sheet(chat.Sheet{
		Columns: []chat.SheetColumn{{Name: "An```na"}, {Name: "**Ben*", Seat: 1}},
		Rows:    []chat.SheetRow{{Label: "Pair", Short: "Pair", Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}}},
	})
	want := "```\n     Anˋˋˋna  **Ben*\nPair     24*       —\n```"
	if got != want {
		t.Errorf("the sheet is\n%s\nwant\n%s", got, want)
	}
}
