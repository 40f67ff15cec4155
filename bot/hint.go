package bot

// Hints between replicas: work for the one that runs the loops of a chat. A lost hint is found by the next sweep.

import (
	"context"

	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// maxHints is how many hints wait to be looked at; others are left to the sweep.
const maxHints = 1024

// hint tells the replica that runs the loops of the event's chat about the visit's work.
func (v *Visit) hint() {
	of := v.Chat.ID
	if of == "" {
		of = string(v.Event.Chat)
	}
	hint, wanted := v.bot.Leases.HintAt(of)
	if !wanted {
		return
	}
	for _, j := range v.work.boards {
		hint.Tables = append(hint.Tables, j.Table)
	}
	if hint.Wake = v.work.wakes; hint.Wake || len(hint.Tables) > 0 {
		v.Tx.Hint(hint.String())
	}
}

// hearHints does the work that other replicas hint at, until ctx is done.
func (c *Core) hearHints(ctx context.Context, loops []loop.Waker) {
	heard := make(chan lease.Hint, maxHints)
	stop := c.Store.Hints(func(text string) {
		hint, ok := lease.ParseHint(text)
		if _, held := c.Leases.SinceOf(hint.Share); !ok || !held {
			return
		}
		select {
		case heard <- hint:
		default:
		}
	})
	defer stop()
	for {
		select {
		case hint := <-heard:
			c.follow(ctx, hint, loops)
		case <-ctx.Done():
			return
		}
	}
}

// follow runs a hint.
func (c *Core) follow(ctx context.Context, hint lease.Hint, loops []loop.Waker) {
	if hint.Wake {
		for _, w := range loops {
			w.Wake()
		}
	}
	for _, table := range hint.Tables {
		var t store.Table
		err := c.Store.View(ctx, func(tx *store.Tx) (err error) {
			t, err = tx.Tables.Table(table)
			return err
		})
		if err == nil {
			c.Outbox.Hinted(t, hint.Stood)
		}
	}
}
