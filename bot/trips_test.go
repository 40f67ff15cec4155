package bot_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/bot/lease"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/games/zehntausend"
	"knobel/store"
	"knobel/store/storetest"
)

// The largest numbers of round trips to the server for a press with its board.
const (
	mostTrips       = 10
	mostTripsInTurn = 6  // for a press at a table of people who have played before
	mostTripsOpen   = 12 // for a command that opens a table
)

// TestAPressTakesSixRoundTrips counts the round trips to the server for a press.
func TestAPressTakesSixRoundTrips(t *testing.T) {
	bare.Beside(t)
	t.Run("alone", func(t *testing.T) { countTrips(t, bare.NewIn(t, storetest.OnServer(t), bare.Relay{})) })
	t.Run("one of several", func(t *testing.T) { countTrips(t, newReplica(t, true, bare.Relay{})) })
	t.Run("beside who runs the loops", func(t *testing.T) { countTrips(t, newReplica(t, false, bare.Relay{})) })
}

// newReplica returns a house on a server whose bot may be one of several replicas. holdsLeases: it acquires leases.
func newReplica(t *testing.T, holdsLeases bool, list ...games.Game) *bare.House {
	t.Helper()
	h := bare.NewIn(t, storetest.OnServer(t), list...)
	h.Leases = lease.New(lease.Config{Store: h.Store, Name: "a"})
	h.RestartBot()
	if holdsLeases {
		check(t, h.Leases.Start(t.Context()))
	}
	return h
}

// countTrips checks the round trips of ten presses at a table whose boards the adapter draws with its answers.
func countTrips(t *testing.T, h *bare.House) {
	t.Helper()
	s := h.Seat(0)
	for press := range 10 {
		h.Wait(bare.Leisure)
		if trips, _ := roundTrips(s.People[0], bare.Carried(s)); press > 0 && trips > mostTripsInTurn || trips == 0 {
			t.Errorf("press %d takes %d round trips", press, trips)
		}
	}
}

// roundTrips returns the number of round trips for an event with its board, and that board.
func roundTrips(p *bare.Person, ev chat.Event) (trips int64, board chat.Message) {
	p.T.Helper()
	before := p.Store.Commits().RoundTrips
	r := p.Bot.Handle(p.T.Context(), ev)
	if r.Refused || r.Board == 0 {
		p.T.Fatalf("refused: %+v", r)
	}
	edit := func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
		board = m
		return cmp.Or(ref, "test:1/1/board"), chat.Permit{}, nil
	}
	check(p.T, p.Bot.Draw(p.T.Context(), r.Board, false, edit))
	return p.Store.Commits().RoundTrips - before, board
}

// TestAGameTakesTenRoundTrips plays games of two and then opens the next table with the same people: Shut the Box
// always, other games in long runs only.
func TestAGameTakesTenRoundTrips(t *testing.T) {
	bare.Beside(t)
	for _, line := range []string{"shutbox 3", "wuerfelpoker", "zehntausend 3"} {
		if line != "shutbox 3" && !needs.IsLong() {
			continue
		}
		t.Run(line, func(t *testing.T) {
			h := newReplica(t, true, shutbox.Game{}, wuerfelpoker.New(), zehntausend.New())
			for game := range 2 {
				met := map[string]bool{}
				for _, s := range countGameTrips(h, game, line) {
					met[s.kind] = true
					if s.trips > mostTrips && s.kind != "open" || s.trips > mostTripsOpen {
						t.Errorf("game %d: %s takes %d round trips", game, s.kind, s.trips)
					}
				}
				for _, kind := range []string{"open", "join", "start", "throw", "rematch"} {
					if !met[kind] {
						t.Errorf("no %s was counted", kind)
					}
				}
			}
		})
	}
}

// gameStep is a step of a game with its number of round trips to the server.
type gameStep struct {
	kind  string
	trips int64
}

// countGameTrips plays a game of two people in chat number i, opened by the command in line. It returns the round
// trips of each step: opening the table, joining, starting, each press, and opening the next table.
func countGameTrips(h *bare.House, i int, line string) (steps []gameStep) {
	h.T.Helper()
	name, terms, _ := strings.Cut(line, " ")
	people := []*bare.Person{h.Person(fmt.Sprint("Anna ", i)), h.Person(fmt.Sprint("Ben ", i))}
	var board chat.Message
	do := func(kind string, p *bare.Person, command, text, press string) {
		h.Wait(bare.Leisure)
		p.Chat, p.Place = chat.Chat(fmt.Sprint("test:chat ", i)), chat.Place(fmt.Sprint("test:chat ", i, "/1"))
		ev := p.Event()
		ev.Command, ev.Text, ev.Press, ev.Carries = command, text, press, true
		var trips int64
		trips, board = roundTrips(p, ev)
		if strings.Contains(press, ":!show sheet") {
			trips-- // a score sheet is first offered to the platform, then the transaction is repeated: one trip more
		}
		steps = append(steps, gameStep{kind, trips})
	}
	do("open", people[0], name, terms, "")
	table := people[0].Table().ID
	do("join", people[1], "", "", chat.LobbyPress(chat.Message{Table: table}, "join"))
	do("start", people[0], "", "", chat.LobbyPress(chat.Message{Table: table}, "start"))
	for people[0].Table().State != store.Over {
		turn := slices.IndexFunc(board.People, func(p chat.Person) bool { return p.State == games.ToMove })
		next := bare.Onward(board)
		press, _ := chat.ParsePress(next.Press)
		kind, _, _ := strings.Cut(press.What, " ")
		do(kind, people[turn], "", "", next.Press)
	}
	do("rematch", people[0], "", "", chat.LobbyPress(chat.Message{Table: table}, "rematch"))
	return steps
}

func TestTallyOfAMinute(t *testing.T) {
	var m chat.Tally
	at := time.UnixMilli(1_700_000_000_000)
	for range 3 {
		m.Count("a", chat.Sent, at)
	}
	m.Count("a", chat.Edited, at.Add(20*time.Second))
	m.Count("a", chat.Called, at.Add(30*time.Second))
	m.Count("a", chat.Slowed, at.Add(30*time.Second))
	m.Count("b", chat.Sent, at.Add(40*time.Second))
	first, second := m.Wait("a"), m.Wait("a")
	first()
	for _, c := range []struct {
		after time.Duration
		want  chat.Budget
	}{
		{59 * time.Second, chat.Budget{Sends: 3, Edits: 1, Calls: 1, Waiting: 1}},
		{60 * time.Second, chat.Budget{Edits: 1, Calls: 1, Waiting: 1}},
		{2 * time.Minute, chat.Budget{Waiting: 1}},
	} {
		if c.after == 59*time.Second {
			want := chat.Budget{Sends: 4, Edits: 1, Calls: 1, Slowed: 1, Waiting: 1, Busiest: 4}
			if got := m.Whole(at.Add(c.after)); got != want {
				t.Errorf("all chats: %+v, want %+v", got, want)
			}
		}
		if got := m.Budget("a", at.Add(c.after)); got != c.want {
			t.Errorf("after %v: %+v, want %+v", c.after, got, c.want)
		}
	}
	second()
	want := chat.Budget{Sends: 4, Edits: 1, Calls: 1, Slowed: 1}
	if got := m.Whole(at.Add(2 * time.Minute)); got != want {
		t.Errorf("at the end: %+v, want %+v", got, want)
	}
}
