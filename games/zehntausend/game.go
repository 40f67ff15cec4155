// Package zehntausend is Zehntausend, also called Ten Thousand or Farkle: dice that count are set aside, the others
// thrown again, until the player stops or a throw brings nothing. Like every game it knows no chat, no clock and no
// database.
//
// What dice are worth is in score.go, how a match goes on in match.go and moves.go, who is ahead in rank.go. What the
// houses play is in houses.go; one of them plays each turn for the greatest expected points, which turn.go solves.
package zehntausend

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"knobel/games"
)

// maxSeats is how many people fit around a table.
const maxSeats = 10

//go:embed words/*.toml
var words embed.FS

// Game is Zehntausend, the game "zehntausend". The zero Game solves the turns of the
// house anew for each match that is read, one of New for each set of rules.
type Game struct {
	known *known
	plain bool // Farkle is left out
}

// New returns the game, which remembers the turns that it has solved.
func New() Game { return Game{known: &known{of: map[string]solutions{}}} }

var (
	_ games.Figured = Game{}
	_ games.Varied  = Game{}
)

// Name returns "zehntausend".
func (Game) Name() string { return "zehntausend" }

// Shape: Zehntausend is played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Variants returns "zehntausend", with all options at their defaults, and "farkle", the boxed game.
func (g Game) Variants() []games.Variant {
	if g.plain {
		return variants()[:1]
	}
	return variants()
}

// Without returns the game without Farkle where that is named.
func (g Game) Without(names []string) games.Game {
	g.plain = slices.Contains(names, farkle)
	return g
}

// Seats returns 1, for practice, to 10.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// New starts a match.
func (g Game) New(given games.Rules, seats int) (games.Match, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	m := match{rules: g.read(canonical), Totals: make([]int, seats)}
	if m.rules.nothings > 0 {
		m.Losing = make([]losing, seats)
	}
	return m, nil
}

// Load reads what Save wrote, under the same rules.
func (g Game) Load(canonical games.Rules, state []byte) (games.Match, error) {
	return load(g.read(canonical), state)
}

// read reads canonical rules, with what is known of their turns.
func (g Game) read(canonical games.Rules) *rules {
	r := read(canonical)
	if g.known != nil {
		r.solved = g.known.solutions(r, fmt.Sprint(canonical))
	}
	return r
}

// Words returns the sentences of the game.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// Asks: nothing is asked but the rules.
func (Game) Asks() []games.Ask { return nil }

// Figures returns those of an opening turn as the house bold plays it.
func (g Game) Figures(given games.Rules, _ map[string]string) ([]games.Figure, error) {
	canonical, err := g.Check(given)
	if err != nil {
		return nil, err
	}
	r := read(canonical)
	f := r.turn(false).at(0, r.dice)
	return []games.Figure{
		{Name: "expected_points", About: "expected points of an opening turn", Values: []float64{f.points}},
		{Name: "nothing_probability", About: "chance that it ends with nothing", Values: []float64{f.nothing},
			Chance: true},
	}, nil
}
