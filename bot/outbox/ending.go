package outbox

import (
	"context"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// endsWithin is how long after its end the board of a table waits at most for what it will show as
// well.
const endsWithin = time.Second

// render renders the newest state of a table. Where the table has just ended and its platform runs, it waits a moment
// for what belongs to the end, and renders what is stored then. A board that need not be drawn is not rendered.
func (o *Outbox) render(ctx context.Context, d drawing) (t store.Table, m chat.Message, wanted bool, err error) {
	var by []chat.Viewer
	if q := o.queueOf(d.Place); q != nil {
		by = q.platform.Viewers(d.Place, d.Table)
	}
	for waited := false; ; waited = true {
		var until time.Time
		early := false
		err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
			tx.Expect(store.Known{Chat: d.Chat, User: d.Opener, Table: d.Table, Board: true})
			if t, err = tx.Tables.Table(d.Table); err != nil {
				return err
			}
			if wanted = d.wanted(t); !wanted {
				return nil
			}
			store.ExpectBoard(tx, t)
			if t.State == store.Over {
				if until, early = o.endsUntil(t); early && !waited {
					return nil
				}
			}
			m, err = o.Render(tx, t, by)
			return err
		})
		if err != nil || !wanted || !early || waited {
			return t, m, wanted, err
		}
		o.Await(ctx, t, until)
	}
}

// endsUntil returns until when the board of a table that is over waits for what belongs to its end, and whether it does.
func (o *Outbox) endsUntil(t store.Table) (until time.Time, early bool) {
	staged := store.Staged(t, o.Clock.Now().UnixMilli()) > 0
	if o.Await == nil || staged || o.queueOf(chat.Place(t.Place)) == nil {
		return until, false
	}
	until = time.UnixMilli(t.Ending.Ended).Add(endsWithin)
	return until, o.Clock.Now().Before(until)
}
