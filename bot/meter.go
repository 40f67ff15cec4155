package bot

import (
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
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

// deedOf returns what kind of event this is.
func deedOf(ev chat.Event) Deed {
	switch {
	case ev.Command != "":
		return Commanded
	case ev.Press != "":
		return Pressed
	}
	return Came
}

// gist tells the log what somebody did, in words of ours alone: what people
// write may hold names.
func (b *Bot) gist(ev chat.Event) string {
	did := string(deedOf(ev))
	name := ev.Command
	if p, ok := chat.ParsePress(ev.Press); ok && name == "" {
		verb, _, _ := strings.Cut(p.What, " ")
		if name, ok = strings.CutPrefix(verb, "/"); !ok {
			return did + " " + verb
		}
	}
	if slices.ContainsFunc(b.AllCommands, func(c Command) bool { return c.Name == name }) {
		did += " /" + name
	}
	return did
}
