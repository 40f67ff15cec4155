// Package owing holds the smallest games without a pool in which seats owe each other something at
// the end: in both each seat throws one die. They test the two shapes.
package owing

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"knobel/games"
)

//go:embed words/*/*.toml
var words embed.FS

// Loser is the game "loser": the seat with the lowest throw pays the stake to each of the others.
func Loser() Game { return Game{"loser", games.ShapeLastPays} }

// Lids is the game "lids": each seat pays the stake to each of the others for every pip of its own.
func Lids() Game { return Game{"lids", games.ShapeOwnPoints} }

// Game is one of the two.
type Game struct {
	name  string
	shape games.Shape
}

// Name is "loser" or "lids".
func (g Game) Name() string { return g.name }

// Shape is the one that the game is for, whatever the rules.
func (g Game) Shape(games.Rules) games.Shape { return g.shape }

// LowWins says that few pips are better where they are paid for.
func (g Game) LowWins(games.Rules) bool { return g.shape == games.ShapeOwnPoints }

// Options: there are none.
func (Game) Options() []games.Option { return nil }

// Variants has the one game there is.
func (Game) Variants() []games.Variant { return []games.Variant{{Name: "classic"}} }

const maxSeats = 10

// Seats: one, for practice, to ten.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

// Check accepts no options.
func (Game) Check(r games.Rules) (games.Rules, error) { return games.CheckOptions(nil, r) }

// Houses has two strategies with nothing to choose.
func (Game) Houses() []games.House {
	throws := func(m games.Match, s games.Seat, _ games.Rand) games.Move { return m.Moves(s)[0] }
	return []games.House{{Name: "left", Choose: throws}, {Name: "right", Choose: throws}}
}

// Explain says it all in one sentence.
func (g Game) Explain(games.Rules) []games.Line { return []games.Line{g.say("rules", nil)} }

func (g Game) say(key string, args games.Args) games.Line { return games.Say(g.name+"."+key, args) }

// Words are the sentences of the game.
func (g Game) Words() fs.FS { return games.Folder(words, "words/"+g.name) }

// New starts a match.
func (g Game) New(_ games.Rules, seats int) (games.Match, error) {
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return match{game: g, Seats: seats}, nil
}

// Load reads what Save wrote.
func (g Game) Load(_ games.Rules, state []byte) (games.Match, error) {
	m := match{game: g}
	if err := json.Unmarshal(state, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", g.name, err)
	}
	if m.Seats < 1 || m.Seats > maxSeats || len(m.Faces) > m.Seats {
		return nil, fmt.Errorf("%s: %d throws by %d seats", g.name, len(m.Faces), m.Seats)
	}
	return m, nil
}

// match is one round: the faces thrown so far, in seat order.
type match struct {
	game  Game
	Seats int   `json:"seats"`
	Faces []int `json:"faces"`
}

func (m match) Turn() []games.Seat {
	if len(m.Faces) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Faces))}
}

func (m match) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	return []games.Move{"throw"}
}

func (m match) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	face := d.Throw(1, 6)[0]
	m.Faces = append(slices.Clone(m.Faces), face)
	return m, []games.Event{games.Event(m.game.say("threw", games.Args{"Seat": s, "Face": face}))}
}

func (m match) View() games.View {
	v := games.View{Stands: make([]games.Stand, m.Seats)}
	for s := range v.Stands {
		v.Stands[s].State = games.Waiting
		if s < len(m.Faces) {
			v.Stands[s] = games.Stand{State: games.Done, Line: m.game.say("face", games.Args{"Face": m.Faces[s]})}
		}
	}
	if n := len(m.Faces); n > 0 {
		v.Head = []games.Line{m.game.say("threw", games.Args{"Seat": games.Seat(n - 1), "Face": m.Faces[n-1]})}
		v.Dice = []games.Die{{Face: m.Faces[n-1], Sides: 6}}
	}
	for _, s := range m.Turn() {
		v.Head = append(v.Head, m.game.say("to-throw", games.Args{"Seat": s}))
		v.Stands[s].State = games.ToMove
		v.Buttons = [][]games.Button{{{Label: m.game.say("throw", nil), Move: "throw", Style: games.Primary}}}
	}
	return v
}

func (m match) Result() (games.Result, bool) {
	if len(m.Faces) < m.Seats {
		return games.Result{}, false
	}
	var r games.Result
	for _, face := range m.Faces {
		row := games.Row{Score: face, Threw: true, Place: 1}
		for _, other := range m.Faces {
			if other != face && (other < face) == m.game.LowWins(nil) {
				row.Place++
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r, true
}

func (m match) Save() ([]byte, error) { return json.Marshal(m) }
