package bare

// A game without dice, for what coin has not.

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"knobel/games"
)

// Pile is a game without dice, for what coin has not: options, variants, two house strategies, a choice of several
// tiles. The mover takes two tiles of a common pile; the sum of the own tiles is the score.
type Pile struct{}

func (Pile) Name() string { return "pile" }

func (Pile) Shape(games.Rules) games.Shape { return games.ShapePool }

func (Pile) Options() []games.Option {
	return []games.Option{
		{Name: "size", Values: []string{"6", "8"}, Say: func(value string) games.Line {
			return games.Say("pile.size", games.Args{"Size": value})
		}},
		{Name: "end", Values: []string{"last", "first"}},
		{Name: "start", Values: []string{"last", "low"}},
	}
}

func (Pile) Variants() []games.Variant {
	return []games.Variant{{Name: "classic"}, {Name: "big", Rules: games.Rules{"size": "8"}},
		{Name: "duel", Rules: games.Rules{"end": "first"}}}
}

// Seats: a duel is for two.
func (Pile) Seats(rules games.Rules) (least, most int) {
	if rules["end"] == "first" {
		return 2, 2
	}
	return 1, 4
}

func (p Pile) Check(rules games.Rules) (games.Rules, error) {
	return games.CheckOptions(p.Options(), rules)
}

func (Pile) Explain(games.Rules) []games.Line { return []games.Line{games.Say("pile.rules", nil)} }

func (Pile) Houses() []games.House {
	first := func(m games.Match, s games.Seat, _ games.Rand) games.Move { return m.Moves(s)[0] }
	any := func(m games.Match, s games.Seat, r games.Rand) games.Move { return m.Moves(s)[r.IntN(len(m.Moves(s)))] }
	return []games.House{{Name: "meek", Choose: first}, {Name: "random", Choose: any}}
}

//go:embed pile
var pileWords embed.FS

func (Pile) Words() fs.FS {
	said, _ := fs.Sub(pileWords, "pile")
	return said
}

func (Pile) New(rules games.Rules, seats int) (games.Match, error) {
	m := heap{Seats: seats, Owner: make([]int, 6)}
	if rules["size"] == "8" {
		m.Owner = make([]int, 8)
	}
	return m, nil
}

func (Pile) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m heap
	return m, json.Unmarshal(state, &m)
}

// heap is a match: who has taken which tile, counted from 1; 0: no seat.
type heap struct {
	Seats, Next int
	Owner       []int
}

func (m heap) left() []int {
	var free []int
	for i, owner := range m.Owner {
		if owner == 0 {
			free = append(free, i+1)
		}
	}
	return free
}

func (m heap) Turn() []games.Seat {
	if len(m.left()) < 2 {
		return nil
	}
	return []games.Seat{games.Seat(m.Next % m.Seats)}
}

func (m heap) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	var moves []games.Move
	for _, c := range m.choices() {
		moves = append(moves, c.Move)
	}
	return moves
}

func (m heap) choices() []games.Choice {
	var all []games.Choice
	free := m.left()
	for i := range free {
		for j := i + 1; j < len(free); j++ {
			all = append(all, games.Choice{Items: []int{i, j},
				Move: games.Move(fmt.Sprintf("take %d+%d", free[j], free[i]))})
		}
	}
	return all
}

func (m heap) Apply(s games.Seat, mv games.Move, _ games.Dice) (games.Match, []games.Event) {
	var a, b int
	fmt.Sscanf(string(mv), "take %d+%d", &a, &b)
	m.Owner = slices.Clone(m.Owner)
	m.Owner[a-1], m.Owner[b-1] = int(s)+1, int(s)+1
	m.Next++
	return m, []games.Event{{Key: "pile.took", Args: games.Args{"Seat": s, "Tiles": games.Tiles{a, b}}}}
}

func (m heap) sums() []int {
	sums := make([]int, m.Seats)
	for i, owner := range m.Owner {
		if owner > 0 {
			sums[owner-1] += i + 1
		}
	}
	return sums
}

func (m heap) View() games.View {
	v := games.View{Stands: make([]games.Stand, m.Seats)}
	row := games.TileRow{Owner: games.Nobody}
	for i, owner := range m.Owner {
		row.Tiles = append(row.Tiles, games.Tile{Number: i + 1, Open: owner == 0})
	}
	v.Tiles = []games.TileRow{row}
	for s, sum := range m.sums() {
		v.Stands[s] = games.Stand{State: games.Waiting, Line: games.Say("pile.has", games.Args{"Sum": sum})}
	}
	if len(m.Turn()) == 0 && m.Seats == 1 {
		v.Head = []games.Line{games.Say("pile.alone", games.Args{"Seat": games.Seat(0)})}
	}
	for _, s := range m.Turn() {
		v.Head = []games.Line{games.Say("pile.to-take", games.Args{"Seat": s})}
		v.Pick = &games.Pick{Kind: "tiles", Items: m.left(), Choices: m.choices(), Done: games.Say("pile.take", nil)}
	}
	return v
}

func (m heap) Result() (games.Result, bool) {
	if len(m.Turn()) > 0 {
		return games.Result{}, false
	}
	var r games.Result
	best := slices.Max(m.sums())
	for s, sum := range m.sums() {
		row := games.Row{Score: sum, Threw: true, Place: 1}
		for _, other := range m.sums() {
			if other > sum {
				row.Place++
			}
		}
		if sum == best {
			r.Winners = append(r.Winners, games.Seat(s))
		}
		r.Rows = append(r.Rows, row)
	}
	return r, true
}

func (m heap) Save() ([]byte, error) { return json.Marshal(m) }
