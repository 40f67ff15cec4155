package fakes

import (
	"sync"
	"sync/atomic"
	"time"
)

// Clock is a clock that a test moves. A bot, its platforms and the servers of a test share it, so
// that minutes of pacing and days of waiting take no time.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	hurried bool
	alarms  []alarm
}

type alarm struct {
	at   time.Time
	ring chan time.Time
}

// NewClock returns a clock that moves only by Advance. A hurried clock also jumps to the end of
// every wait as soon as the wait begins.
func NewClock(hurried bool) *Clock {
	return NewClockAt(time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC), hurried)
}

// NewClockAt is NewClock with a present time.
func NewClockAt(now time.Time, hurried bool) *Clock {
	return &Clock{now: now, hurried: hurried}
}

// Now is the present time of this clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// After returns a channel that gets the time once d has passed here.
func (c *Clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ring := make(chan time.Time, 1)
	c.alarms = append(c.alarms, alarm{c.now.Add(max(d, 0)), ring})
	if c.hurried && d > 0 {
		c.now = c.now.Add(d)
	}
	c.ring()
	return ring
}

// Advance moves the clock and ends the waits that are over by then.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.ring()
}

// Pass moves the clock by steps until something holds, and reports whether that happened within
// Patience of real time. After each step, woken goroutines get a moment to act.
func (c *Clock) Pass(step time.Duration, holds func() bool) bool {
	for late := time.After(Patience); !holds(); c.Advance(step) {
		select {
		case <-time.After(time.Millisecond):
		case <-late:
			return false
		}
	}
	return true
}

// Waiting says how many wait for the clock to move.
func (c *Clock) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.alarms)
}

// Rings returns how long it is until the next wait ends, an hour at the most.
func (c *Clock) Rings() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := time.Hour
	for _, a := range c.alarms {
		next = min(next, a.at.Sub(c.now))
	}
	return next
}

func (c *Clock) ring() {
	waiting := c.alarms[:0]
	for _, a := range c.alarms {
		if a.at.After(c.now) {
			waiting = append(waiting, a)
		} else {
			a.ring <- c.now
		}
	}
	c.alarms = waiting
}

// Restless is a clock that is a little further ahead of the system's at every
// look, and waits as long as the system does. A test that goes by it and counts
// on two looks within the same second fails in every run, not in one of a hundred.
type Restless struct{ looks atomic.Int64 }

// Now is the present time, and later by 307 ms for every look so far.
func (r *Restless) Now() time.Time {
	return time.Now().Add(time.Duration(r.looks.Add(1)) * 307 * time.Millisecond)
}

// After is time.After.
func (*Restless) After(d time.Duration) <-chan time.Time { return time.After(d) }
