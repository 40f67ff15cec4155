package sets

import "knobel/games/sheet"

// Escalero returns the game "escalero", with poker dice: 9, 10, J, Q, K and A are the faces 1 to 6.
func Escalero() sheet.Game {
	return game(&sheet.Set{
		Name:    "escalero",
		Options: [][]string{{"columns", "1", "3"}},
		Paper:   escalero,
	})
}

func escalero(c sheet.Chosen) sheet.Paper {
	columns := map[string][]sheet.Column{"3": {{Name: "1"}, {Name: "2"}, {Name: "3"}}}
	served := func(points, more int) sheet.Points { return sheet.Points{Plus: points, Served: more} }
	faces := sheet.Faces()
	for i, name := range []string{"nines", "tens", "jacks", "queens", "kings", "aces"} {
		faces[i].Name = name
	}
	return sheet.Paper{
		Dice: 5, Throws: 3, Columns: columns[c["columns"]],
		Sections: []sheet.Section{{Rows: faces}, {Rows: []sheet.Row{
			{Name: "straight", Need: straights, Points: served(20, 5)},
			{Name: "full", Need: fullHouse, Points: served(30, 5)},
			{Name: "poker", Need: sheet.Equal(4), Points: served(40, 5)},
			{Name: "grande", Need: sheet.Equal(5), Points: served(50, 30), Cheers: true},
		}}},
	}
}
