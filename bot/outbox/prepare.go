package outbox

// What is looked at before a worker draws a board.

import (
	"errors"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// prepare waits until a board may be drawn, and reports whether it still has to be drawn here.
func (q *Queue) prepare(j Job) (_ Job, wanted bool, err error) {
	t, err := q.outbox.table(q.ctx, j.Table)
	if errors.Is(err, store.ErrNotFound) {
		return j, false, nil
	}
	d := drawing{Job: j, by: q}
	if err != nil || !q.outbox.Leases.Holds(t.Chat) {
		return j, false, err // another replica draws it
	}
	if !d.wanted(t) {
		if wait := store.Staged(t, q.outbox.Clock.Now().UnixMilli()); wait > 0 {
			go q.enqueueIn(wait, JobOf(t, false))
		}
		return j, false, nil
	}
	asked := d.anew(t)
	if !asked && q.pushed(t) {
		j.Fresh, j.Over = true, chat.Ref(t.Board.Message)
	}
	j.Opener = t.Opener
	return j, true, q.platform.Ready(q.ctx, j.Place, needOf(t, asked))
}

// lags reports whether the board of a table lags behind, and is not to be drawn later or by an adapter.
func (q *Queue) lags(t store.Table) bool {
	return lags(t) && (!q.outbox.carries(t.ID) || q.left(t)) &&
		(t.Board.Drawn < t.Version-1 || store.Staged(t, q.outbox.Clock.Now().UnixMilli()) == 0)
}

// enqueueIn enqueues a job after some time.
func (q *Queue) enqueueIn(wait time.Duration, j Job) {
	select {
	case <-q.outbox.Clock.After(wait):
		q.outbox.Enqueue(j)
	case <-q.ctx.Done():
	}
}

// leftAfter is how long a board lags behind at least that an adapter or another replica has left: until then that may
// be about to draw it.
const leftAfter = 3 * time.Second

// left reports whether who was to draw the board of a table that lags behind has left it: it may have been posted, and
// not been noted.
func (q *Queue) left(t store.Table) bool {
	lagged := q.outbox.Clock.Now().Sub(time.UnixMilli(t.Board.Behind))
	return t.Board.Behind <= q.began || lagged < 0 || lagged >= leftAfter // < 0: by another clock
}

// maxBelow is how many messages may stand below a board before its next change posts it anew: usually about what a
// phone shows at once.
const maxBelow = 15

// endFor is how long the end of a game is news: what is added to its last board later does not bring
// it down again.
const endFor = time.Minute

// pushed reports whether more messages than maxBelow stand below the board of a table. If they cannot be counted it
// reports false: a board above the talk is better than none.
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

// needOf returns how urgent a table's board is; asked says that a person has asked for it.
func needOf(t store.Table, asked bool) chat.Need {
	if asked {
		return chat.ToShow
	}
	if t.State == store.Playing && !t.Waits {
		return chat.ToMove
	}
	return chat.ToSee
}
