package discord

// The application's own emoji, and which of them boards are drawn with.

import (
	"sync/atomic"

	"knobel/bot/chat"
	"knobel/bot/discord/emoji"
)

// emojis are the pictures of an adapter.
type emojis struct {
	off     bool            // boards are to be drawn in letters
	all     []emoji.Picture // that are wanted
	shown   *atomic.Pointer[album]
	doubted chan struct{}
}

func newEmojis(o Options) emojis {
	return emojis{off: o.Letters, all: emoji.All(), shown: new(atomic.Pointer[album]), doubted: make(chan struct{}, 1)}
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

// missing are the pictures that are not there, in the order of their use.
func (e *emojis) missing(there map[string]string) (all []emoji.Picture) {
	for _, p := range e.all {
		if there[p.FullName()] == "" {
			all = append(all, p)
		}
	}
	return all
}
