package either

import (
	"encoding/json"
	"slices"

	"knobel/games"
)

// match is one round: the faces thrown so far, in seat order.
type match struct {
	Seats  int     `json:"seats"`
	Thrown [][]int `json:"thrown"`
	game   Game
	// By the rules:
	dice, point int
	pool        bool
}

func (m match) Turn() []games.Seat {
	if len(m.Thrown) == m.Seats {
		return nil
	}
	return []games.Seat{games.Seat(len(m.Thrown))}
}

func (m match) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	return []games.Move{"throw"}
}

func (m match) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	faces := d.Throw(m.dice, 6)
	m.Thrown = append(slices.Clone(m.Thrown), faces)
	return m, []games.Event{games.Event(m.threw(s))}
}

// total returns what a seat has thrown.
func (m match) total(s games.Seat) int {
	sum := 0
	for _, face := range m.Thrown[s] {
		sum += face
	}
	return sum
}

// threw tells the throw of a seat.
func (m match) threw(s games.Seat) games.Line {
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
		v.Head = []games.Line{m.threw(last)}
		for _, face := range m.Thrown[last] {
			v.Dice = append(v.Dice, games.Die{Face: face, Sides: 6})
		}
	}
	for _, s := range m.Turn() {
		v.Head = append(v.Head, m.game.say("to-throw", games.Args{"Seat": s}))
		v.Stands[s].State = games.ToMove
		v.Buttons = [][]games.Button{{{Label: m.game.say("throw", nil), Move: "throw", Style: games.Primary}}}
	}
	if first := m.first(); len(first) == 1 && m.Seats > 1 && m.game.owing == "" {
		v.Won = m.game.say("won", games.Args{"Seat": first[0]})
		v.Stands[first[0]].State = games.Won
	}
	return v
}

// first returns the seats with the highest total, once all have thrown.
func (m match) first() []games.Seat {
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

func (m match) Result() (games.Result, bool) {
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
		r.Winners = m.first()
	}
	return r, true
}

func (m match) Save() ([]byte, error) { return json.Marshal(m) }
