package sets

import "knobel/games/sheet"

// Yamb returns the game "yamb": several columns, each filled in an order of its own.
func Yamb() sheet.Game {
	return game(&sheet.Set{
		Name:    "yamb",
		Options: [][]string{{"columns", "4", "2", "1"}},
		Paper:   yamb,
	})
}

func yamb(c sheet.Chosen) sheet.Paper {
	columns := map[string][]sheet.Column{
		"2": {{Name: "down", Order: sheet.Down}, {Name: "free"}},
		"4": {
			{Name: "down", Order: sheet.Down}, {Name: "free"}, {Name: "up", Order: sheet.Up},
			{Name: "called", Order: sheet.Called},
		},
	}
	return sheet.Paper{
		Dice: 5, Throws: 3, Columns: columns[c["columns"]],
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: 60, Points: 30}}},
			{Name: "middle", Rows: []sheet.Row{{Name: "max", Points: all}, {Name: "min", Points: all}}, Times: "ones"},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "three", Need: sheet.Equal(3), Points: usedAnd(20)},
				{Name: "straight", Need: straights, Points: sheet.Points{ByThrow: []int{66, 56, 46}}},
				{Name: "full", Need: fullHouse, Points: allAnd(30)},
				{Name: "poker", Need: sheet.Equal(4), Points: usedAnd(40)},
				{Name: "yamb", Need: sheet.Equal(5), Points: usedAnd(50), Cheers: true},
			}},
		},
	}
}
