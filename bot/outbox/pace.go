package outbox

import (
	"slices"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// The pace of boards while people follow embedded pages: where few writes are allowed, the board of a chat is drawn
// once a turn.

// heldFor is the longest time for which a stale board is not drawn because the mover follows a page.
const heldFor = 20 * time.Second

// noteMovers remembers who is to move on m, the drawn board of t.
func (q *Queue) noteMovers(t store.Table, m chat.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.movers[t.ID] = chat.MoversOn(m); t.State != store.Playing {
		delete(q.movers, t.ID)
	}
}

// holdBack reports whether the board of t is not drawn yet, because the mover follows an embedded page of its
// place and had the turn when the board was drawn last. Then it queues the board again for the time when that has
// lasted for heldFor.
func (q *Queue) holdBack(pages chat.Embedder, t store.Table, d drawing) bool {
	wait := time.UnixMilli(t.Board.Behind).Add(heldFor).Sub(q.outbox.Clock.Now())
	strays := func(user chat.User) bool { return user == "" || !pages.Follows(d.Place, user) }
	if !q.platform.Traits(d.Place).Sparing || t.State != store.Playing || t.Waits || d.forced ||
		d.needsPost(t) || wait <= 0 || wait > heldFor ||
		!slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return !strays(chat.User(s.Player)) }) {
		return false
	}
	var m chat.Message
	err := q.outbox.Store.View(q.ctx, func(tx *store.Tx) (err error) {
		if t, err = tx.Tables.Table(t.ID); err == nil {
			m, err = q.outbox.Render(tx, t, nil)
		}
		return err
	})
	movers := chat.MoversOn(m)
	if err != nil || len(movers) == 0 || slices.ContainsFunc(movers, strays) {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Equal(q.movers[t.ID], movers) {
		return false
	}
	if !q.held[t.ID] {
		q.held[t.ID] = true
		go q.release(t, wait)
	}
	return true
}

// release queues the board of t after a time, for which holdBack keeps it from being drawn.
func (q *Queue) release(t store.Table, wait time.Duration) {
	select {
	case <-q.outbox.Clock.After(wait):
	case <-q.ctx.Done():
	}
	q.mu.Lock()
	delete(q.held, t.ID)
	q.mu.Unlock()
	q.outbox.Enqueue(JobOf(t, false))
}
