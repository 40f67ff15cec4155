package chat

// How a platform is connected, and how it tells.

import (
	"sync"
	"time"
)

// Link is the state of a connection to a platform. A connection that is up since the zero time
// cannot be lost.
type Link struct {
	Up    bool          // people are heard
	Since time.Time     // since when it has been up, or has not; zero: it was never tried
	Away  time.Duration // how long it had not been up before; 0: it was never tried before, or is not up
	Why   string        // why nothing is tried any more, for the operator; "": it is up, or is being tried
}

// Condition is what is known of a platform without asking it.
type Condition struct {
	Link Link
	// Budget is Platform.Budget; nil where the platform does not run.
	Budget func(Place) Budget
}

// Lasting reports whether the connection cannot be lost, because the platform is this program
// itself.
func (l Link) Lasting() bool { return l.Up && l.Since.IsZero() }

// Linking keeps the state of a platform's connection. The zero value is a connection that was not
// tried yet.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // how long it was not up lately, with moments between in which it was
	up      time.Duration // how long it was up before it went away
	back    func()        // called when it is up again; nil: nobody waits for that
}

// maxMoment is the longest connection between two outages that still counts them as one: code that
// looks now and then may have missed it.
const maxMoment = 5 * time.Second

// Link returns the present state.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Heard sets what is called whenever the connection is up again, after Link tells so.
func (l *Linking) Heard(back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.back = back
}

// Turn notes whether the connection is up. It reports whether that is a change, and how long the
// state before lasted.
func (l *Linking) Turn(up bool) (changed bool, before time.Duration) {
	changed, before, back := l.turn(up)
	if changed && up && back != nil {
		back()
	}
	return changed, before
}

// turn is Turn, and returns what is called then.
func (l *Linking) turn(up bool) (changed bool, before time.Duration, back func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if up == l.link.Up && !l.link.Since.IsZero() {
		return false, 0, nil
	}
	now := time.Now()
	if !l.link.Since.IsZero() {
		before = now.Sub(l.link.Since)
	}
	l.link = Link{Up: up, Since: now}
	if !up {
		l.up = before
		return true, before, nil
	}
	if l.up > maxMoment {
		l.outages, l.up = 0, 0
	}
	l.outages += before + l.up
	l.link.Away = l.outages
	return true, before, l.back
}

// GiveUp notes the reason why a lost connection is not tried any more.
func (l *Linking) GiveUp(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = why
}
