package discord

// The application's emoji in use.

import (
	"sync/atomic"

	"knobel/bot/discord/emoji"
)

// emojis holds the pictures of an adapter.
type emojis struct {
	off     bool                   // draw boards in letters
	all     []emoji.Picture        // the wanted pictures
	shown   *atomic.Pointer[album] // those in use, nil: none
	doubted chan struct{}
}

func newEmojis(o Options) emojis {
	return emojis{off: o.Letters, all: emoji.All(), shown: new(atomic.Pointer[album]), doubted: make(chan struct{}, 1)}
}

// codeInvalid is Discord's error code for an invalid body.
const codeInvalid = 50035

// inLetters returns a body without pictures after Discord has refused it with them: one may have been deleted. It has
// the emoji listed again.
func (e *emojis) inLetters(sent any, err error) (letters body, ok bool) {
	b, has := sent.(body)
	refused, ok := refusalOf(err)
	if !has || b.bare == nil || !ok || refused.Code != codeInvalid {
		return b, false
	}
	e.doubt()
	return b.letters(), true
}

// doubt draws boards in letters until the emoji were listed again.
func (e *emojis) doubt() {
	e.shown.Store(nil)
	select {
	case e.doubted <- struct{}{}:
	default:
	}
}

// missing returns the pictures that are not uploaded, in the order of their use.
func (e *emojis) missing(there map[string]string) (all []emoji.Picture) {
	for _, p := range e.all {
		if there[p.FullName()] == "" {
			all = append(all, p)
		}
	}
	return all
}
