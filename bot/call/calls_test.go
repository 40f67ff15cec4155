package call_test

import (
	"testing"
	"time"

	"knobel/bot/bare"
)

// A call that waits for the budget until its turn has passed is not sent.
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
		waits() // it is Ben's: Anna's has ended
		bare.Told(t, ben.Writes("/notify off"), "You are not called any more. /notify on brings it back.")
		s.Stop()
		if s.WantCalls(t, 0); len(s.Said) > 0 {
			t.Errorf("said %q", s.Said)
		}
		h.Sound()
	})
}
