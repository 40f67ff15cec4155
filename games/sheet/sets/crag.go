package sets

import "knobel/games/sheet"

// Crag returns the game "crag": three dice, two throws.
func Crag() sheet.Game { return game(&sheet.Set{Name: "crag", Paper: crag}) }

func crag(sheet.Chosen) sheet.Paper {
	of := func(faces ...int) sheet.Need { return sheet.AnyOf(faces) }
	return sheet.Paper{
		Dice: 3, Throws: 2,
		Sections: []sheet.Section{{Rows: sheet.Faces()}, {Rows: []sheet.Row{
			{Name: "odd", Need: of(1, 3, 5), Points: sheet.Fixed(20)},
			{Name: "even", Need: of(2, 4, 6), Points: sheet.Fixed(20)},
			{Name: "low", Need: of(1, 2, 3), Points: sheet.Fixed(20)},
			{Name: "high", Need: of(4, 5, 6), Points: sheet.Fixed(20)},
			{Name: "three", Need: sheet.Equal(3), Points: sheet.Fixed(25)},
			{Name: "thirteen", Need: sheet.Need{Total: 13}, Points: sheet.Fixed(26)},
			{Name: "crag", Need: sheet.Need{Total: 13, Pair: true}, Points: sheet.Fixed(50), Cheers: true},
		}}},
	}
}
