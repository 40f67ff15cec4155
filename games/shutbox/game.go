// Package shutbox is Shut the Box: its house rules and variants, its matches, its strategies, and its sentences. Like
// every game it knows no chat, no clock and no database.
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

// Name returns "shutbox".
func (Game) Name() string { return "shutbox" }

// Family returns that of all games at a box.
func (Game) Family() string { return "box" }

// Shape: Shut the Box is played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

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

// LowWins says that the lowest score is the best, but in Canoga.
func (Game) LowWins(r games.Rules) bool { return r["variant"] != canoga }

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	if least, most := g.Seats(canonical); seats < least || seats > most {
		return nil, games.Refuse("shutbox.refuse.seats", games.Args{"Least": least, "Most": most})
	}
	switch r := read(canonical); r.variant {
	case canoga:
		d := duel{rules: r, sheet: newSheet(seats)}
		d.reset()
		return d, nil
	case luckySeven:
		return lucky{rules: r, sheet: newSheet(seats)}, nil
	default:
		m := &classic{r: r, savedClassic: savedClassic{sheet: newSheet(seats)}}
		m.Scores = m.noScores()
		m.beginTurn(0)
		return m, nil
	}
}

// Load reads what Save wrote, under the same rules.
func (Game) Load(canonical games.Rules, state []byte) (m games.Match, err error) {
	switch r := read(canonical); r.variant {
	case canoga:
		m, err = loadCanoga(r, state)
	case luckySeven:
		m, err = loadLuckySeven(r, state)
	default:
		m, err = loadClassic(r, state)
	}
	if err != nil {
		return nil, fmt.Errorf("shutbox: stored match: %w", err)
	}
	return m, nil
}

// Words returns the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }
