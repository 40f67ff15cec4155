package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
)

// register is a square that notes under which name each call is sent.
type register struct {
	*square
	once []string
}

func (r *register) Call(ctx context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	r.mu.Lock()
	r.once = append(r.once, call.Once)
	r.mu.Unlock()
	return r.square.Call(ctx, place, call)
}

// What comes to be wanted while somebody still sees to a call is done once they
// have ended, however long their last steps take.
func TestWhatIsWantedOfABusyCallIsDone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		s := newSquare()
		people := h.begin(s, "/coin 10", "Anna", "Ben", "Clara")
		s.fault = errors.New("a fault")
		h.log.goOn = make(chan struct{})
		h.later(45 * time.Second)
		if said := h.log.String(); !strings.Contains(said, "a fault") {
			t.Fatalf("the log says %s", said)
		}
		h.later(time.Minute) // it is due again, while that is still being said
		close(h.log.goOn)
		synctest.Wait()
		if all := s.standing(); !slices.Equal(all, []string{callsAnna}) {
			t.Errorf("standing are %q", all)
		}
		people[0].sends("1:1:0:throw")
		s.wantCalls(t, 1)
	})
}

// A platform that does not take calls away at present is asked again when it has
// said, not whenever the loop looks: two that end at once would have it look for
// ever.
func TestCallsAreTakenAwayWhenThePlatformLetsThem(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		s := newSquare()
		people := h.begin(s, "/coin 10", "Anna", "Ben")
		anna, beside := people[0], *people[0]
		beside.place = "test:1/2"
		beside.writes("/coin 10")
		ben := *people[1]
		ben.place = beside.place
		ben.sends("1:2:0:!join")
		beside.sends("1:2:0:!start")
		h.later(45 * time.Second)
		s.wantCalls(t, 2, callsAnna, callsAnna)
		var tries atomic.Int64
		s.fail = func(what string, _ chat.Place) error {
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
		anna.sends("1:1:0:throw")
		synctest.Wait()
		beside.sends("1:2:0:throw")
		time.Sleep(time.Second) // in the bubble: until nothing is under way any more
		h.later(29 * time.Second)
		time.Sleep(time.Second)
		if n := tries.Load(); n != 2 {
			t.Errorf("it was asked %d times at once", n)
		}
		h.later(time.Second)
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
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		r := &register{square: newSquare()}
		h.onStage(r)
		synctest.Wait()
		people := h.gather("/coin 10 absent=wait turn=10m", "Anna", "Ben", "Clara")
		people[0].presses("▶ Start")
		r.drawn(people[0])
		r.mu.Lock()
		r.fault = chat.Later{After: time.Second}
		r.mu.Unlock()
		h.later(45 * time.Second)
		r.wantCalls(t, 0)
		h.later(time.Second)
		r.wantCalls(t, 1, callsAnna) // at the second try
		h.later(6 * time.Minute)
		h.later(4*time.Minute - 46*time.Second)
		h.later(5 * time.Second) // it may have had to wait for the board
		r.wantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		people[0].presses("Throw")
		r.drawn(people[0])
		r.wantCalls(t, 2)
		h.later(45 * time.Second)
		r.wantCalls(t, 3, callsBen)
		r.mu.Lock()
		defer r.mu.Unlock()
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
