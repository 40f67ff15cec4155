package bot_test

import (
	"cmp"
	"context"
	"fmt"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/lease"
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
	h := s.people[0].house
	before := h.store.RoundTrips()
	r := h.bot.Handle(t.Context(), carried(s))
	if r.Refused || r.Board == 0 {
		t.Fatalf("refused: %+v", r)
	}
	edit := func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, error) {
		return cmp.Or(ref, "test:1/1/board"), nil
	}
	if err := h.bot.Draw(t.Context(), r.Board, false, edit); err != nil {
		t.Fatal(err)
	}
	return h.store.RoundTrips() - before
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
