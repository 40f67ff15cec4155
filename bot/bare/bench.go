package bare

// A seat of a table that benchmarks press for.

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing/fstest"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Relay is a game without an end: all throw two dice in turn, so that a benchmark may press as often as it likes.
type Relay struct{ Pile }

func (Relay) Name() string { return "relay" }

func (Relay) Words() fs.FS {
	const en = "[relay]\nthrew = '{{.Seat}} threw {{.Dice}}.'\nthrow = 'Throw'\n"
	return fstest.MapFS{"en.toml": {Data: []byte(en)}, "de.toml": {Data: []byte(en)}}
}

func (Relay) New(_ games.Rules, seats int) (games.Match, error) { return lap{Seats: seats}, nil }

func (Relay) Load(_ games.Rules, state []byte) (games.Match, error) {
	var m lap
	return m, json.Unmarshal(state, &m)
}

// lap is a match of relay.
type lap struct {
	Seats, Throws int
	Dice          []int
}

func (m lap) Turn() []games.Seat { return []games.Seat{games.Seat(m.Throws % m.Seats)} }

func (m lap) Moves(s games.Seat) []games.Move { return []games.Move{"throw 2"} }

func (m lap) Apply(s games.Seat, _ games.Move, d games.Dice) (games.Match, []games.Event) {
	m.Throws++
	m.Dice = d.Throw(2, 6)
	return m, []games.Event{{Key: "relay.threw", Args: games.Args{"Seat": s, "Dice": games.Faces(m.Dice)}}}
}

func (m lap) View() games.View {
	return games.View{Buttons: [][]games.Button{{{Label: games.Say("relay.throw", nil), Move: "throw 2"}}}}
}

func (m lap) Result() (games.Result, bool) { return games.Result{}, false }

func (m lap) Save() ([]byte, error) { return json.Marshal(m) }

// Seated is a table of two people at which one of them can always throw.
type Seated struct {
	People [2]*Person
	Table  int64
	turn   int64
}

// Seat begins a game of two in a place of the chat "test:1".
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
	h.Wait(Leisure) // who has started throws next
	return s
}

// Press returns the next throw at the table.
func (s *Seated) Press() chat.Event {
	ev := s.People[s.turn%2].Event()
	ev.Press = fmt.Sprintf("1:%d:%d:throw 2", s.Table, s.turn)
	s.turn++
	return ev
}
