// Package either holds the smallest games with all four shapes of settlement: every seat throws once. In "either", an
// option selects a pool or differences from the average; in "loser" and "lids" the seats pay each other at the end.
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

// Game is the game "either", or one in which the seats pay each other.
type Game struct {
	owing string      // the name, "" for either
	shape games.Shape // the only shape, "" for either
}

// Loser returns the game "loser": the seat with the lowest throw pays the stake to each of the others.
func Loser() Game { return Game{"loser", games.ShapeLastPays} }

// Lids returns the game "lids": each seat pays the stake to each of the others for every pip of its own.
func Lids() Game { return Game{"lids", games.ShapeOwnPoints} }

// Name returns "either", "loser" or "lids".
func (g Game) Name() string { return cmp.Or(g.owing, "either") }

// Shape returns the shape that the option Settle selects in either, or the only shape of the other games.
func (g Game) Shape(rules games.Rules) games.Shape {
	if games.Shape(rules[games.Settle]) == games.ShapePool {
		return games.ShapePool
	}
	return cmp.Or(g.shape, games.ShapeDifference)
}

// LowWins reports whether few pips are better: in lids, where they are paid for.
func (g Game) LowWins(games.Rules) bool { return g.shape == games.ShapeOwnPoints }

// Totals reports whether records store totals instead of scores: true for "either", false for the other games.
func (g Game) Totals() bool { return g.owing == "" }

// Options returns, for "either", the number of dice, the settlement and the worth of a point; nil for the other games.
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

// Variants returns a variant with one die, the default; the game either also has a variant with two dice.
func (g Game) Variants() []games.Variant {
	if g.owing != "" {
		return []games.Variant{{Name: "classic"}}
	}
	return []games.Variant{{Name: "classic"}, {Name: "double", Rules: games.Rules{"dice": "2"}}}
}

const maxSeats = 10

// Seats returns 1 and maxSeats.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check returns canonical rules. It refuses a worth of a point together with a pool.
func (g Game) Check(entered games.Rules) (games.Rules, error) {
	rules, err := games.CheckOptions(g.Options(), entered)
	if err == nil && rules[games.Point] != "" && g.Shape(rules) == games.ShapePool {
		return nil, games.Refuse("either.refuse.point", nil)
	}
	return rules, err
}

// Houses returns one strategy in either, two in the other games. They play the only legal move.
func (g Game) Houses() []games.House {
	throws := func(m games.Match, s games.Seat, _ games.Rand) games.Move { return m.Moves(s)[0] }
	if g.owing != "" {
		return []games.House{{Name: "left", Choose: throws}, {Name: "right", Choose: throws}}
	}
	return []games.House{{Name: "random", Choose: throws}}
}

// Explain returns sentences on the throw and the settlement.
func (g Game) Explain(rules games.Rules) []games.Line {
	lines := []games.Line{g.say("rules", nil)}
	if g.owing == "" {
		lines = append(lines, g.say("settled."+string(g.Shape(rules)), nil))
	}
	return lines
}

// say returns the line with the key "NAME." + key, where NAME is the name of the game.
func (g Game) say(key string, args games.Args) games.Line { return games.Say(g.Name()+"."+key, args) }

// Words returns the game's message files, one per language.
func (g Game) Words() fs.FS { return games.Folder(words, "words/"+g.Name()) }

// New returns a new match.
func (g Game) New(rules games.Rules, seats int) (games.Match, error) {
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return g.match(rules, seats), nil
}

// match returns a match that has just begun.
func (g Game) match(rules games.Rules, seats int) match {
	m := match{game: g, Seats: seats, dice: 1, pool: g.Shape(rules) == games.ShapePool}
	if rules["dice"] == "2" {
		m.dice = 2
	}
	m.point, _ = strconv.Atoi(rules[games.Point]) // the worth of a point is 0 if the option is missing
	return m
}

// Load returns the match that Save stored.
func (g Game) Load(rules games.Rules, state []byte) (games.Match, error) {
	if _, err := g.Check(rules); err != nil {
		return nil, err
	}
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

// match is one round: the faces thrown so far, in seat order.
type match struct {
	Seats  int     `json:"seats"`
	Thrown [][]int `json:"thrown"`
	game   Game
	// Derived from the rules:
	dice, point int
	pool        bool
}

// Turn returns the next seat in seat order, nil once all have thrown.
func (m match) Turn() []games.Seat {
	if len(m.Thrown) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Thrown))}
}

// Moves returns the move "throw" for the seat to move.
func (m match) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	return []games.Move{"throw"}
}

// Apply throws the dice of seat s.
func (m match) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	faces := d.Throw(m.dice, 6)
	m.Thrown = append(slices.Clone(m.Thrown), faces)
	return m, []games.Event{games.Event(m.throwLine(s))}
}

// total returns the sum of a seat's dice.
func (m match) total(s games.Seat) int {
	sum := 0
	for _, face := range m.Thrown[s] {
		sum += face
	}
	return sum
}

// throwLine returns the line on the throw of seat s.
func (m match) throwLine(s games.Seat) games.Line {
	return m.game.say("threw", games.Args{"Seat": s, "Total": m.total(s)})
}

func (m match) View() games.View {
	v := games.View{Stands: make([]games.Stand, m.Seats)}
	for s := range v.Stands {
		v.Stands[s].State = games.Waiting
		if s < len(m.Thrown) {
			total := m.game.say("total", games.Args{"Total": m.total(games.Seat(s))})
			v.Stands[s] = games.Stand{State: games.Done, Line: total}
		}
	}
	if last := games.Seat(len(m.Thrown) - 1); last >= 0 {
		v.Head = []games.Line{m.throwLine(last)}
		for _, face := range m.Thrown[last] {
			v.Dice = append(v.Dice, games.Die{Face: face, Sides: 6})
		}
	}
	for _, s := range m.Turn() {
		v.Head = append(v.Head, m.game.say("to-throw", games.Args{"Seat": s}))
		v.Stands[s].State = games.ToMove
		v.Buttons = [][]games.Button{{{Label: m.game.say("throw", nil), Move: "throw", Style: games.Primary}}}
	}
	if first := m.firstSeats(); len(first) == 1 && m.Seats > 1 && m.game.owing == "" {
		v.Won = m.game.say("won", games.Args{"Seat": first[0]})
		v.Stands[first[0]].State = games.Won
	}
	return v
}

// firstSeats returns the seats with the highest total, nil until all have thrown.
func (m match) firstSeats() []games.Seat {
	var first []games.Seat
	for s := games.Seat(0); len(m.Thrown) == m.Seats && int(s) < m.Seats; s++ {
		if len(first) > 0 && m.total(s) > m.total(first[0]) {
			first = nil
		}
		if len(first) == 0 || m.total(s) == m.total(first[0]) {
			first = append(first, s)
		}
	}
	return first
}

func (m match) Result() (games.Result, bool) { // false until all have thrown
	if len(m.Thrown) < m.Seats {
		return games.Result{}, false
	}
	r := games.Result{Point: m.point}
	for s, place := range games.Places(m.Seats, func(a, b int) bool {
		mine, other := m.total(games.Seat(a)), m.total(games.Seat(b))
		return mine != other && (mine < other) == m.game.LowWins(nil)
	}) {
		r.Rows = append(r.Rows, games.Row{Score: m.total(games.Seat(s)), Threw: true, Place: place})
	}
	if m.pool {
		r.Winners = m.firstSeats()
	}
	return r, true
}

func (m match) Save() ([]byte, error) { return json.Marshal(m) }
