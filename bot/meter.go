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
	p, _ := chat.ParsePress(ev.Press)
	return b.gistOf(ev, p)
}

// gistOf describes an event whose press was parsed, the zero press for none.
func (b *Bot) gistOf(ev chat.Event, p chat.Press) string {
	did := string(deedOf(ev))
	name := ev.Command
	if p.What != "" && name == "" {
		verb, _, _ := strings.Cut(p.What, " ")
		var ok bool
		if name, ok = strings.CutPrefix(verb, "/"); !ok {
			return did + " " + verb
		}
	}
	if slices.ContainsFunc(b.AllCommands, func(c Command) bool { return c.Name == name }) {
		did += " /" + name
	}
	return did
}
