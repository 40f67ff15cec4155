package sets

import "knobel/games/sheet"

// Kismet returns the game "kismet", with dice of three colours: 1 and 6 are black, 2 and 5 red, 3 and 4 green.
func Kismet() sheet.Game {
	return game(&sheet.Set{
		Name:    "kismet",
		Options: [][]string{{"strict", "yes", "no"}},
		Paper:   kismet,
	})
}

func kismet(c sheet.Chosen) sheet.Paper {
	groups := func(colour bool, n ...int) sheet.Need {
		return sheet.Need{Groups: n, Colour: colour, Shared: c.Is("strict", "no")}
	}
	return sheet.Paper{
		Dice: 5, Throws: 3, Colours: []int{0, 1, 2, 2, 1, 0},
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{
				{From: 63, Points: 35}, {From: 71, Points: 55}, {From: 78, Points: 75},
			}},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "colour-pairs", Need: groups(true, 2, 2), Points: all},
				{Name: "three", Need: sheet.Equal(3), Points: all},
				{Name: "straight", Need: straights, Points: sheet.Fixed(30)},
				{Name: "flush", Need: sheet.Need{Colour: true}, Points: sheet.Fixed(35)},
				{Name: "full-house", Need: groups(false, 3, 2), Points: allAnd(15)},
				{Name: "colour-house", Need: groups(true, 3, 2), Points: allAnd(20)},
				{Name: "four", Need: sheet.Equal(4), Points: allAnd(25)},
				{Name: "yarborough", Points: all},
				{Name: "kismet", Need: sheet.Equal(5), Points: allAnd(50), Cheers: true},
			}},
		},
	}
}
