package outbox

// How one board is drawn, and what is remembered of that.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// drawing is what is to be drawn, and how.
type drawing struct {
	Job               // what is known of the table before it is read
	at     chat.Place // where the table has to be, "": anywhere
	fresh  bool       // it is posted as a new message
	claims int        // how many of the claims in this process are for this drawing

	still func(t store.Table) (fresh, behind bool) // whether it is still to be drawn, and as a new message; nil: it is
}

// draw renders a table under its lock, draws it with by, and stores the message. It returns the
// table and whether it has changed meanwhile. A table that is no longer at the place is not drawn.
func (o *Outbox) draw(ctx context.Context, d drawing, by chat.Drawer) (t store.Table, lags bool, err error) {
	unlock, err := o.locks.Lock(ctx, d.Table)
	if err != nil {
		return t, false, err
	}
	defer unlock()
	t, m, err := o.render(ctx, d.Job)
	if err != nil {
		return t, false, fmt.Errorf("render table %d: %w", d.Table, err)
	}
	if d.at != "" && chat.Place(t.Place) != d.at {
		return t, false, nil
	}
	if d.still != nil {
		var behind bool
		if d.fresh, behind = d.still(t); !behind {
			return t, false, nil
		}
	}
	old := chat.Ref(t.Board.Message)
	if t.Cleared() && d.at != "" { // an adapter answers all the same
		by = func(context.Context, chat.Message, chat.Ref) (chat.Ref, error) { return "", nil }
	}
	ref, err := by(ctx, m, old)
	if err != nil {
		return t, false, err
	}
	newest, drawn, lost, err := o.remember(ctx, t, ref, d)
	if err != nil {
		if old != ref {
			o.stray(ctx, t, ref)
		}
		return t, false, err
	}
	if lost != "" && old != ref {
		o.Retire(ctx, chat.Place(t.Place), lost)
	}
	if t.Cleared() && ref != "" {
		o.Retire(ctx, chat.Place(t.Place), ref)
	}
	t.Board.Message, t.Board.Drawn, t.Version = string(ref), drawn, newest
	return t, drawn < newest, nil
}

// remember stores which version of a table was drawn, and in which message, even if ctx ends: the
// message is in the chat. It returns the table's newest version, the version that counts as drawn,
// and lost, a message that is the table's board no longer ("" for none).
func (o *Outbox) remember(ctx context.Context, t store.Table, ref chat.Ref, d drawing) (newest, drawn int64,
	lost chat.Ref, err error) {
	old := chat.Ref(t.Board.Message)
	anew := ref != old || d.fresh
	drawn = t.Version
	if t.Board.Repost && !anew {
		drawn-- // it is still to be posted
	}
	err = o.Store.UpdateOf(context.WithoutCancel(ctx), store.OfTable(t.ID).In(t.Chat), func(tx *store.Tx) error {
		newest, lost = 0, ref
		is := store.Drawing{Table: t.ID, Version: drawn, Place: t.Place, Ref: string(ref), By: o.Leases.Own(),
			Still: o.claims.count(t.ID) > d.claims}
		if anew {
			is.Posted = o.Clock.Now().UnixMilli()
		}
		if hint, wanted := o.Leases.HintAt(t.Chat); wanted {
			hint.Tables = []int64{t.ID}
			tx.Hint(hint.String())
		}
		return tx.Tables.Drawn(is, func(now int64, board string) {
			newest = now
			if board == string(ref) { // else the table has moved meanwhile, with its board, or another drew it
				lost = old
			}
		})
	})
	if err != nil {
		return 0, 0, "", fmt.Errorf("remember the board of table %d: %w", t.ID, err)
	}
	return newest, drawn, lost, nil
}

// strayLook is how often a database is asked about a board that could not be remembered.
const strayLook = time.Second

// stray takes away a board that was posted and could not be remembered, since another is posted in its place. Whether
// it is remembered after all is known once the database can be asked, and whether it was found where it stands once
// who draws the board next has ended; until then it stays.
func (o *Outbox) stray(ctx context.Context, t store.Table, ref chat.Ref) {
	q := o.queueOf(chat.Place(t.Place))
	if q == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	go func() {
		for q.ctx.Err() == nil {
			now, err := o.table(ctx, t.ID)
			open := now.Board.Drawer != "" && now.Board.Drawn < now.Version && !now.Board.Away && now.Place == t.Place
			if err == nil && !open || errors.Is(err, store.ErrNotFound) {
				if now.Board.Message != string(ref) {
					o.Retire(ctx, chat.Place(t.Place), ref)
				}
				return
			}
			select {
			case <-o.Clock.After(strayLook):
			case <-q.ctx.Done():
			}
		}
	}()
}
