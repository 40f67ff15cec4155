// Package shutbox is Shut the Box: its house rules and variants, its matches,
// its strategies, and its sentences. Like every game it knows no chat, no
// clock and no database.
//
// A match under options alone is the classic one (classic.go and its
// neighbours). Two variants that options cannot say have matches of their
// own: canoga.go and luckyseven.go.
package shutbox

import (
	"embed"
	"fmt"
	"io/fs"

	"knobel/games"
)

// maxSeats is how many people fit around a box.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Shut the Box, the game "shutbox".
type Game struct{}

// Name is "shutbox".
func (Game) Name() string { return "shutbox" }

// Family is that of all games at a box.
func (Game) Family() string { return "box" }

// Shape: Shut the Box is played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Options are the house rules, in the order in which they are shown.
func (Game) Options() []games.Option { return options() }

// Variants are the presets, "classic" first.
func (Game) Variants() []games.Variant { return variants() }

// Houses are the strategies that may take a seat.
func (Game) Houses() []games.House { return houses() }

// Seats returns 1 to 10; Canoga is for two, and lucky-seven to a limit is for at least two: alone a
// seat would win every round, and no total would grow.
func (Game) Seats(r games.Rules) (least, most int) {
	kind, _, _ := parseMatch(r["match"])
	switch {
	case r["variant"] == canoga:
		return 2, 2
	case r["variant"] == luckySeven && (kind == knockout || kind == until):
		return 2, maxSeats
	}
	return 1, maxSeats
}

// Check returns rules in their canonical form. The option shut, whose default
// depends on match, is always written when the match is not single (in Canoga
// it does not apply and is never written).
func (Game) Check(r games.Rules) (games.Rules, error) { return check(r) }

// LowWins says that the lowest score is the best, but in Canoga.
func (Game) LowWins(r games.Rules) bool { return r["variant"] != canoga }

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := check(given)
	if err != nil {
		return nil, err
	}
	if least, most := g.Seats(canonical); seats < least || seats > most {
		return nil, games.Refuse("shutbox.refuse.seats", games.Args{"Least": least, "Most": most})
	}
	switch r := read(canonical); r.variant {
	case canoga:
		return newCanoga(r, seats)
	case luckySeven:
		return newLuckySeven(r, seats)
	default:
		return newClassic(r, seats)
	}
}

// Load reads what Save wrote, under the same rules.
func (Game) Load(given games.Rules, state []byte) (games.Match, error) {
	canonical, err := check(given)
	if err != nil {
		return nil, err
	}
	load := map[string]func(*rules, []byte) (games.Match, error){
		canoga: loadCanoga, luckySeven: loadLuckySeven, "": loadClassic,
	}
	r := read(canonical)
	m, err := load[r.variant](r, state)
	if err != nil {
		return nil, fmt.Errorf("shutbox: stored match: %w", err)
	}
	return m, nil
}

// Words are the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }
