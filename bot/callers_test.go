package bot

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// rung says whether a bell has been rung since it was last asked.
func (b bell) rung() bool {
	select {
	case <-b:
		return true
	default:
		return false
	}
}

// The loop may look at any moment, also right before a change is committed that
// makes a call: it does not see that one, and is told of it afterwards, whatever it
// was going to look for when the change began.
func TestTheLoopLooksForACallThatItCannotHaveSeen(t *testing.T) {
	clock := &drowsy{now: time.Unix(1_000_000, 0)}
	b := watched(t, clock)
	seated(t, b)
	ev := chat.Event{Chat: "test:1", Place: "test:1/2", User: "test:Anna", Name: "Anna", Command: "shutbox"}
	if r := b.Handle(t.Context(), ev); r.Refused {
		t.Fatal(r.Toast)
	}
	look := func() {
		if _, err := b.lookCalls(t.Context()); err != nil {
			t.Error(err)
		}
	}
	look() // the first table's call is next
	clock.now = clock.now.Add(callAfter)
	var v visit
	err := b.store.Update(t.Context(), func(tx *store.Tx) error {
		v = visit{bot: b, tx: tx, at: b.now()}
		second, err := tx.Table(2)
		if err != nil {
			return err
		}
		err = v.callIn(second, 0, callAfter, false)
		look() // that one is due, and no other is known
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b.callers.all.Wait()
	b.callers.bell.rung()
	v.wake()
	if !b.callers.bell.rung() {
		t.Error("nobody looks for the second table's call")
	}
}

// However many calls of one platform wait, those of another are sent.
func TestCallsOfOnePlatformLeaveRoomForAnothers(t *testing.T) {
	c := newErrands(chat.SystemClock{}, time.Minute)
	for id := range int64(mostErrands) {
		c.begin(t.Context(), "test", id)
	}
	if _, ok := c.begin(t.Context(), "test", mostErrands); ok {
		t.Error("one platform has no bound")
	}
	if _, ok := c.begin(t.Context(), "other", mostErrands); !ok {
		t.Error("there is no room for another platform's")
	}
}

// Where more calls are due than are seen to at once, the loop looks again once one
// of them has ended.
func TestWhatFindsNoRoomIsLookedForAgain(t *testing.T) {
	c := newErrands(chat.SystemClock{}, time.Minute)
	for id := range int64(mostErrands) {
		if _, ok := c.begin(t.Context(), "test", id); !ok {
			t.Fatalf("no room for call %d", id)
		}
	}
	if _, ok := c.begin(t.Context(), "test", mostErrands); ok {
		t.Fatal("there is room for all")
	}
	for id := range int64(2) {
		c.end(id, nil)
		if rung := c.bell.rung(); rung != (id == 0) {
			t.Errorf("when call %d has ended, the bell was rung: %t", id, rung)
		}
	}
}

// A call of which nobody knows the message is forgotten once its turn has passed:
// nobody can take it away, not now and not later.
func TestACallThatNobodyKnowsIsForgotten(t *testing.T) {
	b := watched(t, &drowsy{now: time.Unix(1_000_000, 0)})
	seated(t, b)
	table, _ := b.first(t)
	c := store.Call{Table: table.ID, Sent: true, Over: true, Past: true}
	if err := b.store.Update(t.Context(), func(tx *store.Tx) error { return tx.SaveCall(&c) }); err != nil {
		t.Fatal(err)
	}
	if _, err := b.lookCalls(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.callers.all.Wait()
	err := b.store.View(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Call(c.ID)
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the call is still there: %v", err)
	}
}

// The number of a call that is forgotten comes again: whoever was about to send that
// one does not send another before its time, nor puts it off.
func TestACallOfTheSameNumberIsLeftAlone(t *testing.T) {
	clock := &drowsy{now: time.Unix(1_000_000, 0)}
	b := watched(t, clock)
	seated(t, b)
	table, _ := b.first(t)
	call := func() (c store.Call) {
		err := b.store.View(t.Context(), func(tx *store.Tx) (err error) {
			c, err = tx.CallAt(table.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	was := call()
	s, ours, err := b.claim(t.Context(), was.ID, summons{place: chat.Place(table.Place)})
	if err != nil || ours {
		t.Errorf("sent %v before its time: %v (%v)", s, ours, err)
	}
	if now := call(); now != was {
		t.Errorf("the call is %s, and was %s", fmt.Sprint(now), fmt.Sprint(was))
	}
}

// What nobody can take away, as on a platform that does not run any longer, is left
// alone for a while: many of them would have the loop look for ever.
func TestWhatNobodyCanTakeAwayIsLeftAlone(t *testing.T) {
	clock := &drowsy{now: time.Unix(1_000_000, 0)}
	b := watched(t, clock)
	seated(t, b)
	table, _ := b.first(t)
	var calls []int64
	err := b.store.Update(t.Context(), func(tx *store.Tx) error {
		for _, message := range []string{"test:1/1/7", "test:1/1/8"} {
			c := store.Call{Table: table.ID, Sent: true, Message: message, Over: true, Past: true}
			if err := tx.SaveCall(&c); err != nil {
				return err
			}
			calls = append(calls, c.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.lookCalls(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.callers.all.Wait()
	for _, id := range calls {
		if _, ok := b.callers.begin(t.Context(), "test", id); ok {
			t.Errorf("call %d is seen to again at once", id)
		}
	}
	clock.now = clock.now.Add(callAgain)
	for _, id := range calls {
		if _, ok := b.callers.begin(t.Context(), "test", id); !ok {
			t.Errorf("call %d is left alone for ever", id)
		}
	}
}

// A call whose number another is going to have leaves it no rest.
func TestAStoppedCallLeavesNoRest(t *testing.T) {
	c := &callers{errands: newErrands(&drowsy{now: time.Unix(1_000_000, 0)}, callAgain)}
	if _, ok := c.begin(t.Context(), "test", 1); !ok {
		t.Fatal("nobody sees to it")
	}
	c.end(1, errors.New("a fault"))
	c.stop([]int64{1})
	if _, ok := c.begin(t.Context(), "test", 1); !ok {
		t.Error("the next call of that number is left alone")
	}
}
