package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"knobel/bot"
	"knobel/games"
	"knobel/store"
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
// many tables pressing at once, and how that compares with adding a page to a
// file and syncing it, which is as fast as one commit after the other can be.
func BenchmarkPresses(b *testing.B) {
	for _, tables := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) { benchPresses(b, tables) })
	}
}

func benchPresses(b *testing.B, tables int) {
	syncs := syncsPerSecond(b)
	h := newHouse(b, relay{})
	free := make(chan *seated, tables)
	for i := range tables {
		free <- h.seat(i)
	}
	var presses atomic.Int64
	took := make([]time.Duration, b.N)
	b.SetParallelism(tables)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s := <-free
			n := presses.Add(1)
			began := time.Now()
			r := h.bot.Handle(context.Background(), s.press(n))
			took[n-1] = time.Since(began)
			free <- s
			if r.Refused {
				b.Errorf("refused: %s", r.Toast)
			}
		}
	})
	b.StopTimer()
	rate := float64(b.N) / b.Elapsed().Seconds()
	slices.Sort(took)
	b.ReportMetric(rate, "presses/s")
	b.ReportMetric(syncs, "syncs/s")
	b.ReportMetric(rate/syncs, "presses/sync")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

// seated is a table of two people at which somebody always can throw.
type seated struct {
	people [2]*person
	table  int64
	turn   int64
}

func (h *house) seat(i int) *seated {
	s := &seated{people: [2]*person{h.person(fmt.Sprint("A", i)), h.person(fmt.Sprint("B", i))}}
	for _, p := range s.people {
		p.place = bot.Place(fmt.Sprint("test:1/", i))
	}
	s.people[0].writes("/relay 10")
	s.table = s.people[0].table().ID
	s.people[1].sends(fmt.Sprintf("1:%d:0:!join", s.table))
	s.people[0].sends(fmt.Sprintf("1:%d:0:!start", s.table))
	if table := s.people[0].table(); table.State != store.Playing {
		h.t.Fatalf("table %d is %s", table.ID, table.State)
	}
	return s
}

// press is the next throw at the table.
func (s *seated) press(n int64) bot.Event {
	ev := s.people[s.turn%2].event()
	ev.Press = fmt.Sprintf("1:%d:%d:throw 2", s.table, s.turn)
	s.turn++
	return ev
}

// syncsPerSecond measures how often a second a page can be added to a file and
// made durable.
func syncsPerSecond(b *testing.B) float64 {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	began, syncs := time.Now(), 0
	for ; syncs < 20 || time.Since(began) < 300*time.Millisecond; syncs++ {
		if _, err := file.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := syncData(file); err != nil {
			b.Fatal(err)
		}
	}
	return float64(syncs) / time.Since(began).Seconds()
}

// errKeep ends a drawing before it is remembered.
var errKeep = errors.New("only looked at")

// BenchmarkBoard is a board rendered from what is stored.
func BenchmarkBoard(b *testing.B) {
	h := newHouse(b, relay{})
	s := h.seat(0)
	keep := func(_ context.Context, _ bot.Message, ref bot.Ref) (bot.Ref, error) { return ref, errKeep }
	b.ReportAllocs()
	for b.Loop() {
		// An error of the drawer leaves nothing to be written.
		if err := h.bot.Draw(context.Background(), s.table, false, keep); err != errKeep {
			b.Fatal(err)
		}
	}
}
