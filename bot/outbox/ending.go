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

// render renders the newest state of a table. Where the table has just ended and its platform runs,
// it waits a moment for what belongs to the end, and renders what is stored then.
func (o *Outbox) render(ctx context.Context, j Job) (t store.Table, m chat.Message, err error) {
	var by []chat.Viewer
	if _, p := o.PlatformAt(j.Place); p != nil {
		by = p.Viewers(j.Place, j.Table)
	}
	for waited := false; ; waited = true {
		var until time.Time
		early := false
		err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
			tx.Expect(j.about())
			if t, err = tx.Tables.Table(j.Table); err != nil {
				return err
			}
			store.ExpectBoard(tx, t)
			if until, early = o.endsUntil(t); early && !waited {
				return nil
			}
			m, err = o.Render(tx, t, by)
			return err
		})
		if err != nil || !early || waited {
			return t, m, err
		}
		o.Await(ctx, t, until)
	}
}

// endsUntil returns until when the board of a table waits for what belongs to its end, and whether
// it does.
func (o *Outbox) endsUntil(t store.Table) (until time.Time, early bool) {
	if o.Await == nil || t.State != store.Over || t.Board.Staged > 0 || o.queueOf(chat.Place(t.Place)) == nil {
		return until, false
	}
	until = time.UnixMilli(t.Ending.Ended).Add(endsWithin)
	return until, o.Clock.Now().Before(until)
}
