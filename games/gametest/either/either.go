// Package either holds the smallest games that are not settled by a pool alone: everybody throws once. In either the
// rules of a table say how, by a pool or by differences to the average; in loser and lids the seats owe each other
// something at the end.
package either

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"knobel/games"
)

//go:embed words/*/*.toml
var words embed.FS

// Game is the game "either", or one in which the seats owe each other.
type Game struct {
	owing string      // its name
	shape games.Shape // its only one
}

// Loser returns the game "loser": the seat with the lowest throw pays the stake to each of the others.
func Loser() Game { return Game{"loser", games.ShapeLastPays} }

// Lids returns the game "lids": each seat pays the stake to each of the others for every pip of its own.
func Lids() Game { return Game{"lids", games.ShapeOwnPoints} }

// Name returns "either", "loser" or "lids".
func (g Game) Name() string { return cmp.Or(g.owing, "either") }

// Shape returns the one that the option "settle" names.
func (g Game) Shape(rules games.Rules) games.Shape {
	if games.Shape(rules[games.Settle]) == games.ShapePool {
		return games.ShapePool
	}
	return cmp.Or(g.shape, games.ShapeDifference)
}

// LowWins says that few pips are better where they are paid for.
func (g Game) LowWins(games.Rules) bool { return g.shape == games.ShapeOwnPoints }

// Totals: the pips of a throw are a total, unless they are owed.
func (g Game) Totals() bool { return g.owing == "" }

// Options returns how many dice are thrown, how a game is settled, and what a point is worth.
func (g Game) Options() []games.Option {
	if g.owing != "" {
		return nil
	}
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

// Variants returns one die, which is the default, and two.
func (g Game) Variants() []games.Variant {
	if g.owing != "" {
		return []games.Variant{{Name: "classic"}}
	}
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

// Houses has one strategy, or two, with nothing to choose.
func (g Game) Houses() []games.House {
	throws := func(m games.Match, s games.Seat, _ games.Rand) games.Move { return m.Moves(s)[0] }
	if g.owing != "" {
		return []games.House{{Name: "left", Choose: throws}, {Name: "right", Choose: throws}}
	}
	return []games.House{{Name: "random", Choose: throws}}
}

// Explain says what is thrown, and how it is settled.
func (g Game) Explain(rules games.Rules) []games.Line {
	lines := []games.Line{g.say("rules", nil)}
	if g.owing == "" {
		lines = append(lines, g.say("settled."+string(g.Shape(rules)), nil))
	}
	return lines
}

func (g Game) say(key string, args games.Args) games.Line { return games.Say(g.Name()+"."+key, args) }

// Words returns the sentences of the game.
func (g Game) Words() fs.FS { return games.Folder(words, "words/"+g.Name()) }

// New starts a match.
func (g Game) New(rules games.Rules, seats int) (games.Match, error) {
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return g.match(rules, seats), nil
}

// match returns one that has just begun.
func (g Game) match(rules games.Rules, seats int) match {
	m := match{game: g, Seats: seats, dice: 1, pool: g.Shape(rules) == games.ShapePool}
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
		return nil, fmt.Errorf("%s: %w", g.Name(), err)
	}
	if m.Seats < 1 || m.Seats > maxSeats || len(m.Thrown) > m.Seats {
		return nil, fmt.Errorf("%s: %d throws by %d seats", g.Name(), len(m.Thrown), m.Seats)
	}
	for _, faces := range m.Thrown {
		if len(faces) != m.dice || slices.Min(faces) < 1 || slices.Max(faces) > 6 {
			return nil, fmt.Errorf("%s: nobody can have thrown %v", g.Name(), faces)
		}
	}
	return m, nil
}
