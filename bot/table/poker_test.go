package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

func TestSheetOnTheBoardAndBeside(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	anna.Presses("▶ Start")
	if m := anna.Board(); m.Sheet == nil || m.Sheet.Asked || len(m.Sheet.Columns) != 2 || len(m.Sheet.Rows) != 19 {
		t.Fatalf("the sheet is %+v", m.Sheet)
	}
	ben.Presses("Sheet")
	if m := anna.Board(); !m.Sheet.Asked {
		t.Error("the sheet was asked for")
	}
	anna.Presses("Throw")
	if m := anna.Board(); m.Sheet.Asked {
		t.Error("the sheet stays on the board")
	}
	r := anna.House.Person("Clara").Presses("Sheet") // who only looks on disturbs nobody
	if r.Private == nil || r.Private.Sheet == nil || len(r.Private.Sheet.Columns) != 2 || r.Board != 0 {
		t.Errorf("Clara sees %+v", r)
	}
	anna.Presses("Write…")
	r = ben.Presses("Sheet")
	if page := anna.Table().Page; page != "write" || r.Private == nil {
		t.Errorf("the page of Anna's rows is %q", page)
	}
	anna.Presses("Ones −1")
	row := anna.Board().Sheet.Rows[0]
	if row.Label != "Ones" || row.Cells[0] != (chat.SheetCell{Text: "−1", Mark: games.Written}) ||
		row.Cells[1] != (chat.SheetCell{Text: "·", Mark: games.Open}) {
		t.Errorf("the first row is %+v", row)
	}
	bare.Refused(t, anna.House.Person("Clara").Sends("1:2:0:!show sheet"),
		"That table is not here any more. /help opens another.")
}

func TestSheetOfManySeats(t *testing.T) {
	people := bare.PokerTable(t, "/wuerfelpoker", "Anna", "Ben")
	anna, ben := people[0], people[1]
	for range 8 {
		anna.Presses("+ House")
		anna.Presses("+ plays anything")
	}
	anna.House.Agree(ben)
	anna.Presses("▶ Start")
	m := anna.Board()
	if m.Sheet != nil || len(m.People) != 10 {
		t.Errorf("the board has %d totals and the sheet %v", len(m.People), m.Sheet)
	}
	r := ben.Presses("Sheet")
	if r.Private == nil || len(r.Private.Sheet.Columns) != 1 || r.Private.Sheet.Columns[0].Name != "Ben" {
		t.Fatalf("Ben sees %+v", r.Private)
	}
	var labels []string
	for _, b := range r.Private.Buttons[0] {
		labels = append(labels, b.Label)
		part := ben.Sends(b.Press)
		if part.Private == nil || len(part.Private.Sheet.Columns) == 0 || len(part.Private.Buttons[0]) != 2 {
			t.Errorf("%s shows %+v", b.Label, part.Private)
		}
	}
	if !slices.Equal(labels, []string{"1–4", "5–8", "9–10"}) {
		t.Errorf("parts %q", labels)
	}
	if r := anna.House.Person("Clara").Presses("Sheet"); len(r.Private.Sheet.Columns) != 4 {
		t.Errorf("who looks on sees %+v", r.Private.Sheet.Columns)
	}
}

func TestSheetIsReadableOnAPhone(t *testing.T) {
	names := []string{"Anna-Maria von und zu Würfelstein", "😀😀😀😀😀😀😀😀", "<b>*_[x](y)@everyone`", "\u202eشطرنج بطل الملك"}
	for seats := 1; seats <= 4; seats++ {
		for _, locale := range []string{"en", "de"} {
			house := bare.New(t, wuerfelpoker.New())
			var people []*bare.Person
			for i, name := range names[:seats] {
				p := house.Person(name)
				p.Locale = locale
				people = append(people, p)
				if i == 0 {
					p.Writes("/wuerfelpoker chance=double")
				} else {
					p.Sends("1:1:0:!join")
				}
			}
			people[0].Sends("1:1:0:!start")
			for range 4 {
				house.PressOn(people, 11)
				for _, line := range people[0].Board().Sheet.Text(30) {
					if n := utf8.RuneCountInString(strings.NewReplacer("\u2068", "", "\u2069",
						"").Replace(line)); n > 30 {
						t.Errorf("%d seats, %s: %d characters: %q", seats, locale, n, line)
					}
					if strings.Count(line, "\u2068") != strings.Count(line, "\u2069") {
						t.Errorf("%d seats: a name turns the rest of %q", seats, line)
					}
				}
			}
		}
	}
}

func TestWholeWuerfelpokerGameInGerman(t *testing.T) {
	house := bare.New(t, wuerfelpoker.New())
	anna, ben := house.Person("Anna"), house.Person("Ben")
	anna.Locale, ben.Locale = "de", "de"
	anna.Writes("/würfelpoker")
	ben.Presses("Mitspielen")
	anna.Presses("▶ Los")
	people := []*bare.Person{anna, ben}
	for range 400 {
		if anna.Table().State != store.Playing {
			break
		}
		house.Restart() // in the middle, again and again
		house.PressOn(people, 11)
		text := bare.Show(anna.Board())
		for _, english := range []string{"Throw", "throw", "Write", "Sheet", "Undo", "keeps", "Round", "Would"} {
			if strings.Contains(text, english) {
				t.Errorf("%q is not German:\n%s", english, text)
			}
		}
	}
	m := anna.Board()
	if !slices.Contains(m.Lines, "In Klammern: der Abstand zum Durchschnitt.") || !m.Sheet.Asked {
		t.Errorf("over:\n%s", bare.Show(m))
	}
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) != 1 || strings.Contains(lines[0], `"stake"`) {
		t.Errorf("records %q", lines)
	}
}

func TestEveryOptionIsPlayed(t *testing.T) {
	house := bare.New(t, wuerfelpoker.New())
	table := 0
	for _, o := range wuerfelpoker.New().Options() {
		for i, value := range o.Values {
			if i == 0 && table > 0 {
				continue // its default has been played with the others
			}
			table++
			anna := house.Person("Anna")
			anna.Place = chat.Place(fmt.Sprint("test:1/", o.Name, value))
			if r := anna.Writes("/wuerfelpoker " + o.Name + "=" + value); r.Refused {
				t.Fatal(r.Toast)
			}
			anna.Sends(fmt.Sprintf("1:%d:0:!house greedy", table))
			anna.Presses("▶ Start")
			house.PressOut([]*bare.Person{anna})
			if r := anna.Writes("/rules"); r.Private == nil || len(r.Private.Lines) < 5 {
				t.Errorf("%s=%s is explained by %+v", o.Name, value, r)
			}
		}
	}
	house.Sound()
	if lines := house.Export(review.Wanted{}); len(lines) != table || table != 16 {
		t.Errorf("%d records of %d tables", len(lines), table)
	}
}
