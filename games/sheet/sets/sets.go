// Package sets holds the rule sets of games on a score sheet, each in a file of its own. Their names are names of games
// that others sell; they are used here to say which rules are meant.
package sets

import (
	"embed"

	"knobel/games"
	"knobel/games/sheet"
)

//go:embed words
var words embed.FS

// All returns the games of the rule sets.
func All() []sheet.Game {
	return []sheet.Game{
		Kniffel(), Yatzy(), MaxiYatzy(), Generala(), Escalero(), Kismet(), Crag(), Balut(), Yamb(),
	}
}

// game makes the game of a set, with its words and a variant of all defaults where it has no other.
func game(set *sheet.Set) sheet.Game {
	set.Words = sheet.WithFamily(games.Folder(words, "words/"+set.Name))
	set.Variants = append([]games.Variant{{Name: "classic"}}, set.Variants...)
	return sheet.New(set)
}

// The needs that several sets have.
var (
	fullHouse = sheet.Groups(3, 2)
	straights = sheet.AnyOf(sheet.From(1, 5), sheet.From(2, 6))
)

// What several sets count.
var (
	used = sheet.Points{Count: sheet.Used}
	all  = sheet.Points{Count: sheet.AllDice}
)

// usedAnd returns the dice that meet the need and so many points more.
func usedAnd(more int) sheet.Points { return sheet.Points{Count: sheet.Used, Plus: more} }

// allAnd returns all dice and so many points more.
func allAnd(more int) sheet.Points { return sheet.Points{Count: sheet.AllDice, Plus: more} }
