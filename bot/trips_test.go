package bot_test

import (
	"context"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/store/storetest"
)

// TestAPressTakesFourRoundTrips counts how often a press waits for a server, its board included: each is a way there
// and back, which takes as long as the network between takes. The first press of each person tells what theirs read.
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
	const most = 4
	s := h.seat(0)
	edit := func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, error) {
		if ref == "" {
			ref = "test:1/1/board"
		}
		return ref, nil
	}
	for press := range 10 {
		h.wait(leisure)
		before := h.store.RoundTrips()
		r := h.bot.Handle(t.Context(), carried(s))
		handled := h.store.RoundTrips()
		if r.Refused || r.Board == 0 {
			t.Fatalf("refused: %+v", r)
		}
		if err := h.bot.Draw(t.Context(), r.Board, false, edit); err != nil {
			t.Fatal(err)
		}
		if trips := h.store.RoundTrips() - before; press > 1 && trips > most || trips == 0 {
			t.Errorf("press %d takes %d round trips, %d of them before it is drawn", press, trips, handled-before)
		}
	}
}
