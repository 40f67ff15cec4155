package chat

import (
	"sync"
	"time"
)

// Link is the state of a connection to a platform. One that is up since the zero time cannot be lost.
type Link struct {
	Up    bool          // events arrive
	Since time.Time     // the last change; zero: it was never tried
	Away  time.Duration // how long it was down before; 0: never, or it is down
	Why   string        // why it is not retried any more, for the operator; ""
}

// Condition is the known state of a platform.
type Condition struct {
	Link Link
	// Budget is Platform.Budget; nil if the platform does not run.
	Budget func(Place) Budget
}

// Lasting reports whether the connection cannot be lost, because the platform is this program itself.
func (l Link) Lasting() bool { return l.Up && l.Since.IsZero() }

// Linking tracks the state of a platform's connection. The zero value was never tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // recent downtime, with short connections in between
	up      time.Duration // how long it was up before it was lost
	back    func()        // called when it is up again; may be nil
}

// maxMoment is the longest connection between two outages that still counts them as one: periodic checks may have
// missed it.
const maxMoment = 5 * time.Second

// Link returns the present state.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Heard sets a function that is called whenever the connection is up again, after Link shows it.
func (l *Linking) Heard(back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = back
}

// Turn sets whether the connection is up. It reports whether that is a change, and how long the state before lasted.
func (l *Linking) Turn(up bool) (changed bool, before time.Duration) {
	back := func() {}
	defer func() { back() }() // after the lock is released
	l.mu.Lock()
	defer l.mu.Unlock()
	if up == l.link.Up && !l.link.Since.IsZero() {
		return false, 0
	}
	now := time.Now()
	if !l.link.Since.IsZero() {
		before = now.Sub(l.link.Since)
	}
	l.link = Link{Up: up, Since: now}
	if !up {
		l.up = before
		return true, before
	}
	if l.up > maxMoment {
		l.outages, l.up = 0, 0
	}
	l.outages += before + l.up
	l.link.Away = l.outages
	if l.back != nil {
		back = l.back
	}
	return true, before
}

// GiveUp stores the reason why a lost connection is not retried any more.
func (l *Linking) GiveUp(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = why
}
