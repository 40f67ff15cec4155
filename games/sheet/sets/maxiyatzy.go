package sets

import "knobel/games/sheet"

// MaxiYatzy returns the game "maxi-yatzy": Yatzy with six dice.
func MaxiYatzy() sheet.Game {
	return game(&sheet.Set{
		Name:    "maxi-yatzy",
		Options: [][]string{{"saved", "no", "yes"}},
		Paper:   maxiYatzy,
	})
}

func maxiYatzy(c sheet.Chosen) sheet.Paper {
	return sheet.Paper{
		Dice: 6, Throws: 3, Saves: c.Is("saved", "yes"),
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: 84, Points: 100}}},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "pair", Need: sheet.Equal(2), Points: used},
				{Name: "two-pairs", Need: sheet.Groups(2, 2), Points: used},
				{Name: "three-pairs", Need: sheet.Groups(2, 2, 2), Points: used},
				{Name: "three", Need: sheet.Equal(3), Points: used},
				{Name: "four", Need: sheet.Equal(4), Points: used},
				{Name: "five", Need: sheet.Equal(5), Points: used},
				{Name: "small-straight", Need: sheet.AnyOf(sheet.From(1, 5)), Points: used},
				{Name: "big-straight", Need: sheet.AnyOf(sheet.From(2, 6)), Points: used},
				{Name: "full-straight", Need: sheet.AnyOf(sheet.From(1, 6)), Points: used},
				{Name: "full-house", Need: fullHouse, Points: used},
				{Name: "villa", Need: sheet.Groups(3, 3), Points: used},
				{Name: "tower", Need: sheet.Groups(4, 2), Points: used},
				{Name: "chance", Points: all},
				{Name: "maxi-yatzy", Need: sheet.Equal(6), Points: sheet.Fixed(100), Cheers: true},
			}},
		},
	}
}
