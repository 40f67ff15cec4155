package bot

import (
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
)

// Meter counts events. Its methods are called at every press: they are quick, safe for concurrent use, and allocate
// nothing.
type Meter interface {
	// Handled is called once for every event: with the platform, the deed, its outcome, and the duration including the
	// commit, but without the platform's part.
	Handled(platform string, did Deed, came Outcome, took time.Duration)
}

// Deed is the kind of an event.
type Deed string

// The deeds.
const (
	Commanded Deed = "command"
	Pressed   Deed = "press"
	Came      Deed = "coming" // or went, or took another name
)

// Outcome is how an event ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // with a reason for the person
	Failed  Outcome = "failed"  // an error of ours
)

// deedOf returns the kind of an event.
func deedOf(ev chat.Event) Deed {
	switch {
	case ev.Command != "":
		return Commanded
	case ev.Press != "":
		return Pressed
	}
	return Came
}

// gist describes an event for the log without people's text, which may hold names.
func (b *Bot) gist(ev chat.Event) string {
	did, name := string(deedOf(ev)), ev.Command
	if p, _ := chat.ParsePress(ev.Press); p.What != "" && name == "" {
		verb, _, _ := strings.Cut(p.What, " ")
		if !strings.HasPrefix(verb, "/") {
			return did + " " + verb
		}
		name = verb[1:]
	}
	if slices.ContainsFunc(b.AllCommands, func(c Command) bool { return c.Name == name }) {
		did += " /" + name
	}
	return did
}
