package bot_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// porch is a square that one of several replicas calls on. It can keep it waiting.
type porch struct {
	*square
	ready, call *turnstile
}

// turnstile keeps whoever comes waiting while it is shut.
type turnstile struct {
	shut atomic.Bool
	came chan struct{} // closed by who waits
	open chan struct{}
}

func newTurnstile() *turnstile {
	return &turnstile{came: make(chan struct{}), open: make(chan struct{})}
}

// pass reports whether somebody had to wait.
func (d *turnstile) pass() bool {
	if !d.shut.CompareAndSwap(true, false) {
		return false
	}
	close(d.came)
	<-d.open
	return true
}

func (p porch) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need == chat.ToCall && p.ready.pass() {
		return chat.Later{After: 5 * time.Second}
	}
	return p.square.Ready(ctx, place, need)
}

func (p porch) Call(ctx context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	ref, err := p.square.Call(ctx, place, call)
	p.call.pass()
	return ref, err
}

// onPorch runs a test with two replicas on one square. One of the replicas, which runs the loops of the chat, finds a
// turnstile shut when it calls.
func onPorch(t *testing.T, shut func(p porch) *turnstile, test func(p *pair, sq *square, d *turnstile, at *seated)) {
	sq := newSquare()
	porches := map[*side]porch{}
	on := func(_ string, s *side) chat.Platform {
		porches[s] = porch{sq, newTurnstile(), newTurnstile()}
		return porches[s]
	}
	inPairOn(t, on, func(p *pair) {
		at := p.opens(p.b)
		d := shut(porches[p.a])
		d.shut.Store(true)
		goOn(time.Minute)
		<-d.came
		p.a.leases.Yield() // it is still there, and another has what was its own
		goOn(2 * time.Second)
		if p.a.leases.Holds("test:1") || !p.b.leases.Holds("test:1") {
			t.Fatal("the lease has not changed hands")
		}
		test(p, sq, d, at)
	})
}

// A replica that has waited for the platform while another got the chat leaves the call to that one, which calls once.
func TestACallIsMadeOnceThoughTheLoopsMove(t *testing.T) {
	onPorch(t, func(p porch) *turnstile { return p.ready }, func(p *pair, sq *square, d *turnstile, _ *seated) {
		goOn(10 * time.Second)
		if n := len(sq.standing()); n != 1 {
			t.Fatalf("who has the chat now has made %d calls", n)
		}
		close(d.open)
		goOn(5 * time.Minute)
		if len(sq.said) != 1 {
			t.Errorf("%q was called", sq.said)
		}
	})
}

// A call that is being made while the chat changes hands is remembered by who makes it, and taken away by the other.
func TestACallThatIsBeingMadeIsTakenAway(t *testing.T) {
	onPorch(t, func(p porch) *turnstile { return p.call }, func(p *pair, sq *square, d *turnstile, at *seated) {
		p.at(p.b, at.press()) // the turn is over
		goOn(10 * time.Second)
		close(d.open)
		goOn(30 * time.Second)
		if left := sq.standing(); len(left) != 0 || len(sq.said) != 1 {
			t.Errorf("%q stand of %q", left, sq.said)
		}
	})
}

// A call whose replica has died while it was being made is given up after a while, and nobody is called twice.
func TestALostCallIsGivenUpByWhoGoesOn(t *testing.T) {
	onPorch(t, func(p porch) *turnstile { return p.call }, func(p *pair, sq *square, d *turnstile, at *seated) {
		lost := func() (n int) {
			err := p.store.View(context.Background(), func(tx *store.Tx) error {
				calls, err := tx.LostCalls(10)
				n = len(calls)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			return n
		}
		if goOn(50 * time.Second); lost() != 1 {
			t.Errorf("%d calls are lost", lost())
		}
		if goOn(15 * time.Second); lost() != 0 {
			t.Errorf("%d calls are still lost", lost())
		}
		goOn(5 * time.Minute)
		if len(sq.said) != 1 {
			t.Errorf("%q was called", sq.said)
		}
		p.at(p.b, at.press())
		goOn(5 * time.Second)
		close(d.open)
	})
}
