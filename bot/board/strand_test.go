package board_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// A board that is posted while its table moves is taken away again: its buttons belong to no board any more.
func TestABoardPostedWhereTheTableHasLeftIsTakenAway(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	err := h.Bot.Draw(t.Context(), 1, true, func(ctx context.Context, _ chat.Message, _ chat.Ref) (chat.Ref, error) {
		err := h.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
			return tx.Tables.MoveTable(1,
				"test:1/2")
		})
		return "test:late", err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Until(t, "the late board is taken away", func(done []string) bool {
		return strings.Contains(strings.Join(done, ","), "retire test:late")
	})
}

// One puzzle that cannot be closed keeps no other open.
func TestAPuzzleThatCannotBeClosedKeepsNoOtherOpen(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Reviewed(h.Pokered("Anna", "Ben"))
	h.Reviewed(h.Pokered("Anna", "Ben"))
	for i := range 2 {
		anna.At(chat.Place(fmt.Sprint("test:1/", i+1))).Writes("/puzzle")
	}
	h.Tamper(`CREATE TRIGGER broken BEFORE UPDATE ON puzzles WHEN OLD.id = 1 BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	h.Wait(25 * time.Hour)
	h.OnStage(bare.NewStage())
	open := func(id int64) (open bool) {
		err := h.Store.View(context.Background(), func(tx *store.Tx) error {
			p, err := tx.Reviews.Puzzle(id)
			open = p.Open
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return open
	}
	for deadline := time.Now().Add(fakes.Patience); open(2); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the second puzzle is open still")
		}
	}
	if !open(1) {
		t.Error("the first was closed all the same: nothing was tested")
	}
}

// A thread is opened once for an event, also where the event comes again since nothing could be committed. Where the bot
// has ended in between, the first is not known, and the person reads where to go.
func TestAnEventThatComesAgainHasItsThread(t *testing.T) {
	for _, restarts := range []bool{false, true} {
		h := bare.New(t)
		times := 0
		ev := h.Person("Anna").Event()
		ev.Command, ev.Text = "coin", "thread"
		ev.Thread = func(context.Context, string) (chat.Place, error) {
			times++
			if !restarts {
				h.Tamper(`CREATE TRIGGER broken BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'broken'); END`)
			} else if err := h.Store.Close(); err != nil {
				t.Error(err)
			}
			return "test:1/99", nil
		}
		if r := h.Bot.Handle(t.Context(), ev); !r.Refused {
			t.Fatalf("it was committed: %+v", r)
		}
		if restarts {
			h.Open()
			bare.Refused(t, h.Bot.Handle(t.Context(), ev), "A thread was opened for that already. Open a table in it.")
		} else {
			h.Tamper(`DROP TRIGGER broken`)
			h.Bot.Handle(t.Context(), ev)
			if table := h.TableAt("test:1/99"); table.State != store.Lobby {
				t.Errorf("the table in the thread is %s", table.State)
			}
		}
		if times != 1 {
			t.Errorf("%d threads for one event", times)
		}
	}
}
