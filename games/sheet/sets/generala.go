package sets

import "knobel/games/sheet"

// Generala returns the game "generala".
func Generala() sheet.Game {
	return game(&sheet.Set{
		Name: "generala",
		Options: [][]string{
			{"first", "5", "0", "10"},
			{"served", "counts", "wins"},
			{"wrap", "no", "yes"},
			{"double", "no", "yes"},
		},
		Demands: []sheet.Demand{{Option: "served", Value: "wins", Other: "settle", Needs: "pool"}},
		Paper:   generala,
	})
}

func generala(c sheet.Chosen) sheet.Paper {
	first := func(points int) sheet.Points { return sheet.Points{Plus: points, First: c.Number("first")} }
	straight := straights
	if c.Is("wrap", "yes") {
		straight = sheet.AnyOf(sheet.From(1, 5), sheet.From(2, 6), []int{1, 3, 4, 5, 6})
	}
	rows := []sheet.Row{
		{Name: "straight", Need: straight, Points: first(20)},
		{Name: "full", Need: fullHouse, Points: first(30)},
		{Name: "poker", Need: sheet.Equal(4), Points: first(40)},
		{Name: "generala", Need: sheet.Equal(5), Points: sheet.Fixed(50), Cheers: true},
	}
	if c.Is("double", "yes") {
		again := sheet.Equal(5)
		again.With = "generala"
		rows = append(rows, sheet.Row{Name: "double-generala", Need: again, Points: sheet.Fixed(100), Cheers: true})
	}
	return sheet.Paper{
		Dice: 5, Throws: 3, Wins: c.Is("served", "wins"),
		Sections: []sheet.Section{{Rows: sheet.Faces()}, {Rows: rows}},
	}
}
