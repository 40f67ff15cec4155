package fakes

import (
	"sync"
	"sync/atomic"
	"time"
)

// Clock is a clock that a test moves. A bot, its platforms and fake servers share it, so that pauses take no real time.
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

// NewClock returns a clock that moves only by Advance and, if hurried, to the end of every wait when the wait begins.
func NewClock(hurried bool) *Clock {
	return NewClockAt(time.Date(2026, 11, 1, 20, 0, 0, 0, time.UTC), hurried)
}

// NewClockAt is NewClock for a clock that starts at now.
func NewClockAt(now time.Time, hurried bool) *Clock {
	return &Clock{now: now, hurried: hurried}
}

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// After returns a channel that receives the time after d of this clock.
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

// Advance moves the clock and ends the waits that are due.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.ring()
}

// Pass moves the clock by step until holds returns true. It reports false if that takes longer than Patience in real
// time. After each step, woken goroutines get a moment to act.
func (c *Clock) Pass(step time.Duration, holds func() bool) bool {
	for timeout := time.After(Patience); !holds(); c.Advance(step) {
		select {
		case <-time.After(time.Millisecond):
		case <-timeout:
			return false
		}
	}
	return true
}

// Rings returns the time until the next wait ends, at most an hour.
func (c *Clock) Rings() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := time.Hour
	for _, a := range c.alarms {
		next = min(next, a.at.Sub(c.now))
	}
	return next
}

// ring ends the waits that are due. The caller holds c.mu.
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

// Restless is a clock that advances at every call of Now, in addition to the system's time, and waits in real time. A
// test that wrongly expects two calls within one second always fails with it, not only sometimes.
type Restless struct{ looks atomic.Int64 }

// Now returns the system's time plus 307 ms for each call so far, this one included.
func (r *Restless) Now() time.Time {
	return time.Now().Add(time.Duration(r.looks.Add(1)) * 307 * time.Millisecond)
}

// After is time.After.
func (*Restless) After(d time.Duration) <-chan time.Time { return time.After(d) }
