package sets

import "knobel/games/sheet"

// Balut returns the game "balut": seven rows, each of which is filled four times.
func Balut() sheet.Game { return game(&sheet.Set{Name: "balut", Paper: balut}) }

func balut(sheet.Chosen) sheet.Paper {
	rows := append(sheet.Faces()[3:],
		sheet.Row{Name: "straight", Need: straights, Points: used},
		sheet.Row{Name: "full-house", Need: fullHouse, Points: all},
		sheet.Row{Name: "choice", Points: all},
		sheet.Row{Name: "balut", Need: sheet.Equal(5), Points: allAnd(20), Cheers: true})
	for i := range rows {
		rows[i].Places = 4
	}
	return sheet.Paper{
		Dice: 5, Throws: 3, Sections: []sheet.Section{{Rows: rows}},
		Final: &sheet.Final{
			Sums: []sheet.FinalSum{
				{Row: "fours", From: 52, Points: 2}, {Row: "fives", From: 65, Points: 2},
				{Row: "sixes", From: 78, Points: 2}, {Row: "choice", From: 100, Points: 2},
			},
			Clean: []sheet.FinalRow{{Row: "straight", Points: 4}, {Row: "full-house", Points: 3}},
			Each:  sheet.FinalRow{Row: "balut", Points: 2},
			Totals: []sheet.Step{
				{From: 0, Points: -2}, {From: 300, Points: -1}, {From: 350}, {From: 400, Points: 1},
				{From: 450, Points: 2}, {From: 500, Points: 3}, {From: 550, Points: 4}, {From: 600, Points: 5},
				{From: 650, Points: 6},
			},
		},
	}
}
