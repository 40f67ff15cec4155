// Package wuerfelpoker is Würfelpoker: five dice, a sheet of fifteen rows in two parts, and up to three throws for each
// row. It is a rule set for package sheet, which plays it.
package wuerfelpoker

import (
	"embed"

	"knobel/games"
	"knobel/games/sheet"
)

//go:embed words/*.toml
var words embed.FS

// New returns Würfelpoker, the game "wuerfelpoker". It is always settled by differences to the average.
func New() sheet.Game {
	return sheet.New(&sheet.Set{
		Name:    "wuerfelpoker",
		Minutes: 15, // measured: 16.2
		Options: [][]string{
			{"order", "parts", "free"},
			{"poker", "once", "doubled", "never"},
			{"first-throw", "double", "plain"},
			{"chance", "plain", "double"},
			{"miss", "strike", "deferred"},
			{"bonus", "plus", "minus", "both", "none"},
			{"four-as-two-pairs", "no", "yes"},
			{"five-as-full-house", "no", "yes"},
		},
		Variants:       []games.Variant{{Name: "classic"}},
		Paper:          paper,
		Explain:        explain,
		DifferenceOnly: true,
		Words:          games.Folder(words, "words"),
	})
}

// paper returns the rules of the sheet for the chosen options: its sections are the school and the combinations.
func paper(c sheet.Chosen) sheet.Paper {
	p := sheet.Paper{
		Dice: 5, Throws: 3, Misses: c.Is("miss", "deferred"), Order: sheet.Parts,
		Sections: []sheet.Section{
			{Name: "school", Rows: school(), Bonus: bonus(c)},
			{Name: "combinations", Rows: combinations(c)},
		},
	}
	if c.Is("order", "free") {
		p.Order = sheet.Free
	}
	return p
}

// school returns the rows of the faces. Three dice of a face give 0; each further die adds its face, each missing one
// subtracts it.
func school() []sheet.Row {
	rows := sheet.Faces()
	for i := range rows {
		rows[i].Points.Count = sheet.OverThree
	}
	return rows
}

// bonus returns the steps of the bonus for the sum of a complete school (the rows of faces); nil if there is no bonus.
func bonus(c sheet.Chosen) []sheet.Step {
	below, above := 0, 0
	if c.Is("bonus", "plus") || c.Is("bonus", "both") {
		above = 50
	}
	if c.Is("bonus", "minus") || c.Is("bonus", "both") {
		below = -50
	}
	if below == 0 && above == 0 {
		return nil
	}
	return []sheet.Step{{From: -3 * 21, Points: below}, {Points: above}}
}

// combinations returns the rows of the second section. Some options double rows that the first throw of a turn fills.
func combinations(c sheet.Chosen) []sheet.Row {
	first := func(when bool, doubled sheet.Doubling) sheet.Doubling {
		if c.Is("first-throw", "double") && when {
			return doubled
		}
		return sheet.Single
	}
	twice := first(true, sheet.Twice)
	used := sheet.Points{Count: sheet.Used, Doubled: twice}
	poker := sheet.Points{Count: sheet.Used, Plus: 50, Doubled: first(c.Is("poker", "once"), sheet.TwiceDice)}
	if c.Is("poker", "doubled") {
		poker.Doubled = twice
	}
	twoPairs, fullHouse := sheet.Groups(2, 2), sheet.Groups(3, 2)
	twoPairs.Shared, fullHouse.Shared = c.Is("four-as-two-pairs", "yes"), c.Is("five-as-full-house", "yes")
	chance := sheet.Points{Count: sheet.AllDice, Doubled: first(c.Is("chance", "double"), sheet.Twice)}
	return []sheet.Row{
		{Name: "pair", Need: sheet.Equal(2), Points: used},
		{Name: "two-pairs", Need: twoPairs, Points: used},
		{Name: "three", Need: sheet.Equal(3), Points: used},
		{Name: "small-straight", Need: sheet.AnyOf(sheet.From(1, 5)), Points: used},
		{Name: "big-straight", Need: sheet.AnyOf(sheet.From(2, 6)), Points: used},
		{Name: "full-house", Need: fullHouse, Points: used},
		{Name: "four", Need: sheet.Equal(4), Points: used},
		{Name: "poker", Need: sheet.Equal(5), Points: poker, Cheers: true},
		{Name: "chance", Points: chance},
	}
}

// say returns the line of this game with the message key "wuerfelpoker." + key.
func say(key string, args games.Args) games.Line { return games.Say("wuerfelpoker."+key, args) }

// explain returns the rules as sentences with examples.
func explain(c sheet.Chosen) []games.Line {
	choose := func(option, value, a, b string) games.Line {
		if c.Is(option, value) {
			return say("explain."+a, nil)
		}
		return say("explain."+b, nil)
	}
	lines := []games.Line{
		say("explain.goal", nil),
		say("explain.throws", nil),
		say("explain.order-"+c["order"], nil),
		say("explain.school", nil),
		say("explain.bonus-"+c["bonus"], nil),
		say("explain.equal", nil),
		choose("four-as-two-pairs", "yes", "two-pairs-four", "two-pairs"),
		say("explain.straights", nil),
		choose("five-as-full-house", "yes", "full-house-five", "full-house"),
		say("explain.poker", nil),
		say("explain.chance", nil),
	}
	if c.Is("first-throw", "double") {
		lines = append(lines, say("explain.first-double", nil), say("explain.first-poker-"+c["poker"], nil),
			choose("chance", "double", "first-chance", "first-no-chance"))
	} else {
		lines = append(lines, say("explain.first-plain", nil))
	}
	if c.Is("miss", "deferred") {
		lines = append(lines, choose("order", "free", "miss-deferred-free", "miss-deferred"))
	} else {
		lines = append(lines, say("explain.miss-strike", nil))
	}
	lines = append(lines, say("explain.settlement", nil))
	if point := c.Number(games.Point); point > 0 {
		lines = append(lines, say("explain.point", games.Args{"N": point}))
	}
	if c.Is(games.Hints, "yes") {
		lines = append(lines, say("explain.hints", nil))
	}
	return lines
}
