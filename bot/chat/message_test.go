package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/fakes"
	"knobel/games"
)

// sheetOf returns a score sheet with a column for each of seats seats; first is the name of the first seat.
func sheetOf(first string, seats int) Sheet {
	s := Sheet{}
	names := []string{first, "Ben", "Clara", "Dora", "Emil", "Fritz"}
	for i := range seats {
		s.Columns = append(s.Columns, SheetColumn{Seat: i, Name: names[i]})
	}
	row := func(label, short string, sum bool, texts ...string) {
		r := SheetRow{Label: label, Short: short, Sum: sum}
		for i := range seats {
			r.Cells = append(r.Cells, SheetCell{Text: texts[i%len(texts)], Mark: games.Written})
		}
		s.Rows = append(s.Rows, r)
	}
	row("Ones", "Ones", false, "−1", "0", "+1")
	row("Upper section", "Upper", true, "+50", "−4", "·")
	row("Small straight", "Sm. str.", false, "30*", "—", "·")
	row("Total", "Total", true, "111", "142", "63")
	return s
}

// Sheets for a phone. If one is too wide, it is split into even parts, each with the names of its columns; a seat with
// several columns has a separate part, with signs above the columns.
func TestSheetText(t *testing.T) {
	s := sheetOf("Anna-Maria von und zu", 2)
	one, columns := s.Columns, []SheetColumn(nil)
	for i, row := range s.Rows {
		s.Rows[i].Cells = nil
		for _, c := range row.Cells {
			s.Rows[i].Cells = append(s.Rows[i].Cells, c, SheetCell{Text: "1"}, SheetCell{Text: "1234"}, SheetCell{})
		}
	}
	for _, c := range one {
		for _, sign := range []string{"↓", "↕", "↑", "call"} {
			columns = append(columns, SheetColumn{Seat: c.Seat, Name: c.Name, Sign: sign, Column: sign})
		}
	}
	s.Columns = columns
	var drawn strings.Builder
	for _, sheet := range []Sheet{sheetOf("Anna", 3), sheetOf("Anna", 5), s} {
		drawn.WriteString(strings.Join(sheet.Text(30), "\n") + "\n==\n")
	}
	fakes.Golden(t, "sheets.txt", drawn.String())
}

// The numbers of computer players tell their columns apart.
func TestShortNamesKeepTheirNumber(t *testing.T) {
	for name, want := range map[string]string{"Computer 2": "Co…2", "Computer 12": "C…12", "Computer": "Com…",
		"B 2": "B 2", "Zoë 2": "Zoë2", "Anna Ben": "Ann…", "Anna 2000": "Ann…"} {
		if got := shortenName(name, 4); got != want {
			t.Errorf("%q is %q in 4 characters, want %q", name, got, want)
		}
	}
}

func TestSheetTextIsAtMostSoWide(t *testing.T) {
	for seats := 1; seats <= 4; seats++ {
		for _, name := range []string{"A", "Anna-Maria von und zu", "😀😀😀😀😀😀", "", Isolate("شطرنج بطل الملك كله")} {
			lines := sheetOf(name, seats).Text(30)
			if len(lines) != 4+1+2 {
				t.Fatalf("%d lines for %d seats:\n%s", len(lines), seats, strings.Join(lines, "\n"))
			}
			for _, line := range lines {
				open, closed := strings.Count(line, "\u2068"), strings.Count(line, "\u2069")
				if n := utf8.RuneCountInString(line) - open - closed; n > 30 || open != closed {
					t.Errorf("%d seats, %q: %d characters: %q", seats, name, n, line)
				}
			}
			for _, whole := range []string{"30*", "111", "Sm. str."} {
				if text := strings.Join(lines, "\n"); !strings.Contains(text, whole) &&
					!strings.Contains(text, "Small straight") {
					t.Errorf("%d seats: %q is cut off:\n%s", seats, whole, text)
				}
			}
		}
	}
	if lines := (Sheet{}).Text(30); lines != nil {
		t.Errorf("a sheet of nobody is %q", fmt.Sprint(lines))
	}
}

// Empty columns are left out with their names; rows across all columns do not count.
func TestATableHasNoEmptyColumn(t *testing.T) {
	var m Message
	m.Grid(Grid{From: 1, To: 4, Caption: "Evenings", Head: []string{"Evening", "Total", "Best", "Worst"},
		Rows: [][]string{{"chips", "+3", "", ""}, {"…"}, {"points", "", "", ""}}})
	m.Grid(Grid{Head: []string{"Player", "±"}, Rows: [][]string{{"Anna", ""}, {"Ben", "± 2"}}})
	m.Grid(Grid{Head: []string{"Player"}, Rows: [][]string{{"…"}}})
	want := []Grid{
		{From: 1, To: 4, Caption: "Evenings", Head: []string{"Evening", "Total"},
			Rows: [][]string{{"chips", "+3"}, {"…"}, {"points", ""}}},
		{Head: []string{"Player", "±"}, Rows: [][]string{{"Anna", ""}, {"Ben", "± 2"}}},
		{Head: []string{"Player"}, Rows: [][]string{{"…"}}},
	}
	if diff := cmp.Diff(want, m.Grids); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

func TestPressIsStrict(t *testing.T) {
	fakes.Cases(t, "presses.txt", func(text string) string {
		p, ok := ParsePress(text)
		if !ok {
			return "invalid"
		}
		return p.String()
	})
}

func FuzzPress(f *testing.F) {
	for _, seed := range []string{"1:7:12:shut 9+2", "1:0:0:/rules golf", "1:1:0:!set a=b", "1:1:0:!", "1:1:0:/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := ParsePress(text)
		if !ok {
			return
		}
		if p.String() != text || len(text) > MaxPress {
			t.Errorf("%q is read as %+v", text, p)
		}
		_, _, verb := p.Verb()
		_, _, command := p.Command()
		if verb && command {
			t.Errorf("%q is two things", text)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"Anna", "\u202e\u2066x", "a\u0301\u0301\u0301", "👩\u200d👩\u200d👧", "\xff",
		strings.Repeat("x ", 4000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		cleaned := OneLine(name, MaxName)
		if OneLine(cleaned, MaxName) != cleaned {
			t.Errorf("%q becomes %q, then %q", name, cleaned, OneLine(cleaned, MaxName))
		}
		if len([]rune(cleaned)) > MaxName || strings.ContainsAny(cleaned, "\n\r\t\x00\u202e\u2028") {
			t.Errorf("%q becomes %q", name, cleaned)
		}
	})
}

func TestWhatIsOverIsForgotten(t *testing.T) {
	var r Recent[int]
	now := time.Now()
	if !r.Add(1, now, time.Minute) || r.Add(1, now.Add(time.Second), time.Minute) || !r.Has(1, now) {
		t.Error("the first is told from the second")
	}
	r.Forget(1)
	for n := range 5000 {
		if !r.Add(n, now.Add(time.Duration(n)*time.Second), time.Minute) {
			t.Errorf("%d is known", n)
		}
	}
	if len(r.until) > 1100 || !r.Has(4999, now) || r.Has(1, now.Add(time.Hour)) {
		t.Errorf("%d are known", len(r.until))
	}
}
