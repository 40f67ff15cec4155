package table_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store/storetest"
)

// holding keeps what a stage is asked to do waiting until it is let go.
func holding(s *bare.Stage, what string) (goOn func()) {
	free := make(chan struct{})
	s.Fail = func(said string, _ chat.Place) error {
		if said == what {
			<-free
		}
		return nil
	}
	return func() { close(free) }
}

// A reminder whose board takes a moment to be drawn follows it within seconds, however long the table has stood still.
func TestAReminderFollowsItsBoard(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, _ := bare.Begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
		h.Later(time.Minute)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(6 * time.Minute)
		drawn := holding(s.Stage, "edit")
		h.Later(3 * time.Minute)
		s.WantCalls(t, 1)
		drawn()
		h.Later(5 * time.Second)
		s.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		h.Sound()
	})
}

// A table that has moved with its chat while it was found that it cannot be drawn
// where it stood is drawn where it stands now.
func TestATableIsNotAwayFromWhereItHasLeft(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		s.Fail = func(what string, place chat.Place) error {
			if what != "edit" || place != "test:1/1" {
				return nil
			}
			err := h.Bot.Migrate(context.WithoutCancel(t.Context()), "test:1", "test:9",
				func(chat.Place) chat.Place { return "test:9/1" })
			if err != nil {
				t.Error(err)
			}
			return chat.ErrAway
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait()
		if table := h.TableAt("test:9/1"); table.Board.Away || table.Board.Drawn != table.Version {
			t.Errorf("away %t, drawn %d of %d", table.Board.Away, table.Board.Drawn, table.Version)
		}
	})
}

// An adapter that was to draw a board and cannot, because what they have done was not
// committed, leaves it to the loops: what these passed over meanwhile is drawn.
func TestABoardIsDrawnThoughWhoHeldItHasFailed(t *testing.T) {
	bare.Alone(t)
	var commits func() bool
	storetest.Use(t, storetest.Disk{Flush: func(log bool) bool { return !log || commits == nil || commits() }})
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		free := make(chan struct{})
		s.OnReady = func(context.Context, chat.Place) error {
			<-free
			return nil
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait() // it is about to be drawn
		commits = func() bool {
			commits = nil
			close(free)
			synctest.Wait()
			return false
		}
		ev := people[1].Event()
		ev.Press, ev.Carries = "1:1:1:throw", true
		if r := h.Bot.Handle(t.Context(), ev); r.Board != 0 {
			t.Fatalf("it was committed: %+v", r)
		}
		synctest.Wait()
		if table := people[0].Table(); table.Turn != 1 || table.Board.Drawn != table.Version {
			t.Errorf("turn %d, drawn %d of %d", table.Turn, table.Board.Drawn, table.Version)
		}
	})
}
