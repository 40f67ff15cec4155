package lease_test

import (
	"context"
	"testing"
	"time"

	"knobel/bot/lease"
	"knobel/store"
)

// blockChanges blocks all changes of the database until goOn is called.
func blockChanges(t *testing.T, s *store.Store) (goOn func()) {
	t.Helper()
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		err := s.Update(context.Background(), func(*store.Tx) error {
			close(begun)
			<-end
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	<-begun
	return func() {
		close(end)
		<-ended
	}
}

// TestALeaseIsInDoubtWhileTheDatabaseDoesNotAnswer blocks the database: leases become uncertain, and replicas can still
// end. Once it answers, leases are certain again.
func TestALeaseIsInDoubtWhileTheDatabaseDoesNotAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a := startReplica(t, s, "a")
		held, done, err := a.Hold(t.Context(), "polling", 1, 0)
		check(t, err)
		wait(time.Second)
		goOn := blockChanges(t, s)
		wait(7 * time.Second)
		if a.Sure() != a.Holds("test:1") {
			t.Error("it is sure of what it holds, and not of the loops of chats")
		}
		if wait(3 * time.Second); a.Sure() || a.Holds("test:1") {
			t.Error("another replica may have it by now, and it is sure")
		}
		if wait(time.Minute); held.Err() != nil {
			t.Error("it is given up though nobody can have it")
		}
		goOn()
		if wait(2 * time.Second); held.Err() != nil || !a.Sure() || !a.Holds("test:1") {
			t.Error("it does not go on")
		}
		goOn = blockChanges(t, s)
		wait(10 * time.Second)
		began := time.Now()
		done(0)
		a.Yield()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("giving back has taken %v", took)
		}
		goOn()
		wait(5 * time.Second)
		a.end()
	})
}

// TestWhoHasLostALeaseLearnsThat lets a replica sleep until another takes over. Its leases are uncertain when it wakes
// up, and are gone after its next renewal.
func TestWhoHasLostALeaseLearnsThat(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a, b := startReplica(t, s, "a"), startReplica(t, s, "b")
		held, done, err := a.Hold(t.Context(), "polling", 1, 0)
		check(t, err)
		var got context.Context
		go func() { got, _, _ = b.Hold(t.Context(), "polling", 1, 0) }()
		wait(time.Second)
		a.paused.pause()
		if wait(12 * time.Second); got == nil || a.Sure() || held.Err() != nil {
			t.Errorf("the other has it: %v, this one is sure: %v, and has given it up: %v", got != nil, a.Sure(),
				held.Err())
		}
		a.paused.goOn()
		if wait(time.Second); held.Err() == nil || !a.Sure() || got.Err() != nil {
			t.Error("it does not learn who has it")
		}
		done(0)
		a.end()
		b.end()
	})
}

// TestALeaseIsGivenBackOnce returns a lease twice: the second call does not take it from its next user.
func TestALeaseIsGivenBackOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a, b := startReplica(t, s, "a"), startReplica(t, s, "b")
		_, done, err := a.Hold(t.Context(), "polling", 1, 0)
		check(t, err)
		done(0)
		done(0)
		if wait(2 * time.Second); a.Held()["polling"] != 0 {
			t.Error("it is taken again for nobody")
		}
		var got context.Context
		go func() { got, _, _ = b.Hold(t.Context(), "polling", 1, 0) }()
		if wait(2 * time.Second); got == nil || a.Held()["polling"] != 0 {
			t.Errorf("it is held by nobody who wants it: %v", a.Held())
		}
		a.end()
		b.end()
	})
}

// TestWhoHasYieldedHoldsNothing checks that after Yield a replica takes no chats, not even by a renewal in progress.
func TestWhoHasYieldedHoldsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a := startReplica(t, s, "a")
		wait(2900 * time.Millisecond)
		goOn := blockChanges(t, s)
		wait(time.Second) // a renewal is due
		yielded := make(chan struct{})
		go func() {
			defer close(yielded)
			a.Yield()
		}()
		wait(time.Millisecond)
		goOn()
		<-yielded
		for range 10 {
			if a.Holds("test:1") || a.Held()["chats"] > 0 {
				t.Fatal("it holds chats that it has given up")
			}
			wait(100 * time.Millisecond)
		}
		b := startReplica(t, s, "b")
		wait(time.Second)
		if n := wantShared(t, a, b); n[1] != lease.Shares {
			t.Errorf("the other has %v", n)
		}
		a.end()
		b.end()
	})
}

// TestARefusalIsLookedInto checks that a replica renews its leases at once when a change was refused.
func TestARefusalIsLookedInto(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a := startReplica(t, s, "a")
		old, _ := a.Share("test:1")
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			now := time.Now().UnixMilli()
			if err := tx.Leases.ReturnLease(old, now, 0); err != nil {
				return err
			}
			return tx.Leases.TakeLease(old.Name, "b", now, 60_000)
		})
		check(t, err)
		err = s.UpdateOf(t.Context(), store.OfChat("test:1").Under(old), func(*store.Tx) error { return nil })
		if !a.Fenced(err) {
			t.Errorf("it is not refused: %v", err)
		}
		if wait(100 * time.Millisecond); a.Holds("test:1") {
			t.Error("it goes on with what is another's")
		}
		a.end()
	})
}
