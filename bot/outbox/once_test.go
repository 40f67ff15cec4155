package outbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

// register is a square that notes under which name each call is sent.
type register struct {
	*bare.Square
	once []string
}

func (r *register) Call(ctx context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	r.Mu.Lock()
	r.once = append(r.once, call.Once)
	r.Mu.Unlock()
	return r.Square.Call(ctx, place, call)
}

// What comes to be wanted while somebody still sees to a call is done once they
// have ended, however long their last steps take.
func TestWhatIsWantedOfABusyCallIsDone(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		people := h.Begin(s, "/coin 10", "Anna", "Ben", "Clara")
		s.Fault = errors.New("a fault")
		h.Log.GoOn = make(chan struct{})
		h.Later(45 * time.Second)
		if said := h.Log.String(); !strings.Contains(said, "a fault") {
			t.Fatalf("the log says %s", said)
		}
		h.Later(time.Minute) // it is due again, while that is still being said
		close(h.Log.GoOn)
		synctest.Wait()
		if all := s.Standing(); !slices.Equal(all, []string{bare.CallsAnna}) {
			t.Errorf("standing are %q", all)
		}
		people[0].Sends("1:1:0:throw")
		s.WantCalls(t, 1)
	})
}

// A platform that does not take calls away at present is asked again when it has
// said, not whenever the loop looks: two that end at once would have it look for
// ever.
func TestCallsAreTakenAwayWhenThePlatformLetsThem(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		people := h.Begin(s, "/coin 10", "Anna", "Ben")
		anna, beside := people[0], *people[0]
		beside.Place = "test:1/2"
		beside.Writes("/coin 10")
		ben := *people[1]
		ben.Place = beside.Place
		ben.Sends("1:2:0:!join")
		beside.Sends("1:2:0:!start")
		h.Later(45 * time.Second)
		s.WantCalls(t, 2, bare.CallsAnna, bare.CallsAnna)
		var tries atomic.Int64
		s.Fail = func(what string, _ chat.Place) error {
			if what != "dismiss" {
				return nil
			}
			n := tries.Add(1)
			time.Sleep(time.Duration(2+n%2) * time.Millisecond) // so that one is under way when the other ends
			if n > 20 {
				return nil
			}
			return chat.Later{After: 30 * time.Second}
		}
		anna.Sends("1:1:0:throw")
		synctest.Wait()
		beside.Sends("1:2:0:throw")
		time.Sleep(time.Second) // in the bubble: until nothing is under way any more
		h.Later(29 * time.Second)
		time.Sleep(time.Second)
		if n := tries.Load(); n != 2 {
			t.Errorf("it was asked %d times at once", n)
		}
		h.Later(time.Second)
		time.Sleep(time.Second)
		if n := tries.Load(); n != 4 {
			t.Errorf("it was asked %d times after half a minute", n)
		}
	})
}

// A call that is tried again has the name that it had, and no other has it: the
// number of one that is forgotten comes again. A platform that is told one name
// twice shows the message of before, or nothing.
func TestEveryCallHasANameOfItsOwn(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		r := &register{Square: bare.NewSquare()}
		h.OnStage(r)
		synctest.Wait()
		people := h.Gather("/coin 10 absent=wait turn=10m", "Anna", "Ben", "Clara")
		people[0].Presses("▶ Start")
		r.Drawn(people[0])
		r.Mu.Lock()
		r.Fault = chat.Later{After: time.Second}
		r.Mu.Unlock()
		h.Later(45 * time.Second)
		r.WantCalls(t, 0)
		h.Later(time.Second)
		r.WantCalls(t, 1, bare.CallsAnna) // at the second try
		h.Later(6 * time.Minute)
		h.Later(4*time.Minute - 46*time.Second)
		h.Later(5 * time.Second) // it may have had to wait for the board
		r.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		people[0].Presses("Throw")
		r.Drawn(people[0])
		r.WantCalls(t, 2)
		h.Later(45 * time.Second)
		r.WantCalls(t, 3, bare.CallsBen)
		r.Mu.Lock()
		defer r.Mu.Unlock()
		if len(r.once) != 4 || r.once[0] != r.once[1] {
			t.Fatalf("a call that is tried again is another: %q", r.once)
		}
		named := map[string]bool{}
		for _, once := range r.once[1:] {
			if named[once] {
				t.Errorf("two calls have one name: %q", r.once)
			}
			named[once] = true
		}
	})
}
