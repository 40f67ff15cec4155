package call_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// porch is a platform for one replica that can block before and after it sends a call.
type porch struct {
	*bare.Square
	ready, call *bare.Turnstile
}

// Ready waits at the turnstile ready before a ping. If it had to wait, it asks for a later try.
func (p porch) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need == chat.ToCall && p.ready.Pass() {
		return chat.Later{After: 5 * time.Second}
	}
	return p.Square.Ready(ctx, place, need)
}

// Call sends a ping and then waits at the turnstile call.
func (p porch) Call(ctx context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	ref, err := p.Square.Call(ctx, place, call)
	p.call.Pass()
	return ref, err
}

// onPorch runs two replicas on the platform sq, with a table at. It blocks replica A, which runs the chat's loops, at
// the turnstile d, which choose returns, and takes A's leases away. Then it calls test.
func onPorch(t *testing.T, choose func(p porch) *bare.Turnstile, test func(p *bare.Pair, sq *bare.Square,
	d *bare.Turnstile, at *bare.Seated)) {
	sq := bare.NewSquare()
	porches := map[*bare.Side]porch{}
	on := func(_ string, s *bare.Side) chat.Platform {
		porches[s] = porch{sq, bare.NewTurnstile(), bare.NewTurnstile()}
		return porches[s]
	}
	bare.InPairOn(t, on, func(p *bare.Pair) {
		at := p.Opens(p.B)
		d := choose(porches[p.A])
		d.Shut.Store(true)
		bare.GoOn(time.Minute)
		<-d.Came
		p.A.Leases.Yield() // A keeps running without leases
		bare.GoOn(2 * time.Second)
		if p.A.Leases.Holds("test:1") || !p.B.Leases.Holds("test:1") {
			t.Fatal("the lease has not changed hands")
		}
		test(p, sq, d, at)
	})
}

// TestACallIsMadeOnceThoughTheLoopsMove checks that a replica which loses the chat while it waits for the platform
// leaves the call to the new replica, which sends it once.
func TestACallIsMadeOnceThoughTheLoopsMove(t *testing.T) {
	onPorch(t, func(p porch) *bare.Turnstile { return p.ready }, func(p *bare.Pair, sq *bare.Square,
		d *bare.Turnstile, _ *bare.Seated) {
		bare.GoOn(10 * time.Second)
		if n := len(sq.Standing()); n != 1 {
			t.Fatalf("who has the chat now has made %d calls", n)
		}
		close(d.Open)
		bare.GoOn(5 * time.Minute)
		if len(sq.Said) != 1 {
			t.Errorf("%q was called", sq.Said)
		}
	})
}

// TestACallThatIsBeingMadeIsTakenAway checks that a call in progress while the chat moves is stored by its sender and
// deleted by the new replica.
func TestACallThatIsBeingMadeIsTakenAway(t *testing.T) {
	onPorch(t, func(p porch) *bare.Turnstile { return p.call }, func(p *bare.Pair, sq *bare.Square, d *bare.Turnstile,
		at *bare.Seated) {
		p.At(p.B, at.Press()) // the turn is over
		bare.GoOn(10 * time.Second)
		close(d.Open)
		bare.GoOn(30 * time.Second)
		if left := sq.Standing(); len(left) != 0 || len(sq.Said) != 1 {
			t.Errorf("%q stand of %q", left, sq.Said)
		}
	})
}

// TestALostCallIsGivenUpByTheNextReplica checks that an interrupted call is not resent, but dropped after its turn.
func TestALostCallIsGivenUpByTheNextReplica(t *testing.T) {
	onPorch(t, func(p porch) *bare.Turnstile { return p.call }, func(p *bare.Pair, sq *bare.Square, d *bare.Turnstile,
		at *bare.Seated) {
		bare.GoOn(6 * time.Minute)
		lost := bare.Stored(p.House, func(tx *store.Tx) (store.Call, error) { return tx.Calls.CallAt(at.Table) })
		if len(sq.Said) != 1 || !lost.Sent || lost.Message != "" {
			t.Errorf("%q was called, %+v is stored", sq.Said, lost)
		}
		p.At(p.B, at.Press())
		bare.GoOn(5 * time.Second)
		p.Reads(func(tx *store.Tx) error {
			if left, err := tx.Calls.Call(lost.ID); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%+v is still stored, %v", left, err)
			}
			return nil
		})
		close(d.Open)
	})
}

// TestCallsThatBecameStaleAreNotSent checks that a call is not sent if its turn passes while it waits for the budget.
func TestCallsThatBecameStaleAreNotSent(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		s.Waits = make(chan struct{})
		people := h.Begin(s, "/coin 10", "Anna", "Ben")
		anna, ben := people[0], people[1]
		waits := func() {
			h.Later(45 * time.Second)
			<-s.Waits
		}
		waits()
		anna.Sends("1:1:0:throw")
		s.Drawn(anna)
		waits() // Ben's call; Anna's turn has ended
		bare.Told(t, ben.Writes("/notify off"), "No more reminders for you. /notify on brings them back.")
		s.Stop()
		if s.WantCalls(t, 0); len(s.Said) > 0 {
			t.Errorf("said %q", s.Said)
		}
		h.Sound()
	})
}

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) { bare.AllStories(t, wuerfelpoker.New()) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
