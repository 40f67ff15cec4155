package bot

// How an event is carried out once, whatever becomes of the connection to the database.

import (
	"context"
	"time"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

const (
	// unsureTries is how often an event with an unknown commit is looked up, unsurePause the first pause, doubled each
	// time: a second and a half in sum.
	unsureTries = 4
	unsurePause = 100 * time.Millisecond
	// unsureWithin is how long looking it up may take, whatever time there was for the event.
	unsureWithin = 5 * time.Second
)

// visit carries out an event in a transaction. Where the database does not say whether that is committed, the event is
// known by the next try if it is, and is carried out by it if it is not.
func (c *Core) visit(ctx context.Context, ev chat.Event, answers answers) (v *Visit, err error) {
	v, err = c.visitOnce(ctx, ev, answers)
	for n := 0; n < unsureTries && store.Uncertain(err) && ev.ID != ""; n++ {
		<-c.Clock.After(unsurePause << n)
		looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), unsureWithin)
		again, failed := c.visitOnce(looking, ev, answers)
		cancel()
		switch {
		case again != nil && again.work.unseen:
			v, err = again, failed // the first run was not committed
		case failed == nil:
			return v, nil
		}
	}
	return v, err
}

// visitOnce runs an event in a transaction.
func (c *Core) visitOnce(ctx context.Context, ev chat.Event, answers answers) (v *Visit, err error) {
	was, room := c.Outbox.Conditions(), c.Outbox.Room(ev.Place)
	err = c.Store.UpdateOf(ctx, store.OfChat(string(ev.Chat)), func(tx *store.Tx) error {
		v = &Visit{bot: c.Bot, Tx: tx, Event: ev, At: c.Now(), work: &work{answers: answers, was: was, room: room,
			read: Cache{}}}
		err := loop.Safely(v.run)
		if err == nil {
			v.complete()
			v.hint()
		}
		return err
	})
	return v, err
}
