package outbox

// Drawing one board, and storing its message id.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// drawing is one drawing of a board: by the worker of its place, or by an adapter as its answer to an event.
type drawing struct {
	Job           // the board, as known before its table is read
	queue  *Queue // whose worker draws it; nil: an adapter draws it in any case, wherever the table is
	forced bool   // it is drawn even if it is up to date
	hidden bool   // its message shows a newer table: nothing is sent
}

// isNeeded reports whether the board of t still has to be drawn: by an adapter always, by a worker only if the table is
// in d.Place and the bot can edit the board. A worker draws the board if d is forced, or it has to be posted again, or
// it is stale. It leaves out a stale board that an adapter is about to draw, or that for some seconds shows the table
// before its final turn.
func (d drawing) isNeeded(t store.Table) bool {
	switch {
	case d.queue == nil:
		return true
	case chat.Place(t.Place) != d.Place:
		return false
	case t.Board.Expires > 0 && !t.Board.Editable(d.queue.outbox.Clock.Now().UnixMilli()):
		return false
	case d.forced || d.needsPost(t):
		return true
	}
	o := d.queue.outbox
	o.mu.Lock()
	_, carried := o.carried[t.ID]
	o.mu.Unlock()
	return isStale(t) && (!carried || d.queue.hasLostDrawer(t)) &&
		(t.Board.Drawn < t.Version-1 || store.Staged(t, o.Clock.Now().UnixMilli()) == 0)
}

// needsPost reports whether the board of t has to be posted as a new message, instead of editing the present one.
func (d drawing) needsPost(t store.Table) bool {
	if d.queue == nil {
		return d.Fresh
	}
	return d.Fresh && chat.Ref(t.Board.Message) == d.Over || t.Board.Repost && isStale(t)
}

// isStale reports whether the board of t shows an older version than the table has, in a place that can be reached.
func isStale(t store.Table) bool { return t.Board.Drawn < t.Version && !t.Board.Away }

// draw renders the board of the table d.Table, sends it by answer or, if d.queue is set, by the queue, and stores the
// message. It first waits until no other drawing of the table runs in this process. t is the table as it was drawn, and
// changed reports whether the table has changed since. A board that need not be drawn stays as it is.
func (o *Outbox) draw(ctx context.Context, d drawing, answer chat.Drawer) (t store.Table, changed bool, err error) {
	unlock, err := o.locks.Lock(ctx, d.Table)
	if err != nil {
		return t, false, err
	}
	defer unlock()
	began := o.Clock.Now().UnixMilli()
	t, m, needed, err := o.render(ctx, &d)
	if err != nil {
		return t, false, fmt.Errorf("render table %d: %w", d.Table, err)
	}
	if !needed {
		return t, false, nil
	}
	var ref chat.Ref
	var permit chat.Permit
	old := chat.Ref(t.Board.Message)
	m.Permit = chat.Permit{Token: t.Board.Token, Expires: t.Board.Expires}
	switch {
	case d.hidden:
		ref = old
	case d.queue != nil:
		o.takeCarried(t.ID) // an adapter may have announced it without drawing it
		ref, err = d.queue.editOrPost(ctx, t, m, d.needsPost(t))
	default:
		ref, permit, err = answer(ctx, m, old)
	}
	if t.Board.Expires > 0 && errors.Is(err, chat.ErrAway) { // before another drawing tries the same token
		return t, false, o.storeUnreachable(ctx, JobOf(t, false), t)
	}
	if err != nil {
		return t, false, err
	}
	drawn := store.Drawing{Table: t.ID, Version: t.Version, Place: t.Place, Ref: string(ref), Was: t.Board,
		Token: permit.Token, Expires: permit.Expires}
	if ref != old || d.needsPost(t) {
		drawn.Posted = o.Clock.Now().UnixMilli()
	}
	if t.Board.Repost && drawn.Posted == 0 || store.Staged(t, began) > 0 {
		drawn.Version-- // stays stale: it has to be drawn again, as a new message or with the end of the game
	}
	changed, err = o.storeDrawing(ctx, t, drawn)
	if err != nil && ref != old {
		changed, err = o.retryStoring(ctx, t, drawn, err)
	}
	t.Board.Message, t.Board.Posted = drawn.Ref, max(t.Board.Posted, drawn.Posted)
	return t, changed, err
}

// storeDrawing stores that the board of t was drawn, as drawn says, even if ctx is done: the message is in the chat
// already. If there is an old and a new message, it deletes the one that is not the board. changed reports whether the
// table has changed since it was drawn.
func (o *Outbox) storeDrawing(ctx context.Context, t store.Table, drawn store.Drawing) (changed bool, err error) {
	unused := drawn.Ref // the message to delete: the drawn one, or the old one once the drawn one is stored
	err = o.Store.UpdateOf(context.WithoutCancel(ctx), store.OfTable(t.ID).In(t.Chat), func(tx *store.Tx) error {
		changed, unused = false, drawn.Ref
		if hint, wanted := o.Leases.HintAt(t.Chat); wanted {
			hint.Tables = []int64{t.ID}
			tx.Hint(hint.String())
		}
		return tx.Tables.Drawn(drawn, func(stale bool) { changed, unused = stale, drawn.Was.Message })
	})
	if err != nil {
		return false, fmt.Errorf("save board of table %d: %w", t.ID, err)
	}
	if t.Board.Expires > 0 || drawn.Expires > 0 {
		return changed, nil // messages there cannot be deleted
	}
	if unused != "" && drawn.Ref != drawn.Was.Message {
		o.Retire(ctx, chat.Place(t.Place), chat.Ref(unused))
	}
	if t.Cleared() && drawn.Ref != "" {
		o.Retire(ctx, chat.Place(t.Place), chat.Ref(drawn.Ref))
	}
	return changed, nil
}

// storeRetryPause is the pause before retryStoring tries again to store a drawn board.
const storeRetryPause = time.Second

// retryStoring calls storeDrawing again after the error err, until that succeeds: if the message were not stored, the
// next drawing would post a second board. It gives up when a retry cannot help or the platform stops, and returns the
// results of the last call.
func (o *Outbox) retryStoring(ctx context.Context, t store.Table, drawn store.Drawing, err error) (bool, error) {
	changed := false
	o.Log.WarnContext(ctx, "store board message failed", "table", t.ID, "error", err)
	platformCtx, p := o.PlatformAt(chat.Place(t.Place))
	for p != nil && store.Passing(err) {
		select {
		case <-o.Clock.After(storeRetryPause):
			changed, err = o.storeDrawing(ctx, t, drawn)
		case <-platformCtx.Done():
			return false, err
		}
	}
	return changed, err
}

// awaitLimit is how long after the end of a game the drawing of its board waits at most for further results to show.
const awaitLimit = time.Second

// render reads the table d.Table and renders its board, m. If the game has just ended and its platform runs, it first
// waits for further results to show, but not longer than awaitLimit after the end. needed is false if the board need
// not be drawn; m is then empty. render sets d.hidden.
func (o *Outbox) render(ctx context.Context, d *drawing) (t store.Table, m chat.Message, needed bool, err error) {
	var viewers []chat.Viewer
	if q := o.queueOf(d.Place); q != nil {
		viewers = q.platform.Viewers(d.Place, d.Table)
	}
	for waited := false; ; waited = true {
		var until time.Time
		early := false
		err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
			tx.Expect(store.Known{Chat: d.Chat, Table: d.Table, Board: true})
			if t, err = tx.Tables.Table(d.Table); err != nil {
				return err
			}
			if needed = d.isNeeded(t); !needed {
				return nil
			}
			if t.Board.Message == t.Place { // the place is one message (see chat.Ref)
				newest, err := tx.Tables.TableHere(t.Place)
				if d.hidden = newest.ID != t.ID; err != nil || d.hidden {
					return err
				}
			}
			if t.State != store.Playing {
				store.ExpectBoard(tx, t)
			}
			now := o.Clock.Now()
			until = time.UnixMilli(t.Ending.Ended).Add(awaitLimit)
			early = !waited && t.State == store.Over && now.Before(until) && store.Staged(t, now.UnixMilli()) == 0 &&
				o.Await != nil && o.queueOf(chat.Place(t.Place)) != nil
			if early {
				return nil
			}
			m, err = o.Render(tx, t, viewers)
			return err
		})
		if err != nil || !needed || !early {
			return t, m, needed, err
		}
		o.Await(ctx, t, until)
	}
}

// takeOverAfter is how long a board may be stale before a worker draws it in place of an adapter or another replica.
const takeOverAfter = 3 * time.Second

// hasLostDrawer reports whether the adapter or other replica that should draw the stale board of t has failed, maybe
// after posting it: the board has been stale since before this queue began, or for takeOverAfter.
func (q *Queue) hasLostDrawer(t store.Table) bool {
	age := q.outbox.Clock.Now().Sub(time.UnixMilli(t.Board.Behind))
	return t.Board.Behind <= q.began || age < 0 || age >= takeOverAfter // negative if another machine's clock differs
}

// maxBelow is how many messages may be below a board so that its next change still edits the board; if there are more,
// the board is posted again. A phone shows about as many messages at once.
const maxBelow = 15

// repostWithin is how long after the end of a game its board may be posted again because of messages below it.
const repostWithin = time.Minute

// isBuried reports whether more than maxBelow messages are below the board of t, so that it has to be posted again. If
// the messages cannot be counted it returns false: the board is then edited.
func (q *Queue) isBuried(t store.Table) bool {
	settled := t.State == store.Over && q.outbox.Clock.Now().Sub(time.UnixMilli(t.Changed)) > repostWithin
	if t.Board.Message == "" || t.Board.Away || t.Board.Expires > 0 || settled {
		return false
	}
	n, err := q.platform.Since(q.ctx, chat.Place(t.Place), chat.Ref(t.Board.Message), maxBelow+1)
	if err != nil {
		q.outbox.Log.DebugContext(q.ctx, "count messages below board failed", "table", t.ID, "error", err)
	}
	return err == nil && n > maxBelow
}
