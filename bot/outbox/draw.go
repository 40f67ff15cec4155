package outbox

// How one board is drawn, and what is remembered of that.

import (
	"context"
	"fmt"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// drawing is what is to be drawn, and how.
type drawing struct {
	Job          // what is known of the table before it is read
	by    *Queue // whose worker draws it; nil: an adapter does, whatever was drawn and wherever the table is
	looks bool   // it is drawn though it shows everything
}

// wanted reports whether a table still has to be drawn.
func (d drawing) wanted(t store.Table) bool {
	return d.by == nil || chat.Place(t.Place) == d.Place && (d.looks || d.anew(t) || d.by.lags(t))
}

// anew reports whether a board is to be a new message.
func (d drawing) anew(t store.Table) bool {
	if d.by == nil {
		return d.Fresh
	}
	return d.Fresh && chat.Ref(t.Board.Message) == d.Over || t.Board.Repost && lags(t)
}

// lags reports whether the board of a table lags behind where it can be drawn.
func lags(t store.Table) bool { return t.Board.Drawn < t.Version && !t.Board.Away }

// draw renders a table under its lock, draws it with answer or the worker's drawer, and stores the message. It returns
// the table as it was drawn, and whether it has changed meanwhile. A table that is drawn already is left alone.
func (o *Outbox) draw(ctx context.Context, d drawing, answer chat.Drawer) (t store.Table, changed bool, err error) {
	unlock, err := o.locks.Lock(ctx, d.Table)
	if err != nil {
		return t, false, err
	}
	defer unlock()
	began := o.Clock.Now().UnixMilli()
	t, m, wanted, err := o.render(ctx, d)
	if err != nil {
		return t, false, fmt.Errorf("render table %d: %w", d.Table, err)
	}
	if !wanted {
		return t, false, nil
	}
	if d.by != nil {
		o.taken(t.ID) // by an adapter that has left it
		answer = d.by.drawer(t, d.anew(t))
	}
	old := chat.Ref(t.Board.Message)
	ref, err := answer(ctx, m, old)
	if err != nil {
		return t, false, err
	}
	is := store.Drawing{Table: t.ID, Version: t.Version, Place: t.Place, Ref: string(ref), Was: t.Board}
	if ref != old || d.anew(t) {
		is.Posted = o.Clock.Now().UnixMilli()
	}
	if t.Board.Repost && is.Posted == 0 || store.Staged(t, began) > 0 {
		is.Version-- // it is still to be posted, or to show the end
	}
	changed, err = o.remember(ctx, t, is)
	if err != nil && ref != old {
		changed, err = o.rememberLater(ctx, t, is, err)
	}
	t.Board.Message, t.Board.Posted = is.Ref, max(t.Board.Posted, is.Posted)
	return t, changed, err
}

// remember stores what was drawn of a table, even if ctx ends: the message is in the chat. It takes away the message
// that is not the table's board, and reports whether the table has changed meanwhile.
func (o *Outbox) remember(ctx context.Context, t store.Table, is store.Drawing) (changed bool, err error) {
	lost := is.Ref // the table has moved, with its board, or another drew it
	err = o.Store.UpdateOf(context.WithoutCancel(ctx), store.OfTable(t.ID).In(t.Chat), func(tx *store.Tx) error {
		changed, lost = false, is.Ref
		if hint, wanted := o.Leases.HintAt(t.Chat); wanted {
			hint.Tables = []int64{t.ID}
			tx.Hint(hint.String())
		}
		return tx.Tables.Drawn(is, func(lags bool) { changed, lost = lags, is.Was.Message })
	})
	if err != nil {
		return false, fmt.Errorf("remember the board of table %d: %w", t.ID, err)
	}
	if lost != "" && is.Ref != is.Was.Message {
		o.Retire(ctx, chat.Place(t.Place), chat.Ref(lost))
	}
	if t.Cleared() && is.Ref != "" {
		o.Retire(ctx, chat.Place(t.Place), chat.Ref(is.Ref))
	}
	return changed, nil
}

// rememberAgain is how soon it is tried again to store a new board.
const rememberAgain = time.Second

// rememberLater tries to store a new board until that is possible, since people would see it twice otherwise. It gives
// up at errors that do not pass, and when drawing ends.
func (o *Outbox) rememberLater(ctx context.Context, t store.Table, is store.Drawing, err error) (bool, error) {
	changed := false
	o.Log.WarnContext(ctx, "remember board failed", "table", t.ID, "error", err)
	drawing, p := o.PlatformAt(chat.Place(t.Place))
	for p != nil && store.Passing(err) {
		select {
		case <-o.Clock.After(rememberAgain):
			changed, err = o.remember(ctx, t, is)
		case <-drawing.Done():
			return false, err
		}
	}
	return changed, err
}
