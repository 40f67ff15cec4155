package discord

// The application's own emoji: which are there, and what is noted of them.

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// Notes keep a text in the database of the installation.
type Notes interface {
	// Change gives what is noted, "" for nothing, and stores what change returns, both in one
	// transaction. After an error of change, which it returns, nothing is stored.
	Change(ctx context.Context, change func(noted string) (string, error)) error
	// Oldest is when that game on Discord last changed that has not done so for the longest time,
	// of those that go on; the zero time where none does.
	Oldest(ctx context.Context) (time.Time, error)
}

// emojis are the pictures of an adapter.
type emojis struct {
	off     bool            // boards are to be drawn in letters
	notes   Notes           // nil: nothing can be noted, and nothing is uploaded
	all     []emoji.Picture // that are wanted
	shown   *atomic.Pointer[album]
	doubted chan struct{}
}

func newEmojis(o Options) emojis {
	e := emojis{off: o.Letters, all: emoji.All(), shown: new(atomic.Pointer[album]),
		doubted: make(chan struct{}, 1)}
	if !e.off {
		e.notes = o.Notes
	}
	return e
}

// layout draws a message with the pictures that there are.
func (e *emojis) layout(m chat.Message, flags int) body { return e.shown.Load().drawn(m, flags) }

// messages draws a message for one person with the pictures that there are.
func (e *emojis) messages(m chat.Message) []body { return e.shown.Load().messages(m) }

// codeInvalid is Discord's own code for a body with something in it that it does not take.
const codeInvalid = 50035

// inLetters is what was sent without its pictures, where Discord has refused it with them: somebody
// may have deleted one. What is there is looked at anew.
func (e *emojis) inLetters(sent any, err error) (letters body, ok bool) {
	b, has := sent.(body)
	refused, ok := refusalOf(err)
	if !has || b.bare == nil || !ok || refused.Code != codeInvalid {
		return b, false
	}
	e.doubt()
	return b.letters(), true
}

// doubt draws boards in letters until somebody has looked again which pictures are there.
func (e *emojis) doubt() {
	e.shown.Store(nil)
	select {
	case e.doubted <- struct{}{}:
	default:
	}
}

// noted is what is stored of the emoji.
type noted struct {
	// Application is whose they are; those of another are none of ours.
	Application string `json:"application"`
	// Owned are the full names, by ids, of those that were uploaded. No other is ever deleted.
	Owned map[string]string `json:"owned"`
	// Since is when all of the wanted were there, in Unix milliseconds; 0: they are not.
	Since int64 `json:"since,omitempty"`
}

// change changes what is noted of an application's emoji.
func (e *emojis) change(ctx context.Context, application string, change func(*noted)) error {
	return e.notes.Change(ctx, func(text string) (string, error) {
		var n noted
		if json.Unmarshal([]byte(text), &n) != nil || n.Application != application {
			n = noted{Application: application}
		}
		if n.Owned == nil {
			n.Owned = map[string]string{}
		}
		change(&n)
		raw, err := json.Marshal(n)
		return string(raw), err
	})
}

// missing are the pictures that are not there, in the order of their use.
func (e *emojis) missing(there map[string]string) (all []emoji.Picture) {
	for _, p := range e.all {
		if there[p.FullName()] == "" {
			all = append(all, p)
		}
	}
	return all
}

// older reports whether a picture is of a version before the wanted one. Those that a newer Knobel
// has uploaded are not.
func (e *emojis) older(full string) bool {
	name, version, ok := emoji.Parse(full)
	return ok && slices.ContainsFunc(e.all, func(p emoji.Picture) bool { return p.Name == name && version < p.Version })
}
