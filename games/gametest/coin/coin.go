// Package coin is the smallest game: each seat throws one die with two sides, and the seats with the highest face share
// the pool. It is the example of how to add a game, and the tests play it.
package coin

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"knobel/games"
)

//go:embed words/*.toml
var words embed.FS

// Game is the game "coin".
type Game struct{}

// Name returns "coin".
func (Game) Name() string { return "coin" }

// Shape returns ShapePool: coin is always played for a pool of stakes.
func (Game) Shape(games.Rules) games.Shape { return games.ShapePool }

// Options returns nil: coin has no options.
func (Game) Options() []games.Option { return nil }

// Variants returns the only variant.
func (Game) Variants() []games.Variant { return []games.Variant{{Name: "classic"}} }

// Seats returns 1 and maxSeats.
func (Game) Seats(games.Rules) (least, most int) { return 1, maxSeats }

const maxSeats = 10

// Check refuses all options.
func (Game) Check(r games.Rules) (games.Rules, error) { return games.CheckOptions(nil, r) }

// Houses returns one strategy; there is nothing to choose.
func (Game) Houses() []games.House {
	return []games.House{{Name: "random", Choose: func(m games.Match, s games.Seat, _ games.Rand) games.Move {
		return m.Moves(s)[0]
	}}}
}

// Explain returns the rules in one sentence.
func (Game) Explain(games.Rules) []games.Line {
	return []games.Line{games.Say("coin.rules", nil)}
}

// Words returns the game's message files, one per language.
func (Game) Words() fs.FS { return games.Folder(words, "words") }

// New returns a new match.
func (Game) New(_ games.Rules, seats int) (games.Match, error) {
	if seats < 1 || seats > maxSeats {
		return nil, games.Refuse("games.seats", games.Args{"Least": 1, "Most": maxSeats})
	}
	return match{Seats: seats}, nil
}

// Load returns the match that Save stored.
func (g Game) Load(rules games.Rules, state []byte) (games.Match, error) {
	if _, err := g.Check(rules); err != nil {
		return nil, err
	}
	var m match
	if err := json.Unmarshal(state, &m); err != nil {
		return nil, fmt.Errorf("coin: %w", err)
	}
	if m.Seats < 1 || m.Seats > maxSeats || len(m.Faces) > m.Seats {
		return nil, fmt.Errorf("coin: %d throws by %d seats", len(m.Faces), m.Seats)
	}
	return m, nil
}

// match is one round: the faces thrown so far, in seat order.
type match struct {
	Seats int   `json:"seats"`
	Faces []int `json:"faces"`
}

// Turn returns the next seat in seat order, nil once all have thrown.
func (m match) Turn() []games.Seat {
	if len(m.Faces) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Faces))}
}

// Moves returns the move "throw" for the seat to move.
func (m match) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	return []games.Move{"throw"}
}

func (m match) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	face := d.Throw(1, 2)[0]
	m.Faces = append(slices.Clone(m.Faces), face)
	return m, []games.Event{{Key: "coin.threw", Args: games.Args{"Seat": s, "Face": face}}}
}

func (m match) View() games.View {
	v := games.View{Stands: make([]games.Stand, m.Seats)}
	for s := range v.Stands {
		v.Stands[s].State = games.Waiting
		if s < len(m.Faces) {
			v.Stands[s] = games.Stand{State: games.Done, Line: games.Say("coin.face", games.Args{"Face": m.Faces[s]})}
		}
	}
	if n := len(m.Faces); n > 0 {
		v.Head = []games.Line{games.Say("coin.threw", games.Args{"Seat": games.Seat(n - 1), "Face": m.Faces[n-1]})}
		v.Dice = []games.Die{{Face: m.Faces[n-1], Sides: 2}}
	}
	for _, s := range m.Turn() {
		v.Head = append(v.Head, games.Say("coin.to-throw", games.Args{"Seat": s}))
		v.Stands[s].State = games.ToMove
		v.Buttons = [][]games.Button{{{Label: games.Say("coin.throw", nil), Move: "throw", Style: games.Primary}}}
	}
	return v
}

func (m match) Result() (games.Result, bool) { // false until all have thrown
	if len(m.Faces) < m.Seats {
		return games.Result{}, false
	}
	var r games.Result
	for s, place := range games.Places(m.Seats, func(a, b int) bool { return m.Faces[a] > m.Faces[b] }) {
		r.Rows = append(r.Rows, games.Row{Score: m.Faces[s], Threw: true, Place: place})
		if place == 1 {
			r.Winners = append(r.Winners, games.Seat(s))
		}
	}
	return r, true
}

func (m match) Save() ([]byte, error) { return json.Marshal(m) }
