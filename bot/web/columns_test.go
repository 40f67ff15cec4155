package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"knobel/bot/chat"
	"knobel/games"
)

// columned is a board with a sheet of four columns for each of some seats.
func columned(seats ...string) chat.Message {
	m := chat.Message{
		Table: 9, Lang: "de", Accent: 0, Head: "Anna hat 5 5 2 3 1 geworfen. Noch zwei Würfe.",
		State: chat.State{Turn: 7, Live: true}, Sheet: &chat.Sheet{},
		Buttons: [][]chat.Button{{{Label: "Schreiben…", Press: "1:9:7:!show write"}}},
	}
	for _, face := range []int{5, 5, 2, 3, 1} {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6})
	}
	for seat, name := range seats {
		m.People = append(m.People, chat.Person{Seat: seat, Name: name, Text: "83", State: games.Waiting})
		for i, sign := range []string{"↓", "↕", "↑", "an"} {
			m.Sheet.Columns = append(m.Sheet.Columns, chat.SheetColumn{Seat: seat, Name: name, Sign: sign,
				Column: []string{"abwärts", "frei", "aufwärts", "angesagt"}[i]})
		}
	}
	for n, label := range []string{"Einser", "Zweier", "Dreier", "Vierer", "Fünfer", "Sechser", "Oberer Teil", "Bonus",
		"Maximum", "Minimum", "Produkt", "Drilling", "Straße", "Full House", "Poker", "Yamb", "Unterer Teil", "Spalte",
		"Summe"} {
		row := chat.SheetRow{Label: label, Short: label, Sum: n == 6 || n == 7 || n == 10 || n > 15}
		for i := range m.Sheet.Columns {
			cell := chat.SheetCell{Text: "·", Mark: games.Open}
			switch {
			case row.Sum && n == 18 && i%4 > 0:
				cell = chat.SheetCell{Mark: games.Blank}
			case row.Sum || n < 5 && i == 0:
				cell = chat.SheetCell{Text: fmt.Sprint(n * 57), Mark: games.Written}
			case n == 5 && i == 0:
				cell.Press, cell.Label = "1:9:7:write down sixes", "↓ Sechser 0"
			case n == 15 && i%4 == 2:
				cell.Press, cell.Label = "1:9:7:strike up yamb", "— ↑ Yamb streichen"
			case i == 3:
				cell.Press, cell.Label = fmt.Sprint("1:9:7:call row-", n), label+" ansagen"
			}
			row.Cells = append(row.Cells, cell)
		}
		m.Sheet.Rows = append(m.Sheet.Rows, row)
	}
	return m
}

// The columns of a seat stand below its name, each below its sign, and each is read out by its name.
func columnsShown(t *testing.T, tab *tab) {
	w := New(Config{})
	url := serve(t, w, &pretend{})
	tab.do(chromedp.Navigate(url + "/table"))
	tab.until(welcomed)
	for i, seats := range [][]string{{"Anna"}, {"Anna", "Ben <b>*_[x](y)@everyone"}} {
		m := columned(seats...)
		m.Version = int64(i + 1)
		w.room.post(m)
		tab.until(fmt.Sprintf(newest+`.querySelectorAll(".signs th").length === %d`, 4*len(seats)))
		everyLook(func(width int64, theme string) {
			tab.look(width, theme)
			accessible(t, tab, fmt.Sprintf("columns of %d, %d %s", len(seats), width, theme))
			tab.picture(fmt.Sprintf("columns-%d-%d-%s", len(seats), width, theme))
		})
	}
	for what, want := range map[string]string{
		`[...` + newest + `.querySelectorAll(".pad thead tr:first-child th")].map((c) => c.colSpan).join()`: "4,4",
		`[...` + newest + `.querySelectorAll(".signs th")].map((c) => c.ariaLabel).slice(4).join()`: "abwärts,frei,aufwärts," +
			"angesagt",
		`[...` + newest + `.querySelectorAll(".pencil.strikes")].map((c) => c.ariaLabel).join()`: "— ↑ Yamb streichen," +
			"— ↑ Yamb streichen",
	} {
		if got := ask[string](tab, what); got != want {
			t.Errorf("%s is %q, want %q", what, got, want)
		}
	}
	if wide := ask[bool](tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than the window")
	}
}
