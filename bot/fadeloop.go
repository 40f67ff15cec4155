package bot

// The loop that takes answers away whose time has come.

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

const (
	// fadeTogether is how much earlier an answer may go, so that it goes with others of its chat.
	fadeTogether = 5 * time.Second
	// fadeAgain is how long what could not be taken away is left alone, times how often that has
	// failed, and fadeTries how often it is tried.
	fadeAgain = time.Minute
	fadeTries = 5
	// fadeWithin bounds how long a platform may take for the answers of one chat.
	fadeWithin = time.Minute
	// fadesLost is how old what should have gone is when nothing is tried any more: platforms delete
	// no older messages, and the platform may be gone for good.
	fadesLost = 48 * time.Hour
	// fadesAtOnce is how many answers are read at a time.
	fadesAtOnce = 512
)

// fades are the answers that are to be taken away.
type fades struct {
	began bool // it has looked once
	wake  loop.Waker
	next  atomic.Int64 // when the loop is going to look, in Unix milliseconds; 0: nothing is due, or it is looking
}

// await has the loop look in time for what is due. It is for what is committed.
func (f *fades) await(due int64) {
	if next := f.next.Load(); next == 0 || due < next {
		f.wake.Wake()
	}
}

// feature is the feature that takes answers away.
func (f *fades) feature() Feature {
	return Feature{Loops: []Loop{{Wake: f.wake, Waits: "old answers cannot be deleted", Look: f.look}}}
}

// look takes away what is due on the platforms that run, and returns when the next is.
func (f *fades) look(ctx context.Context, c *Core) (soon time.Duration, err error) {
	f.next.Store(0) // what is committed from now on rings
	var faults []error
	if !f.began {
		f.began = true
		faults = append(faults, c.Store.Update(ctx, func(tx *store.Tx) error {
			return tx.DropLostFading(c.Now() - fadesLost.Milliseconds())
		}))
	}
	full := false
	for name, p := range c.Outbox.Platforms() {
		var due []store.Fading
		now := c.Now()
		err := c.Due(ctx, func(tx *store.Tx) (err error) {
			due, err = tx.DueFading(name+":", now, 1)
			if err == nil && len(due) > 0 {
				due, err = tx.DueFading(name+":", now+fadeTogether.Milliseconds(), fadesAtOnce)
			}
			return err
		})
		full = full || len(due) == fadesAtOnce
		faults = append(faults, err)
		for _, of := range byChat(due) {
			faults = append(faults, c.fade(ctx, p, of))
		}
	}
	now := c.Now()
	var next int64
	faults = append(faults, c.Store.View(ctx, func(tx *store.Tx) (err error) {
		next, err = tx.NextFading(now)
		return err
	}))
	if full {
		next = now + 1
	}
	f.next.Store(next)
	return max(time.Duration(next-now)*time.Millisecond, 0), errors.Join(faults...)
}

// byChat puts answers of one chat together, the longest due first.
func byChat(due []store.Fading) [][]store.Fading {
	var all [][]store.Fading
	at := map[string]int{}
	for _, f := range due {
		i, known := at[f.Chat]
		if !known {
			i = len(all)
			at[f.Chat], all = i, append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// fade takes some answers of a chat away, and forgets them. What cannot be taken away is tried a
// few times more, and then stays.
func (c *Core) fade(ctx context.Context, on chat.Platform, due []store.Fading) error {
	var all []chat.Fading
	for _, f := range due {
		all = append(all, chat.Fading{
			Answer: chat.Ref(f.Message), Above: chat.Ref(f.Above), Command: chat.Ref(f.Command),
		})
	}
	under, held := c.Under(store.Scope{}, due[0].Chat)
	if !held {
		return nil // whoever runs the loops of the chat now sees to it
	}
	asking, cancel := context.WithTimeout(ctx, fadeWithin)
	defer cancel()
	fault := loop.Safely(func() error { return on.Fade(asking, chat.Chat(due[0].Chat), all) })
	if fault != nil && ctx.Err() != nil {
		return nil // the next run sees to it
	}
	err := c.Store.UpdateOf(context.WithoutCancel(ctx), under, func(tx *store.Tx) error {
		for _, f := range due {
			if err := c.faded(tx, f, fault); err != nil {
				return err
			}
		}
		return nil
	})
	if c.Leases.Fenced(err) {
		err = nil // whoever runs the loops of the chat takes away what is there still
	}
	if _, later := errors.AsType[chat.Later](fault); later || errors.Is(fault, chat.ErrAway) {
		fault = nil
	}
	if fault != nil {
		c.Log.WarnContext(ctx, "answers could not be taken away", "error", fault)
	}
	return err
}

// faded stores what has become of an answer that was to go.
func (c *Core) faded(tx *store.Tx, f store.Fading, fault error) error {
	if fault == nil || errors.Is(fault, chat.ErrAway) || f.Tries+1 >= fadeTries {
		return tx.DropFading(f.ID)
	}
	wait := loop.PauseAfter(fault, fadeAgain*time.Duration(f.Tries+1))
	return tx.PutOffFading(f.ID, f.Due, c.Now()+wait.Milliseconds())
}
