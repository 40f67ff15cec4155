// Package wuerfelpoker is Würfelpoker: five dice, a sheet of fifteen rows, and
// up to three throws for each of them. Like every game it knows no chat, no
// clock and no database.
//
// What a row gives is in score.go, what a seat has written in sheet.go, how a
// match goes on in match.go and moves.go. What the strategies of the house do
// is in houses.go.
package wuerfelpoker

import (
	"embed"
	"io/fs"

	"knobel/games"
)

// maxSeats is how many people fit around a sheet.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Würfelpoker, the game "wuerfelpoker".
type Game struct{}

// Name is "wuerfelpoker".
func (Game) Name() string { return "wuerfelpoker" }

// Shape: there are no stakes, and differences to the average are settled.
func (Game) Shape(games.Rules) games.Shape { return games.ShapeDifference }

// Totals: a result is the total of the sheet.
func (Game) Totals() bool { return true }

// Options are the house rules, in the order in which they are shown.
func (Game) Options() []games.Option { return options() }

// Variants has one preset, "classic": all options at their defaults.
func (Game) Variants() []games.Variant { return []games.Variant{{Name: "classic"}} }

// Houses are the strategies that may take a seat.
func (Game) Houses() []games.House { return houses() }

// Seats returns 1, for practice, to 10.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check returns rules in their canonical form. All options combine.
func (Game) Check(given games.Rules) (games.Rules, error) { return check(given) }

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := check(given)
	if err != nil {
		return nil, err
	}
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return match{rules: read(canonical), sheets: make([]sheet, seats)}, nil
}

// Load reads what Save wrote, under the same rules. It accepts no state that
// cannot come up in a match.
func (Game) Load(given games.Rules, state []byte) (games.Match, error) {
	canonical, err := check(given)
	if err != nil {
		return nil, err
	}
	return load(read(canonical), state)
}

// Words are the sentences of the game.
func (Game) Words() fs.FS {
	sub, err := fs.Sub(words, "words")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}
