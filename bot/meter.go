package bot

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Meter hears what the bot does, for whoever counts it. Its methods are called
// in the path of every press: they are quick, safe for concurrent use, and
// allocate nothing.
type Meter interface {
	// Handled is told of every event that was dealt with: what the person did,
	// on which platform, what came of it, and how long it took, the commit
	// included and the platform left out.
	Handled(platform string, did Deed, came Outcome, took time.Duration)
}

// Deed is what a person did.
type Deed string

// The deeds.
const (
	Commanded Deed = "command"
	Pressed   Deed = "press"
	Came      Deed = "coming" // or went, or took another name
)

// Outcome is what came of an event.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // the person was told why
	Failed  Outcome = "failed"  // an error of ours
)

// deed is what kind of event this is.
func (ev Event) deed() Deed {
	switch {
	case ev.Command != "":
		return Commanded
	case ev.Press != "":
		return Pressed
	}
	return Came
}

// platform is what the ids of an event begin with.
func (ev Event) platform() string {
	return platformOf(string(ev.Place))
}

// gist tells the log what somebody did, in words of ours alone: what people
// write may hold names.
func (b *Bot) gist(ev Event) string {
	did := string(ev.deed())
	name := ev.Command
	if p, ok := parsePress(ev.Press); ok && name == "" {
		verb, _, _ := strings.Cut(p.what, " ")
		if name, ok = strings.CutPrefix(verb, "/"); !ok {
			return did + " " + verb
		}
	}
	if slices.ContainsFunc(b.commands, func(c command) bool { return c.name == name }) {
		did += " /" + name
	}
	return did
}

// Linked is a platform that knows whether it is connected. While it is not, no
// turn at its tables is over.
type Linked interface {
	// Link tells how it stands now. It asks nobody and keeps nobody waiting.
	Link() Link
}

// Link is a connection to a platform.
type Link struct {
	Up    bool          // people are heard
	Since time.Time     // since when it has been up, or has not; zero: it was never tried
	Away  time.Duration // how long it had not been up before; 0: it was never tried before, or is not up
	Why   string        // why nothing is tried any more, for the operator; "": it is up, or is being tried
}

// Linking keeps how a platform is connected. Its zero value has not been tried.
type Linking struct {
	mu      sync.Mutex
	link    Link
	outages time.Duration // how long it was not up lately, with moments between in which it was
	up      time.Duration // how long it was up before it went away
}

// maxMoment is the longest time for which a platform may have been up between two
// outages that count as one: those who look at it may not have seen it meanwhile.
const maxMoment = 5 * time.Second

// Link tells how it stands now.
func (l *Linking) Link() Link {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.link
}

// Turn notes whether people are heard from now on. Where that is a change, it
// says so, and how long it was otherwise before.
func (l *Linking) Turn(up bool) (changed bool, before time.Duration) {
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
	return true, before
}

// GiveUp notes why a platform that is not up is not tried any more.
func (l *Linking) GiveUp(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.link.Why = why
}

// Chores is how much the loops beside the presses have to do.
type Chores struct {
	Drawing map[string]int // places with boards on their lists, by platform
	Solving int            // problems of perfect play that are being worked out or wait for it
}

// Chores tells how much is to be done, as far as it is known in memory; what
// is stored, store.Figures tells.
func (b *Bot) Chores() Chores {
	c := Chores{Drawing: map[string]int{}, Solving: b.solutions.open()}
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, e := range b.easels {
		e.mu.Lock()
		c.Drawing[name] = len(e.places)
		e.mu.Unlock()
	}
	return c
}
