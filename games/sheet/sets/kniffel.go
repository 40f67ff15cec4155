package sets

import (
	"knobel/games"
	"knobel/games/sheet"
)

// Kniffel returns the game "kniffel", with Yahtzee as one of its variants.
func Kniffel() sheet.Game {
	return game(&sheet.Set{
		Name: "kniffel",
		Options: [][]string{
			{"further", "0", "50", "100"},
			{"joker", "none", "forced", "free"},
		},
		Variants: []games.Variant{
			{Name: "yahtzee", Rules: games.Rules{"further": "100", "joker": "forced"}, Command: true},
		},
		Paper: kniffel,
	})
}

func kniffel(c sheet.Chosen) sheet.Paper {
	jokers := map[string]sheet.Joker{"forced": sheet.ForcedJoker, "free": sheet.FreeJoker}
	return sheet.Paper{
		Dice: 5, Throws: 3,
		Again: sheet.Again{Row: "kniffel", Points: c.Number("further"), Joker: jokers[c["joker"]]},
		Sections: []sheet.Section{
			{Name: "upper", Rows: sheet.Faces(), Bonus: []sheet.Step{{From: 63, Points: 35}}},
			{Name: "lower", Rows: []sheet.Row{
				{Name: "three-alike", Need: sheet.Equal(3), Points: all},
				{Name: "four-alike", Need: sheet.Equal(4), Points: all},
				{Name: "full-house", Need: fullHouse, Points: sheet.Fixed(25)},
				{Name: "small-straight", Need: sheet.Run(4), Points: sheet.Fixed(30)},
				{Name: "large-straight", Need: sheet.Run(5), Points: sheet.Fixed(40)},
				{Name: "kniffel", Need: sheet.Equal(5), Points: sheet.Fixed(50), Cheers: true},
				{Name: "chance", Points: all},
			}},
		},
	}
}
