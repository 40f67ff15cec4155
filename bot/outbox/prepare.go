package outbox

// What is looked at before a worker draws a board.

import (
	"errors"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// prepare waits until a board may be drawn, claims it, and reports whether it still has to be drawn here.
func (q *Queue) prepare(j Job) (_ Job, behind bool, err error) {
	next, t := j, j.drawn
	if t.ID == 0 || t.Board.Drawn < t.Version {
		next, t, behind, err = q.behind(j)
	}
	asked := next.Fresh
	held := q.outbox.Leases.Holds(next.Chat)
	if err == nil && next.Follow && (!behind || !held) {
		next = q.follow(next, t)
		behind = behind || next.Fresh
	}
	if err != nil || !behind {
		return next, false, err
	}
	if !held { // then another replica draws, which has not heard this talk
		if next.Fresh {
			q.outbox.hint(q.ctx, t, t.Board.Posted)
		}
		return next, false, nil
	}
	if err := q.platform.Ready(q.ctx, next.Place, needOf(t, asked)); err != nil {
		return next, false, err
	}
	next.Opener = t.Opener
	return q.claim(q.follow(next, t))
}

// claim claims a board that still has to be drawn, where other replicas may draw it.
func (q *Queue) claim(j Job) (_ Job, behind bool, err error) {
	l, held := q.outbox.Leases.Share(j.Chat)
	if !held || l.Name == "" || !q.outbox.Leases.Shared() {
		return j, held, nil
	}
	of := store.OfTable(j.Table).In(j.Chat).Under(l)
	err = q.outbox.claim(q.ctx, of, j.Table, func(t store.Table) bool {
		j, behind = q.still(j, t)
		j.unnoted = q.outbox.unnoted(t)
		return behind
	})
	if q.outbox.Leases.Fenced(err) {
		return j, false, nil // whoever runs the loops of the chat draws it
	}
	return j, behind, err
}

// behind reports whether a board still has to be drawn here, and by this queue, with its table. The
// job that it returns is fresh only if the board was not posted anew meanwhile.
func (q *Queue) behind(j Job) (_ Job, t store.Table, behind bool, err error) {
	err = q.outbox.Store.View(q.ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(j.Table)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return Job{Chat: j.Chat, Place: j.Place, Table: j.Table}, t, false, nil
	}
	if err != nil {
		return j, t, false, err
	}
	j, behind = q.still(j, t)
	j.unnoted = q.outbox.unnoted(t)
	return j, t, behind, nil
}

// still is behind for a table as it is stored.
func (q *Queue) still(j Job, t store.Table) (_ Job, behind bool) {
	if t.Place != string(j.Place) {
		return Job{Chat: j.Chat, Place: j.Place, Table: j.Table}, false // it has moved: the sweep finds it there
	}
	lags := t.Board.Drawn < t.Version && !t.Board.Away && q.outbox.claims.count(j.Table) == 0
	j.Fresh = j.Fresh && chat.Ref(t.Board.Message) == j.Over || lags && t.Board.Repost
	return j, j.Fresh || lags
}

// maxBelow is how many messages may stand below a board before its next change posts it anew: usually about what a
// phone shows at once.
const maxBelow = 15

// follow makes a job fresh if more messages than maxBelow stand below the board. If they cannot be counted it
// returns the job as it is: a board above the talk is better than none.
func (q *Queue) follow(j Job, t store.Table) Job {
	if j.Fresh || t.Board.Message == "" || t.Board.Away || q.outbox.claims.count(j.Table) > 0 || settled(t,
		q.outbox.Clock.Now()) {
		return j
	}
	n, err := q.platform.Since(q.ctx, j.Place, chat.Ref(t.Board.Message), maxBelow+1)
	if err != nil {
		q.outbox.Log.DebugContext(q.ctx, "look below board failed", "table", j.Table, "error", err)
		return j
	}
	if n > maxBelow {
		j.Fresh, j.Over = true, chat.Ref(t.Board.Message)
	}
	return j
}

// endFor is how long the end of a game is news: what is added to its last board later does not bring
// it down again.
const endFor = time.Minute

// settled reports whether a game is over and its end no news.
func settled(t store.Table, now time.Time) bool {
	return t.State == store.Over && now.Sub(time.UnixMilli(t.Changed)) > endFor
}

// needOf returns how urgent a table's board is, which somebody may have asked for.
func needOf(t store.Table, asked bool) chat.Need {
	if asked {
		return chat.ToShow
	}
	if t.State == store.Playing && !t.Waits {
		return chat.ToMove
	}
	return chat.ToSee
}
