package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
	"knobel/store/storetest"
)

// relay is a game without an end: everybody throws two dice in turn, so that
// a benchmark may press as often as it likes.
type relay struct{ pile }

func (relay) Name() string { return "relay" }

func (relay) Words() fs.FS {
	const en = "[relay]\nthrew = '{{.Seat}} threw {{.Dice}}.'\nthrow = 'Throw'\n"
	return fstest.MapFS{"en.toml": {Data: []byte(en)}, "de.toml": {Data: []byte(en)}}
}

func (relay) New(_ games.Rules, seats int) (games.Match, error) { return lap{Seats: seats}, nil }

func (relay) Load(_ games.Rules, state []byte) (games.Match, error) {
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

// BenchmarkPresses measures durable presses through Handle on a file, with so
// many tables pressing at once, and how that compares with one press after the
// other, on the disk there is and on one that takes a millisecond longer.
func BenchmarkPresses(b *testing.B) {
	for _, longer := range []time.Duration{0, time.Millisecond} {
		for _, tables := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("disk=+%s/tables=%d", longer, tables), func(b *testing.B) {
				benchPresses(b, longer, tables)
			})
		}
	}
}

func benchPresses(b *testing.B, longer time.Duration, tables int) {
	if longer > 0 {
		storetest.Use(b, storetest.Slow(longer))
	}
	h := newHouse(b, relay{})
	all := make([]*seated, tables)
	for i := range all {
		all[i] = h.seat(i)
	}
	var turn chan struct{} // nil: nobody waits for a turn
	storetest.Compare(b, tables, func(table, _ int) error {
		if turn != nil {
			turn <- struct{}{}
			defer func() { <-turn }()
		}
		if r := h.bot.Handle(context.Background(), all[table].press()); r.Refused {
			return fmt.Errorf("refused: %s", r.Toast)
		}
		return nil
	}, func(alone bool) {
		turn = nil
		if alone {
			turn = make(chan struct{}, 1)
		}
	})
}

// seated is a table of two people at which somebody always can throw.
type seated struct {
	people [2]*person
	table  int64
	turn   int64
}

func (h *house) seat(i int) *seated { return h.seatIn("test:1", i) }

// seatIn is seat in a chat.
func (h *house) seatIn(group chat.Chat, i int) *seated {
	s := &seated{people: [2]*person{h.person(fmt.Sprint("A", i)), h.person(fmt.Sprint("B", i))}}
	for _, p := range s.people {
		p.chat, p.place = group, chat.Place(fmt.Sprint(group, "/", i))
	}
	s.people[0].writes("/relay 10")
	s.table = s.people[0].table().ID
	s.people[1].sends(fmt.Sprintf("1:%d:0:!join", s.table))
	s.people[0].sends(fmt.Sprintf("1:%d:0:!start", s.table))
	if table := s.people[0].table(); table.State != store.Playing {
		h.t.Fatalf("table %d is %s", table.ID, table.State)
	}
	h.wait(leisure) // who has started throws next
	return s
}

// press is the next throw at the table.
func (s *seated) press() chat.Event {
	ev := s.people[s.turn%2].event()
	ev.Press = fmt.Sprintf("1:%d:%d:throw 2", s.table, s.turn)
	s.turn++
	return ev
}

// errKeep ends a drawing before it is remembered.
var errKeep = errors.New("only looked at")

// BenchmarkBoard is a board rendered from what is stored.
func BenchmarkBoard(b *testing.B) {
	h := newHouse(b, relay{})
	s := h.seat(0)
	keep := func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, error) { return ref, errKeep }
	b.ReportAllocs()
	for b.Loop() {
		// An error of the drawer leaves nothing to be written.
		if err := h.bot.Draw(context.Background(), s.table, false, keep); err != errKeep {
			b.Fatal(err)
		}
	}
}
