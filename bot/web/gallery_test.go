package web

import (
	"fmt"

	"knobel/bot/chat"
	"knobel/games"
)

// tiles is a row of tiles from 1 to most; shut says which lie.
func tiles(most int, shut ...int) []chat.Tile {
	row := make([]chat.Tile, most)
	for i := range row {
		row[i] = chat.Tile{Number: i + 1, Open: true}
	}
	for _, n := range shut {
		row[n-1].Open = false
	}
	return row
}

// gallery is one board of each kind.
func gallery() []chat.Message {
	plain := func(labels ...string) (row []chat.Button) {
		for i, l := range labels {
			b := chat.Button{Label: l, Press: fmt.Sprint("p", i)}
			if i == 0 {
				b.Style = games.Primary
			}
			row = append(row, b)
		}
		return row
	}
	lobby := chat.Message{
		Table: 1, Lang: "de", Accent: -1, Head: "Anna macht einen Tisch auf: Shut the Box um 10 Chips.",
		People: []chat.Person{{Seat: 0, Name: "Anna"}, {Seat: 1, Name: "Haus (solide)", House: true},
			{Seat: 2, Name: "Ben", Text: "reserviert"}},
		Lines:   []string{"Topf 30 Chips · ein Würfel erlaubt, wenn 7 8 9 zu sind"},
		Small:   "Würfelsiegel 3fa9c1d20b77",
		Buttons: [][]chat.Button{plain("Mitspielen", "Aufstehen"), plain("▶ Los", "+ Haus", "⚙ Regeln")},
	}
	lobby.Buttons[1][0].Style = games.Success
	play := chat.Message{
		Table: 2, Lang: "en", Accent: 2, Head: "Anna threw 5 and 6: close 11.",
		Tiles: []chat.TileRow{{Tiles: tiles(9, 1, 4)}},
		Dice:  []chat.Die{{Face: 5, Sides: 6}, {Face: 6, Sides: 6}},
		People: []chat.Person{{Seat: 0, Name: "Ben", Text: "12", State: games.Done},
			{Seat: 1, Name: "House 17", Text: "17", State: games.Done, House: true},
			{Seat: 2, Name: "Anna", State: games.ToMove}, {Seat: 3, Name: "Clara", State: games.Waiting}},
		Lines:   []string{"Pool 40 chips"},
		Buttons: [][]chat.Button{plain("9+2", "8+3", "6+5", "8+2+1"), plain("6+3+2", "5+3+2+1", "7+3+1")},
	}
	play.Buttons[1][0].Style = games.Plain
	duel := chat.Message{
		Table: 3, Lang: "en", Accent: 1, Head: "Ben is to throw.",
		Tiles: []chat.TileRow{{Owner: "Anna", Tiles: tiles(12, 1, 2, 9)},
			{Owner: "Ben <b>*_[x](y)@everyone", Tiles: tiles(12, 4, 7, 12)}},
		People: []chat.Person{{Seat: 0, Name: "Anna", State: games.Waiting},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone", State: games.ToMove}},
		Buttons: [][]chat.Button{plain("🎲🎲 Two dice", "🎲 One die")},
	}
	large := chat.Message{
		Table: 4, State: chat.State{Turn: 9}, Lang: "en", Accent: 0, Head: "Anna has 24 tiles and four dice.",
		Tiles: []chat.TileRow{{Tiles: tiles(24, 1, 13, 20)}},
		Dice: []chat.Die{{Face: 1, Sides: 6}, {Face: 2, Sides: 6}, {Face: 3, Sides: 6, Kept: true},
			{Face: 4, Sides: 6}},
	}
	large.Tiles[0].Tiles[4].Picked = true
	odd := chat.Message{
		Table: 5, State: chat.State{Turn: 1}, Lang: "en", Accent: -1, Head: "Dice of every kind.",
		Dice: []chat.Die{{Face: 17, Sides: 20}, {Face: 3, Sides: 4}, {Face: 7, Sides: 8}, {Face: 11, Sides: 12}},
	}
	over := chat.Message{
		Table: 6, Record: 6, Lang: "en", Accent: 0, Head: "Ben shut the box and takes 30 chips!",
		Told: []string{"8 does not fit. Anna has 9."},
		Tiles: []chat.TileRow{{Owner: "Ben", Tiles: tiles(9, 1, 2, 3, 4, 5, 6, 7, 8, 9),
			Dice: []chat.Die{{Face: 4, Sides: 6}, {Face: 2, Sides: 6}}}},
		People: []chat.Person{{Seat: 0, Name: "Ben", Text: "0 (+20)", State: games.Won},
			{Seat: 1, Name: "Anna", Text: "9 (−10)", State: games.Done},
			{Seat: 2, Name: "House", Text: "17 (−10)", State: games.Out, House: true}},
		Lines:   []string{"📦 Ben holds the box, since today, three times now."},
		Buttons: [][]chat.Button{plain("↻ Rematch", "Dice ✓")},
	}
	abandoned := chat.Message{
		Table: 7, State: chat.State{Turn: 4}, Lang: "de", Accent: -1,
		Head: "Der Tisch wurde vor der Zeit beendet. Alle haben ihre 10 Chips wieder.",
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "+10 zurück", State: games.Out},
			{Seat: 1, Name: "Ben", Text: "+10 zurück", State: games.Out}},
		Buttons: [][]chat.Button{plain("↻ Revanche")},
	}
	return []chat.Message{lobby, play, duel, large, odd, over, abandoned, paper()}
}

// paper is a board with dice to press and a sheet.
func paper() chat.Message {
	m := chat.Message{
		Table: 8, Lang: "en", Accent: 0, Head: "Anna keeps 4 4, one throw left.",
		People: []chat.Person{{Seat: 0, Name: "Anna", Text: "61", State: games.ToMove},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone", Text: "48", State: games.Waiting}},
		Lines: []string{"Part two, round 3 of 9.", "Would score now: pair 8 · chance 17."},
		Sheet: &chat.Sheet{Columns: []chat.SheetColumn{{Seat: 0, Name: "Anna"},
			{Seat: 1, Name: "Ben <b>*_[x](y)@everyone"}, {Seat: 2, Name: "Clara"}}},
		Buttons: [][]chat.Button{
			{{Label: "Throw 3 dice", Press: "throw", Style: games.Primary}, {Label: "Write…", Press: "write"},
				{Label: "Sheet", Press: "sheet"}},
		},
	}
	for i, face := range []int{4, 4, 1, 6, 2} {
		m.Dice = append(m.Dice, chat.Die{Face: face, Sides: 6, Kept: face == 4, Press: fmt.Sprint("die", i)})
	}
	row := func(label string, sum bool, texts ...string) {
		r := chat.SheetRow{Label: label, Short: label, Sum: sum}
		for _, text := range texts {
			mark := games.Written
			switch {
			case text == "·":
				mark = games.Open
			case text == "—":
				mark = games.Struck
			case text[len(text)-1] == '*':
				mark = games.Doubled
			}
			r.Cells = append(r.Cells, chat.SheetCell{Text: text, Mark: mark})
		}
		m.Sheet.Rows = append(m.Sheet.Rows, r)
	}
	row("Ones", false, "−1", "0", "+1")
	row("Twos", false, "0", "−2", "0")
	row("School", true, "+50", "−4", "+50")
	row("Pair", false, "24*", "12", "8")
	row("Poker", false, "—", "80", "·")
	row("Total", true, "111", "142", "63")
	return m
}
