package telegram

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// tabled returns an answer with two tables between its lines.
func tabled() chat.Message {
	return chat.Message{Head: "2 payments <settle> all.", Small: "Small.",
		Lines: []string{"Chips: Anna +30 · Ben −30", "Ben → Anna 30", "@last"},
		Grids: []chat.Grid{
			{From: 0, To: 1, Caption: "Chips:", Rows: [][]string{{"Anna", "+30"}, {"Ben", "−30"}, {"…"}}},
			{From: 1, To: 2, Head: []string{"Pays", "To", "Amount"}, Rows: [][]string{{"Ben", "→ Anna", "30"}}},
		}}
}

func TestTablesAsRichMessages(t *testing.T) {
	const want = `<p>2 payments &lt;settle&gt; all.</p>` +
		`<table><tr><th colspan="2">Chips:</th></tr><tr><td>Anna</td><td align="right">+30</td></tr>` +
		`<tr><td>Ben</td><td align="right">−30</td></tr><tr><td colspan="2">…</td></tr></table>` +
		`<table><tr><th>Pays</th><th>To</th><th>Amount</th></tr><tr><td>Ben</td>` +
		`<td>→ Anna</td><td align="right">30</td></tr></table>` +
		"<p>@\u2060last</p><p><i>Small.</i></p>"
	if got := rich(tabled()); got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
	sheet := chat.Sheet{Asked: true, Columns: []chat.SheetColumn{{Name: "<b>An"}, {Name: "Ben", Seat: 1}},
		Rows: []chat.SheetRow{{Label: "Full house", Short: "Full",
			Cells: []chat.SheetCell{{Text: "24*"}, {Text: "—"}}}}}
	got, err := telegramtest.ParseRich(rich(chat.Message{Head: "The sheet.", Sheet: &sheet}))
	if want := "The sheet.\n<b>An Ben\nFull house 24* —"; got != want || err != nil {
		t.Errorf("the sheet is %q, %v; want %q", got, err, want)
	}
	wide := sheet
	for range 20 {
		wide.Columns = append(wide.Columns, chat.SheetColumn{Name: "x"})
	}
	broken := tabled()
	broken.Grids[1].To = 9
	pictured := tabled()
	pictured.Picture = &chat.Picture{}
	for what, m := range map[string]chat.Message{
		"a board": {Table: 7, Head: "x", Sheet: &sheet}, "a text": {Head: "x"},
		"too many columns":         {Head: "x", Sheet: &wide},
		"lines that are not there": broken, "a picture": pictured, "a sheet not asked for": {Sheet: &chat.Sheet{}},
	} {
		if got := rich(m); got != "" {
			t.Errorf("%s is drawn as %s", what, got)
		}
	}
	for _, word := range hostile() {
		m := tabled()
		m.Head, m.Lines[2], m.Grids[0].Rows[0][0], m.Small = word, word, word, word
		if _, err := telegramtest.ParseRich(rich(m)); err != nil && strings.TrimSpace(word) != "" {
			t.Errorf("%.40q: %v", word, err)
		}
	}
}
