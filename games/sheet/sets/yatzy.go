package sets

import "knobel/games/sheet"

// Yatzy returns the game "yatzy", as it is played in Scandinavia.
func Yatzy() sheet.Game {
	return game(&sheet.Set{
		Name:    "yatzy",
		Options: [][]string{{"order", "free", "forced"}, {"bonus", "63", "42"}},
		Renewed: []sheet.Demand{{Option: "order", Value: "forced", Other: "bonus", Needs: "42"}},
		Paper:   yatzy,
	})
}

func yatzy(c sheet.Chosen) sheet.Paper {
	p := sheet.Paper{
		Dice: 5, Throws: 3,
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: c.Number("bonus"), Points: 50}}},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "pair", Need: sheet.Equal(2), Points: used},
				{Name: "two-pairs", Need: sheet.Groups(2, 2), Points: used},
				{Name: "three", Need: sheet.Equal(3), Points: used},
				{Name: "four", Need: sheet.Equal(4), Points: used},
				{Name: "small-straight", Need: sheet.AnyOf(sheet.From(1, 5)), Points: used},
				{Name: "big-straight", Need: sheet.AnyOf(sheet.From(2, 6)), Points: used},
				{Name: "full-house", Need: fullHouse, Points: all},
				{Name: "chance", Points: all},
				{Name: "yatzy", Need: sheet.Equal(5), Points: sheet.Fixed(50), Cheers: true},
			}},
		},
	}
	if c.Is("order", "forced") {
		p.Order = sheet.Top
	}
	return p
}
