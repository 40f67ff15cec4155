package telegram

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

func TestSheetIsSetInOneWidth(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Anna keeps 4.", Sheet: &chat.Sheet{
		Asked:   true,
		Columns: []chat.SheetColumn{{Name: "<b>An"}, {Name: "Ben", Seat: 1}},
		Rows:    []chat.SheetRow{{Label: "Pair", Short: "Pair", Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}}},
	}}
	text, err := telegramtest.ParseHTML(draw(m))
	if err != nil {
		t.Fatal(err)
	}
	want := "Anna keeps 4.\n\n       <b>An     Ben\nPair     24*       —"
	if strings.TrimSpace(text) != want {
		t.Errorf("the sheet is\n%s\nwant\n%s", text, want)
	}
	if !strings.Contains(draw(m), "<code>Pair     24*       —</code>") {
		t.Errorf("a row is not in letters of one width:\n%s", draw(m))
	}
}
