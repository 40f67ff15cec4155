package bot_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store/storetest"
)

// mostTrips is how often a press waits for a server at most, its board included: each is a way there and back, which
// takes as long as the network between takes.
const mostTrips = 4

// TestAPressTakesFourRoundTrips counts how often a press waits for a server. The first press of each person tells what
// theirs read.
func TestAPressTakesFourRoundTrips(t *testing.T) {
	t.Run("alone", func(t *testing.T) { countTrips(t, newHouseIn(t, storetest.OnServer(t), relay{})) })
	t.Run("one of several", func(t *testing.T) {
		h := newHouseIn(t, storetest.OnServer(t), relay{})
		h.leases = lease.New(lease.Config{Store: h.store, Name: "a"})
		h.restartBot()
		if err := h.leases.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		countTrips(t, h)
	})
	t.Run("beside who runs the loops", func(t *testing.T) {
		h := newHouseIn(t, storetest.OnServer(t), relay{})
		h.leases = lease.New(lease.Config{Store: h.store, Name: "b"}) // it has nothing
		h.restartBot()
		countTrips(t, h)
	})
}

// countTrips presses at a table whose boards the adapter draws with its answers.
func countTrips(t *testing.T, h *house) {
	t.Helper()
	s := h.seat(0)
	for press := range 10 {
		h.wait(leisure)
		if trips := tripsOf(t, s); press > 1 && trips > mostTrips || trips == 0 {
			t.Errorf("press %d takes %d round trips", press, trips)
		}
	}
}

// tripsOf is the next press at a table with its board, and returns how often it waits for the server.
func tripsOf(t *testing.T, s *seated) int64 {
	t.Helper()
	trips, _ := s.people[0].trips(carried(s))
	return trips
}

// trips is how often what somebody asks waits for the server, its board included, and that board.
func (p *person) trips(ev chat.Event) (trips int64, board chat.Message) {
	p.t.Helper()
	before := p.store.RoundTrips()
	r := p.bot.Handle(p.t.Context(), ev)
	if r.Refused || r.Board == 0 {
		p.t.Fatalf("refused: %+v", r)
	}
	edit := func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		board = m
		return cmp.Or(ref, "test:1/1/board"), nil
	}
	if err := p.bot.Draw(p.t.Context(), r.Board, false, edit); err != nil {
		p.t.Fatal(err)
	}
	return p.store.RoundTrips() - before, board
}

// TestAFirstPressTakesFourRoundTrips has a replica that has just begun meet chats in which others have played. What
// presses read is learned in three of them, by a press of each person: at the first table a seat has the table's
// number, and it takes another to tell them apart.
func TestAFirstPressTakesFourRoundTrips(t *testing.T) {
	for what, leases := range map[string]bool{"alone": false, "one of several": true} {
		t.Run(what, func(t *testing.T) {
			h := newHouseIn(t, storetest.OnServer(t), relay{})
			var tables []*seated
			for i := range 6 {
				s := h.seatIn(chat.Chat(fmt.Sprint("test:chat ", i)), i)
				tripsOf(t, s) // it posts the board
				tables = append(tables, s)
			}
			h.restart()
			if leases {
				h.leases = lease.New(lease.Config{Store: h.store, Name: "a"})
				h.restartBot()
				if err := h.leases.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for i, s := range tables {
				for press := range 2 {
					h.wait(leisure)
					if trips := tripsOf(t, s); i > 2 && trips > mostTrips {
						t.Errorf("press %d in chat %d takes %d round trips", press, i, trips)
					}
				}
			}
		})
	}
}

// TestAGameTakesFewRoundTrips plays games of Shut the Box, each in a chat of its own, and counts what people wait for
// in the last ones, when the replica has seen what such games read.
func TestAGameTakesFewRoundTrips(t *testing.T) {
	h := newHouseIn(t, storetest.OnServer(t), shutbox.Game{})
	h.leases = lease.New(lease.Config{Store: h.store, Name: "a"})
	h.restartBot()
	if err := h.leases.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		opens, joins, starts, presses, ends := h.countedGame(i)
		t.Logf("game %d: opened in %d, joined in %d, started in %d, pressed in %d, ended in %d", i, opens, joins,
			starts, presses, ends)
		if i < 5 {
			continue
		}
		if opens > 6 || joins > mostTrips || starts > 6 || ends > 12 || slices.Max(append(presses, 0)) > 6 {
			t.Error("that is more than it was")
		}
	}
}

// countedGame plays a game of two in a chat, and returns how often each step waits for the server.
func (h *house) countedGame(i int) (opens, joins, starts int64, presses []int64, ends int64) {
	h.t.Helper()
	anna, ben := h.person(fmt.Sprint("Anna ", i)), h.person(fmt.Sprint("Ben ", i))
	do := func(p *person, command, text, press string) (int64, chat.Message) {
		h.wait(leisure)
		p.chat, p.place = chat.Chat(fmt.Sprint("test:chat ", i)), chat.Place(fmt.Sprint("test:chat ", i, "/1"))
		ev := p.event()
		ev.Command, ev.Text, ev.Press, ev.Carries = command, text, press, true
		return p.trips(ev)
	}
	opens, _ = do(anna, "shutbox", "3 tiles=3", "")
	table := anna.table().ID
	joins, _ = do(ben, "", "", chat.LobbyPress(table, "join"))
	starts, board := do(anna, "", "", chat.LobbyPress(table, "start"))
	for {
		turn := slices.IndexFunc(board.People, func(p chat.Person) bool { return p.State == games.ToMove })
		if turn < 0 {
			return opens, joins, starts, presses[:len(presses)-1], presses[len(presses)-1]
		}
		var n int64
		n, board = do([]*person{anna, ben}[turn], "", "", board.Buttons[0][0].Press)
		presses = append(presses, n)
	}
}
