package bot

import (
	"context"
	"errors"

	"knobel/bot/chat"
)

// outside is what an event has learned of its platform, between one try at its
// transaction and the next.
type outside struct {
	admin  *bool      // whether the person may change the chat; nil: not known yet
	surely bool       // the platform has said so to this event
	thread chat.Place // that was opened, "": none yet
	looked bool       // the boards of the person's tables elsewhere were looked for
}

// What a transaction ends with that needs to know more of the platform: it is
// asked outside, and the event starts over.
var (
	// errAskAdmin: whether the person may change the chat.
	errAskAdmin = errors.New("the platform must be asked")
	// errAskThread: a thread for the new table.
	errAskThread = errors.New("the platform must open a thread")
	// errLook: whether the boards of some tables are still there.
	errLook = errors.New("the platform must look for boards")
)

// learn asks the platform what a transaction has ended with. It is false where
// that is nothing to ask, or was asked before.
func (b *Bot) learn(ctx context.Context, v *visit, ended error) (again bool, err error) {
	switch {
	case errors.Is(ended, errAskAdmin) && !v.surely:
		answer, err := b.askAdmin(ctx, v.ev)
		v.admin, v.surely = &answer, true
		return err == nil, err
	case errors.Is(ended, errAskThread) && v.thread == "":
		v.thread, err = b.threadOf(ctx, v)
		return err == nil, err
	case errors.Is(ended, errLook) && !v.looked:
		b.look(ctx, v.sought)
		v.looked = true
		return true, nil
	}
	return false, ended
}
