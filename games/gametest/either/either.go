// Package either holds the smallest game in which the rules of a table say how it is settled: everybody throws once,
// for a pool or for differences to the average. It tests games that leave it to their rules.
package either

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"knobel/games"
)

//go:embed words/*.toml
var words embed.FS

// Game is the game "either".
type Game struct{}

// Name is "either".
func (Game) Name() string { return "either" }

// Shape is the one that the option "settle" names.
func (Game) Shape(rules games.Rules) games.Shape {
	if games.Shape(rules[games.Settle]) == games.ShapePool {
		return games.ShapePool
	}
	return games.ShapeDifference
}

// Totals: the pips of a throw are a total.
func (Game) Totals() bool { return true }

// Options are how many dice are thrown, how a game is settled, and what a point is worth.
func (Game) Options() []games.Option {
	return []games.Option{
		{Name: "dice", Values: []string{"1", "2"}, Say: func(value string) games.Line {
			n, _ := strconv.Atoi(value) // a canonical value is a number
			return games.Say("either.option.dice.thrown", games.Args{"N": n})
		}},
		{Name: games.Settle, Values: []string{string(games.ShapeDifference), string(games.ShapePool)},
			Say: func(value string) games.Line { return games.Say("either.option.settle."+value, nil) }},
		{Name: games.Point, Values: []string{"0", "1", "5"}, Say: func(value string) games.Line {
			return games.Say("either.option.point.worth", games.Args{"Worth": value})
		}},
	}
}

// Variants are one die, which is the default, and two.
func (Game) Variants() []games.Variant {
	return []games.Variant{{Name: "classic"}, {Name: "double", Rules: games.Rules{"dice": "2"}}}
}

const maxSeats = 10

// Seats: one, for practice, to ten.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check refuses a point of difference that is worth something where there is a pool.
func (g Game) Check(given games.Rules) (games.Rules, error) {
	rules, err := games.CheckOptions(g.Options(), given)
	if err == nil && rules[games.Point] != "" && g.Shape(rules) == games.ShapePool {
		return nil, games.Refuse("either.refuse.point", nil)
	}
	return rules, err
}

// Houses has one strategy; there is nothing to choose.
func (Game) Houses() []games.House {
	return []games.House{{Name: "random", Choose: func(m games.Match, s games.Seat, _ games.Rand) games.Move {
		return m.Moves(s)[0]
	}}}
}

// Explain says what is thrown, and how it is settled.
func (g Game) Explain(rules games.Rules) []games.Line {
	return []games.Line{games.Say("either.rules", nil), games.Say("either.settled."+string(g.Shape(rules)), nil)}
}

// Words are the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// New starts a match.
func (g Game) New(rules games.Rules, seats int) (games.Match, error) {
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return g.match(rules, seats), nil
}

// match is one that has just begun.
func (g Game) match(rules games.Rules, seats int) match {
	m := match{Seats: seats, dice: 1, pool: g.Shape(rules) == games.ShapePool}
	if rules["dice"] == "2" {
		m.dice = 2
	}
	m.point, _ = strconv.Atoi(rules[games.Point]) // none is 0
	return m
}

// Load reads what Save wrote.
func (g Game) Load(rules games.Rules, state []byte) (games.Match, error) {
	m := g.match(rules, 0)
	if err := json.Unmarshal(state, &m); err != nil {
		return nil, fmt.Errorf("either: %w", err)
	}
	if m.Seats < 1 || m.Seats > maxSeats || len(m.Thrown) > m.Seats {
		return nil, fmt.Errorf("either: %d throws by %d seats", len(m.Thrown), m.Seats)
	}
	for _, faces := range m.Thrown {
		if len(faces) != m.dice || slices.Min(faces) < 1 || slices.Max(faces) > 6 {
			return nil, fmt.Errorf("either: nobody can have thrown %v", faces)
		}
	}
	return m, nil
}
