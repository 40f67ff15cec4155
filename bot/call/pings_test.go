package call

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/store"
	"knobel/store/storetest"
)

// bare is a bot with only tables and calls.
type bare struct {
	*bot.Core
	*Calls
}

// newGame returns a bot without running loops, with a started table for two people.
func newGame(t *testing.T, clock chat.Clock) bare {
	t.Helper()
	st := storetest.Open(t)
	g := coin.Game{}
	said := wordstest.Of(t, g)
	b := bare{Core: bot.New(bot.Config{Store: st, Games: []games.Game{g}, Words: said, Clock: clock, Zone: time.UTC,
		Log: slog.New(slog.DiscardHandler)})}
	b.Calls = New(table.New(b.Core.Bot))
	b.Add(nil, b.Tables.Feature(), b.Calls.Feature())
	for _, ev := range []chat.Event{
		{User: "test:Anna", Command: g.Name(), Text: "10"},
		{User: "test:Ben", Press: chat.LobbyPress(chat.Message{Table: 1}, "join")},
		{User: "test:Anna", Press: chat.LobbyPress(chat.Message{Table: 1}, "start")},
	} {
		ev.Chat, ev.Place, ev.Name = "test:1", "test:1/1", string(ev.User[len("test:"):])
		if r := b.Handle(t.Context(), ev); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	return b
}

// startedTable returns the table of newGame.
func startedTable(t *testing.T, b bare) (table store.Table) {
	t.Helper()
	err := b.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		table, err = tx.Tables.Table(1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// woken reports whether a loop was woken since the last call of woken.
func woken(w loop.Waker) bool {
	select {
	case <-w:
		return true
	default:
		return false
	}
}

// TestTheLoopLooksForACallThatItCannotHaveSeen checks that a call committed during a round of the loop wakes it.
func TestTheLoopLooksForACallThatItCannotHaveSeen(t *testing.T) {
	clock := fakes.NewClockAt(time.Unix(1_000_000, 0), false)
	b := newGame(t, clock)
	ev := chat.Event{Chat: "test:1", Place: "test:1/2", User: "test:Anna", Name: "Anna", Command: coin.Game{}.Name()}
	if r := b.Handle(t.Context(), ev); r.Refused {
		t.Fatal(r.Toast)
	}
	look := func() {
		if _, err := b.runRound(t.Context(), b.Core); err != nil {
			t.Error(err)
		}
	}
	look() // schedules the first table's call
	clock.Advance(callAfter)
	err := b.Step(t.Context(), store.OfTable(2), func(v *bot.Visit) error {
		v.After(func(context.Context, *bot.Core) error {
			b.pings.Wait()
			woken(b.pings.Waker)
			return nil
		})
		second, err := v.Tx.Tables.Table(2)
		if err != nil {
			return err
		}
		err = b.scheduleCall(b.Visit(v), second, 0, 0)
		look() // the first call is due, and the second is not committed
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !woken(b.pings.Waker) {
		t.Error("nobody looks for the second table's call")
	}
}

// TestACallWithoutAMessageIsForgotten checks that a call without a known message is dropped once its turn has passed.
func TestACallWithoutAMessageIsForgotten(t *testing.T) {
	b := newGame(t, fakes.NewClockAt(time.Unix(1_000_000, 0), false))
	table := startedTable(t, b)
	c := store.Call{Table: table.ID, Sent: true, Over: true, Past: true}
	err := b.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error { return tx.Calls.SaveCall(&c) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.runRound(t.Context(), b.Core); err != nil {
		t.Fatal(err)
	}
	b.pings.Wait()
	err = b.Store.View(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Calls.Call(c.ID)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the call is still there: %v", err)
	}
}

// TestACallOfTheSameNumberIsLeftAlone checks that the sender of a deleted call neither sends nor postpones a new call
// with its ID.
func TestACallOfTheSameNumberIsLeftAlone(t *testing.T) {
	clock := fakes.NewClockAt(time.Unix(1_000_000, 0), false)
	b := newGame(t, clock)
	table := startedTable(t, b)
	call := func() (c store.Call) {
		err := b.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			c, err = tx.Calls.CallAt(table.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	was := call()
	at := store.Row{ID: was.ID, Chat: table.Chat}
	s, ours, err := b.claim(t.Context(), at, checkedPing{place: chat.Place(table.Place)})
	if err != nil || ours {
		t.Errorf("sent %v before its time: %v (%v)", s, ours, err)
	}
	if now := call(); now != was {
		t.Errorf("the call is %s, and was %s", fmt.Sprint(now), fmt.Sprint(was))
	}
}

// TestUndeletableCallsAreLeftAlone checks that failed deletions, as on a platform that no longer runs, are not retried
// at once: many of them would keep the loop busy.
func TestUndeletableCallsAreLeftAlone(t *testing.T) {
	clock := fakes.NewClockAt(time.Unix(1_000_000, 0), false)
	b := newGame(t, clock)
	table := startedTable(t, b)
	var calls []int64
	err := b.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		for _, message := range []string{"test:1/1/7", "test:1/1/8"} {
			c := store.Call{Table: table.ID, Sent: true, Message: message, Over: true, Past: true}
			if err := tx.Calls.SaveCall(&c); err != nil {
				return err
			}
			calls = append(calls, c.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.runRound(t.Context(), b.Core); err != nil {
		t.Fatal(err)
	}
	b.pings.Wait()
	begins := func(id int64) (began bool) {
		b.pings.Go(t.Context(), "test", id, func(context.Context, int64) error {
			began = true
			return nil
		}, func(err error) { t.Error(err) })
		b.pings.Wait()
		return began
	}
	for _, id := range calls {
		if begins(id) {
			t.Errorf("call %d is seen to again at once", id)
		}
	}
	clock.Advance(callAgain)
	for _, id := range calls {
		if !begins(id) {
			t.Errorf("call %d is left alone for ever", id)
		}
	}
}
