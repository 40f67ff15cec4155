// Package sets holds the rule sets of games on a score sheet. Their names, under which others sell games, only identify
// the rules.
package sets

import (
	"embed"

	"knobel/games"
	"knobel/games/sheet"
)

//go:embed words
var words embed.FS

// All returns the games of all rule sets in this package.
func All() []sheet.Game {
	return []sheet.Game{
		Kniffel(), Yatzy(), MaxiYatzy(), Generala(), Escalero(), Kismet(), Crag(), Balut(), Yamb(),
	}
}

// game returns the game of a set, to which it adds the words and the default variant "classic".
func game(set *sheet.Set) sheet.Game {
	set.Words = sheet.WithFamily(games.Folder(words, "words/"+set.Name))
	set.Variants = append([]games.Variant{{Name: "classic"}}, set.Variants...)
	return sheet.New(set)
}

// Needs common to several sets.
var (
	fullHouse = sheet.Groups(3, 2)
	straights = sheet.AnyOf(sheet.From(1, 5), sheet.From(2, 6))
)

// Points common to several sets.
var (
	used = sheet.Points{Count: sheet.Used}
	all  = sheet.Points{Count: sheet.AllDice}
)

// usedAnd returns points for a row: the sum of the dice that meet its need, plus more.
func usedAnd(more int) sheet.Points { return sheet.Points{Count: sheet.Used, Plus: more} }

// allAnd returns points for a row: the sum of all dice, plus more.
func allAnd(more int) sheet.Points { return sheet.Points{Count: sheet.AllDice, Plus: more} }

// Kniffel returns the game "kniffel", with Yahtzee as one of its variants.
func Kniffel() sheet.Game {
	return game(&sheet.Set{
		Name:    "kniffel",
		Minutes: 15, // measured: 15.1
		Options: [][]string{
			{"further", "0", "50", "100"},
			{"joker", "none", "forced", "free"},
		},
		Variants: []games.Variant{
			{Name: "yahtzee", Rules: games.Rules{"further": "100", "joker": "forced"}, Command: true},
		},
		Paper: kniffelPaper,
	})
}

// kniffelPaper returns the rules of Kniffel for the chosen options.
func kniffelPaper(c sheet.Chosen) sheet.Paper {
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

// Yatzy returns the game "yatzy", as it is played in Scandinavia.
func Yatzy() sheet.Game {
	return game(&sheet.Set{
		Name:    "yatzy",
		Minutes: 15, // measured: 17.4
		Options: [][]string{{"order", "free", "forced"}, {"bonus", "63", "42"}},
		Renewed: []sheet.Demand{{Option: "order", Value: "forced", Other: "bonus", Needs: "42"}},
		Paper:   yatzyPaper,
	})
}

// yatzyPaper returns the rules of Yatzy for the chosen options.
func yatzyPaper(c sheet.Chosen) sheet.Paper {
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

// MaxiYatzy returns the game "maxi-yatzy": Yatzy with six dice.
func MaxiYatzy() sheet.Game {
	return game(&sheet.Set{
		Name:    "maxi-yatzy",
		Minutes: 25, // measured: 23.2
		Options: [][]string{{"saved", "no", "yes"}},
		Paper:   maxiYatzyPaper,
	})
}

// maxiYatzyPaper returns the rules of Maxi Yatzy for the chosen options.
func maxiYatzyPaper(c sheet.Chosen) sheet.Paper {
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

// Generala returns the game "generala".
func Generala() sheet.Game {
	return game(&sheet.Set{
		Name:    "generala",
		Minutes: 10, // measured: 11.5
		Options: [][]string{
			{"first", "5", "0", "10"},
			{"served", "counts", "wins"},
			{"wrap", "no", "yes"},
			{"double", "no", "yes"},
		},
		Demands: []sheet.Demand{{Option: "served", Value: "wins", Other: "settle", Needs: "pool"}},
		Paper:   generalaPaper,
	})
}

// generalaPaper returns the rules of Generala for the chosen options.
func generalaPaper(c sheet.Chosen) sheet.Paper {
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

// Escalero returns the game "escalero", with poker dice: 9, 10, J, Q, K and A are the faces 1 to 6.
func Escalero() sheet.Game {
	return game(&sheet.Set{
		Name:    "escalero",
		Minutes: 10, // measured: 11.5
		Options: [][]string{{"columns", "1", "3"}},
		Paper:   escaleroPaper,
	})
}

// escaleroPaper returns the rules of Escalero for the chosen options.
func escaleroPaper(c sheet.Chosen) sheet.Paper {
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

// Kismet returns the game "kismet", with dice of three colours: 1 and 6 are black, 2 and 5 red, 3 and 4 green.
func Kismet() sheet.Game {
	return game(&sheet.Set{
		Name:    "kismet",
		Minutes: 15, // measured: 17.3
		Options: [][]string{{"strict", "yes", "no"}},
		Paper:   kismetPaper,
	})
}

// kismetPaper returns the rules of Kismet for the chosen options.
func kismetPaper(c sheet.Chosen) sheet.Paper {
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

// Crag returns the game "crag": three dice, two throws.
func Crag() sheet.Game {
	return game(&sheet.Set{Name: "crag",
		Minutes: 10, // measured: 11.0
		Paper:   cragPaper})
}

// cragPaper returns the rules of Crag.
func cragPaper(sheet.Chosen) sheet.Paper {
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

// Balut returns the game "balut": seven rows, each of which is filled four times.
func Balut() sheet.Game {
	return game(&sheet.Set{Name: "balut",
		Minutes: 30, // measured: 31.5
		Paper:   balutPaper})
}

// balutPaper returns the rules of Balut.
func balutPaper(sheet.Chosen) sheet.Paper {
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

// Yamb returns the game "yamb": several columns, each filled in a different order.
func Yamb() sheet.Game {
	return game(&sheet.Set{
		Name:    "yamb",
		Minutes: 60, // measured: 64.4
		Options: [][]string{{"columns", "4", "2", "1"}},
		Paper:   yambPaper,
	})
}

// yambPaper returns the rules of Yamb for the chosen options.
func yambPaper(c sheet.Chosen) sheet.Paper {
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
