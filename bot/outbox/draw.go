package outbox

// Drawing one board, and storing its message id.

import (
	"context"
	"fmt"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// drawing is a board to be drawn, with the way to draw it.
type drawing struct {
	Job          // the board, as known before its table is read
	by    *Queue // whose worker draws it; nil: an adapter draws it in any case, wherever the table is
	looks bool   // it is drawn even if it is up to date
}

// wanted reports whether the board of t still has to be drawn: always by an adapter; by a worker if the table is in its
// place and the board lags behind, unless an adapter is about to draw it or the board shows the last turn a while
// longer.
func (d drawing) wanted(t store.Table) bool {
	switch {
	case d.by == nil:
		return true
	case chat.Place(t.Place) != d.Place:
		return false
	case d.looks || d.asNew(t):
		return true
	}
	o := d.by.outbox
	o.mu.Lock()
	_, carried := o.carried[t.ID]
	o.mu.Unlock()
	return lags(t) && (!carried || d.by.left(t)) &&
		(t.Board.Drawn < t.Version-1 || store.Staged(t, o.Clock.Now().UnixMilli()) == 0)
}

// asNew reports whether the board of t has to be posted as a new message.
func (d drawing) asNew(t store.Table) bool {
	if d.by == nil {
		return d.Fresh
	}
	return d.Fresh && chat.Ref(t.Board.Message) == d.Over || t.Board.Repost && lags(t)
}

// lags reports whether the board of t shows an older version than the table has, in a place that can be reached.
func lags(t store.Table) bool { return t.Board.Drawn < t.Version && !t.Board.Away }

// draw renders the board of a table, draws it with answer or by the queue of d, and stores the message, while no other
// drawing of the table runs in this process. It returns the table t as it was drawn, and whether that has changed
// meanwhile. A board that need not be drawn is left alone.
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
	var ref chat.Ref
	old := chat.Ref(t.Board.Message)
	if d.by != nil {
		o.taken(t.ID) // an adapter may have announced it without drawing it
		ref, err = d.by.show(ctx, t, m, d.asNew(t))
	} else {
		ref, err = answer(ctx, m, old)
	}
	if err != nil {
		return t, false, err
	}
	is := store.Drawing{Table: t.ID, Version: t.Version, Place: t.Place, Ref: string(ref), Was: t.Board}
	if ref != old || d.asNew(t) {
		is.Posted = o.Clock.Now().UnixMilli()
	}
	if t.Board.Repost && is.Posted == 0 || store.Staged(t, began) > 0 {
		is.Version-- // it still has to be posted, or to show the end
	}
	changed, err = o.remember(ctx, t, is)
	if err != nil && ref != old {
		changed, err = o.rememberLater(ctx, t, is, err)
	}
	t.Board.Message, t.Board.Posted = is.Ref, max(t.Board.Posted, is.Posted)
	return t, changed, err
}

// remember stores in table t that the message and version in is were drawn, even if ctx is done: the message is in the
// chat already. It deletes the message that is not the table's board afterwards, the new or the old one, and reports
// whether the table has changed meanwhile.
func (o *Outbox) remember(ctx context.Context, t store.Table, is store.Drawing) (changed bool, err error) {
	lost := is.Ref // if nothing is stored: the table has left, or another drawing was stored
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

// rememberAgain is the pause before a retry to store a new board.
const rememberAgain = time.Second

// rememberLater retries after err to store a new board until that succeeds, since the next drawing would otherwise post
// a second one. It gives up at an error that a retry does not help, and when the platform stops. It returns the results
// of the last call of remember.
func (o *Outbox) rememberLater(ctx context.Context, t store.Table, is store.Drawing, err error) (bool, error) {
	changed := false
	o.Log.WarnContext(ctx, "store board message failed", "table", t.ID, "error", err)
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

// endsWithin is how long after the end of a game its board waits at most for further results to show.
const endsWithin = time.Second

// render reads a table and renders its board. If the game has just ended and its platform runs, it first waits for
// further results to show, at most endsWithin after the end. wanted is false if the board need not be drawn; then m is
// empty.
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
			now := o.Clock.Now()
			until = time.UnixMilli(t.Ending.Ended).Add(endsWithin)
			early = !waited && t.State == store.Over && now.Before(until) && store.Staged(t, now.UnixMilli()) == 0 &&
				o.Await != nil && o.queueOf(chat.Place(t.Place)) != nil
			if early {
				return nil
			}
			m, err = o.Render(tx, t, by)
			return err
		})
		if err != nil || !wanted || !early {
			return t, m, wanted, err
		}
		o.Await(ctx, t, until)
	}
}

// leftAfter is how long a board has to lag behind before a worker draws it in place of an adapter or another replica.
const leftAfter = 3 * time.Second

// left reports whether the adapter or replica that was going to draw the lagging board of t has failed: the board lags
// since before this queue began, or for leftAfter. It may have been posted without being stored.
func (q *Queue) left(t store.Table) bool {
	lagged := q.outbox.Clock.Now().Sub(time.UnixMilli(t.Board.Behind))
	return t.Board.Behind <= q.began || lagged < 0 || lagged >= leftAfter // negative if another machine's clock differs
}

// maxBelow is the largest number of messages below a board for which its next change edits it instead of posting it
// again: about as many as a phone shows at once.
const maxBelow = 15

// endFor is how long after the end of a game its last board may be posted again because of messages below it.
const endFor = time.Minute

// pushed reports whether more than maxBelow messages are below the board of t. If they cannot be counted it returns
// false: a board above the messages is better than none.
func (q *Queue) pushed(t store.Table) bool {
	settled := t.State == store.Over && q.outbox.Clock.Now().Sub(time.UnixMilli(t.Changed)) > endFor
	if t.Board.Message == "" || t.Board.Away || settled {
		return false
	}
	n, err := q.platform.Since(q.ctx, chat.Place(t.Place), chat.Ref(t.Board.Message), maxBelow+1)
	if err != nil {
		q.outbox.Log.DebugContext(q.ctx, "look below board failed", "table", t.ID, "error", err)
	}
	return err == nil && n > maxBelow
}
