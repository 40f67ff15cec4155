package bare

// A game without dice, for tests of features that coin lacks.

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"testing/fstest"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Pile is a game without dice that has what coin lacks, such as options, variants and moves of several tiles. The mover
// takes two tiles of a common pile; the score is the sum of a seat's tiles.
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

// Seats returns the least and the most seats: 2 for a duel, else 1 to 4.
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
	m := pileMatch{Seats: seats, Owner: make([]int, 6)}
	if rules["size"] == "8" {
		m.Owner = make([]int, 8)
	}
	return m, nil
}

func (Pile) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m pileMatch
	return m, json.Unmarshal(state, &m)
}

// pileMatch is a match of Pile. Owner holds the seat that has taken each tile, counted from 1; 0: none.
type pileMatch struct {
	Seats, Next int
	Owner       []int
}

// free returns the numbers of the tiles that no seat has.
func (m pileMatch) free() []int {
	var free []int
	for i, owner := range m.Owner {
		if owner == 0 {
			free = append(free, i+1)
		}
	}
	return free
}

func (m pileMatch) Turn() []games.Seat {
	if len(m.free()) < 2 {
		return nil
	}
	return []games.Seat{games.Seat(m.Next % m.Seats)}
}

func (m pileMatch) Moves(s games.Seat) []games.Move {
	if !slices.Contains(m.Turn(), s) {
		return nil
	}
	var moves []games.Move
	for _, c := range m.choices() {
		moves = append(moves, c.Move)
	}
	return moves
}

// choices returns a choice for each pair of free tiles.
func (m pileMatch) choices() []games.Choice {
	var all []games.Choice
	free := m.free()
	for i := range free {
		for j := i + 1; j < len(free); j++ {
			all = append(all, games.Choice{Items: []int{i, j},
				Move: games.Move(fmt.Sprintf("take %d+%d", free[j], free[i]))})
		}
	}
	return all
}

func (m pileMatch) Apply(s games.Seat, mv games.Move, _ games.Dice) (games.Match, []games.Event) {
	var a, b int
	fmt.Sscanf(string(mv), "take %d+%d", &a, &b)
	m.Owner = slices.Clone(m.Owner)
	m.Owner[a-1], m.Owner[b-1] = int(s)+1, int(s)+1
	m.Next++
	return m, []games.Event{{Key: "pile.took", Args: games.Args{"Seat": s, "Tiles": games.Tiles{a, b}}}}
}

// sums returns each seat's sum of tiles.
func (m pileMatch) sums() []int {
	sums := make([]int, m.Seats)
	for i, owner := range m.Owner {
		if owner > 0 {
			sums[owner-1] += i + 1
		}
	}
	return sums
}

func (m pileMatch) View() games.View {
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
		v.Pick = &games.Pick{Kind: "tiles", Items: m.free(), Choices: m.choices(), Done: games.Say("pile.take", nil)}
	}
	return v
}

func (m pileMatch) Result() (games.Result, bool) {
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

func (m pileMatch) Save() ([]byte, error) { return json.Marshal(m) }

// A game without an end, and tables of it for benchmarks.

// Relay is a game without an end: the players roll two dice in turn, so a benchmark can press as often as it needs.
type Relay struct{ Pile }

func (Relay) Name() string { return "relay" }

func (Relay) Words() fs.FS {
	const en = "[relay]\nthrew = '{{.Seat}} threw {{.Dice}}.'\nthrow = 'Throw'\n"
	return fstest.MapFS{"en.toml": {Data: []byte(en)}, "de.toml": {Data: []byte(en)}}
}

func (Relay) New(_ games.Rules, seats int) (games.Match, error) { return relayMatch{Seats: seats}, nil }

func (Relay) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m relayMatch
	return m, json.Unmarshal(state, &m)
}

// relayMatch is a match of Relay.
type relayMatch struct {
	Seats, Throws int
	Dice          []int
}

func (m relayMatch) Turn() []games.Seat { return []games.Seat{games.Seat(m.Throws % m.Seats)} }

func (m relayMatch) Moves(s games.Seat) []games.Move { return []games.Move{"throw 2"} }

func (m relayMatch) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	m.Throws++
	m.Dice = d.Throw(2, 6)
	return m, []games.Event{{Key: "relay.threw", Args: games.Args{"Seat": s, "Dice": games.Faces(m.Dice)}}}
}

func (m relayMatch) View() games.View {
	return games.View{Buttons: [][]games.Button{{{Label: games.Say("relay.throw", nil), Move: "throw 2"}}}}
}

func (m relayMatch) Result() (games.Result, bool) { return games.Result{}, false }

func (m relayMatch) Save() ([]byte, error) { return json.Marshal(m) }

// Seated is a running table of Relay with two people.
type Seated struct {
	People [2]*Person
	Table  int64
	turn   int64
}

// Seat starts a game of Relay with two new people in the place number i of the chat "test:1".
func (h *House) Seat(i int) *Seated {
	s := &Seated{People: [2]*Person{h.Person(fmt.Sprint("A", i)), h.Person(fmt.Sprint("B", i))}}
	for _, p := range s.People {
		p.Place = chat.Place(fmt.Sprint("test:1/", i))
	}
	s.People[0].Writes("/relay 10")
	s.Table = s.People[0].Table().ID
	s.People[1].Sends(fmt.Sprintf("1:%d:0:!join", s.Table))
	s.People[0].Sends(fmt.Sprintf("1:%d:0:!start", s.Table))
	if table := s.People[0].Table(); table.State != store.Playing {
		h.T.Fatalf("table %d is %s", table.ID, table.State)
	}
	h.Wait(Leisure) // the person who started the game rolls next
	return s
}

// Press returns the event of the next roll at the table.
func (s *Seated) Press() chat.Event {
	ev := s.People[s.turn%2].Event()
	ev.Press = fmt.Sprintf("1:%d:%d:throw 2", s.Table, s.turn)
	s.turn++
	return ev
}
