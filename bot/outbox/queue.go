package outbox

// The queue of one platform, with a worker for each place that has boards to be drawn.

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

// maxPlaces is the largest number of places (chats or threads) of a platform that have a worker at once. Boards
// elsewhere stay stale until a sweep finds them. The database stores which boards have to be posted as new messages.
const maxPlaces = 1024

// Queue draws the boards of one platform. Each place with boards to draw has its own worker, a goroutine, so that a
// slow chat does not delay others. The worker ends when it has done the jobs of its place.
type Queue struct {
	outbox   *Outbox
	platform chat.Platform
	ctx      context.Context // ends all drawing when done
	began    int64           // when drawing began, in Unix milliseconds

	mu     sync.Mutex
	places map[chat.Place][]Job // the jobs of the places that have a worker, in order
	idle   chan struct{}        // closed and replaced when the last worker ends

	movers map[int64][]chat.User // by table, who is to move on the drawn board
	held   map[int64]bool        // tables whose boards holdBack keeps from being drawn

	failing map[chat.Place]bool // places whose last drawing failed
	failed  int                 // how many drawings have failed in this outage
	since   time.Time           // when this outage began
}

// work is the worker of a place: it draws the boards queued there until none are left. After a failure it tries again.
func (q *Queue) work(place chat.Place) {
	var wait *backoff.ExponentialBackOff // the pauses since a failure; nil: none
	for {
		j, ok := q.takeFirst(place)
		if !ok {
			return
		}
		err := q.draw(j)
		if err == nil {
			if wait != nil {
				q.noteSuccess(place)
			}
			wait = nil
			continue
		}
		if wait == nil {
			wait = retryPauses(place)
		}
		pause := wait.NextBackOff()
		if _, nothing := errors.AsType[unsent](err); nothing && store.Passing(err) {
			pause = min(pause, unsentPause)
		}
		if later, ok := errors.AsType[chat.Later](err); ok {
			pause = later.After
		} else if q.ctx.Err() == nil {
			q.noteFailure(j, pause, err)
		}
		q.requeue(j)
		select {
		case <-q.outbox.Clock.After(pause):
		case <-q.ctx.Done():
		}
	}
}

// unsentPause is the longest pause before a retry if the database failed before anything was sent to the platform. The
// database may be back at any time, the retry costs no rate limit, and people wait for the effect of their press.
const unsentPause = 2 * time.Second

// retryPauses returns the pauses between retries in a place, which grow. Places have different pauses, so that those
// that failed together do not retry together. The pauses of one place are the same in every run.
func retryPauses(place chat.Place) *backoff.ExponentialBackOff {
	name := fnv.New32a()
	_, _ = name.Write([]byte(place))
	factor := 0.75 + 0.5*float64(name.Sum32())/math.MaxUint32
	spread := func(d time.Duration) time.Duration { return time.Duration(factor * float64(d)) }
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.RandomizationFactor = spread(250*time.Millisecond),
		spread(time.Minute), 0
	return wait
}

// noteFailure counts and logs the failure err of the job j. pause is the time until the retry. If no place was
// failing before, it logs a warning, else only a debug line: an outage gives one warning.
func (q *Queue) noteFailure(j Job, pause time.Duration, err error) {
	q.mu.Lock()
	first := len(q.failing) == 0
	if first {
		q.failed, q.since = 0, q.outbox.Clock.Now()
	}
	q.failing[j.Place] = true
	q.failed++
	q.mu.Unlock()
	level := slog.LevelDebug
	if first {
		level = slog.LevelWarn
	}
	q.outbox.Log.Log(q.ctx, level, "draw board failed", "platform", q.platform.Name(), "table", j.Table,
		"retry_in", pause, "error", err)
}

// noteSuccess notes that a place no longer fails. If no other place fails either, it logs the end of the outage.
func (q *Queue) noteSuccess(place chat.Place) {
	q.mu.Lock()
	failing := q.failing[place]
	delete(q.failing, place)
	over, failed, duration := failing && len(q.failing) == 0, q.failed, q.outbox.Clock.Now().Sub(q.since)
	q.mu.Unlock()
	if over {
		q.outbox.Log.InfoContext(q.ctx, "board drawing resumed", "platform", q.platform.Name(), "failures", failed,
			"duration", duration)
	}
}

// takeFirst removes the first job of a place from the queue and returns it with true. If there is no job, or all
// drawing has ended, it returns false: the worker must then end.
func (q *Queue) takeFirst(place chat.Place) (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.places[place]
	if len(list) == 0 || q.ctx.Err() != nil {
		delete(q.places, place)
		if len(q.places) == 0 {
			close(q.idle)
			q.idle = make(chan struct{})
		}
		return Job{}, false
	}
	q.places[place] = list[1:]
	return list[0], true
}

// requeue puts the failed job j back as the first of its place. If there is a job for the same table, it joins the two.
func (q *Queue) requeue(j Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	list := q.places[j.Place]
	for i := range list {
		if list[i].Table == j.Table {
			list[i] = j.Join(list[i])
			return
		}
	}
	q.places[j.Place] = append([]Job{j}, list...)
}

// unsent is the error of a drawing that failed before anything was sent to the platform.
type unsent struct{ error }

func (u unsent) Unwrap() error { return u.error }

// draw draws the board of a job. It renders the board only when the platform's rate limit allows sending it, so that
// the newest state is drawn. It is a no-op if the board need not be drawn, or another replica draws it.
func (q *Queue) draw(j Job) (err error) {
	defer loop.Rescue(&err)
	t, err := q.outbox.table(q.ctx, j.Table)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return unsent{err}
	}
	if !q.outbox.Leases.Holds(t.Chat) {
		return nil // another replica draws it
	}
	d := drawing{Job: j, queue: q}
	if !d.isNeeded(t) {
		if wait := store.Staged(t, q.outbox.Clock.Now().UnixMilli()); wait > 0 {
			go func() {
				select {
				case <-q.outbox.Clock.After(wait):
					q.outbox.Enqueue(JobOf(t, false))
				case <-q.ctx.Done():
				}
			}()
		}
		return nil
	}
	if pages := q.outbox.pages.Load(); pages != nil && q.holdBack(*pages, t, d) {
		return nil
	}
	need := chat.ToSee
	switch {
	case d.needsPost(t): // a person has asked for a new message
		need = chat.ToShow
	case t.State == store.Playing && !t.Waits:
		need = chat.ToMove
	}
	if need != chat.ToShow && q.isBuried(t) {
		d.Fresh, d.Over = true, chat.Ref(t.Board.Message)
	}
	if err := q.platform.Ready(q.ctx, j.Place, need); err != nil {
		return unsent{err}
	}
	return q.drawNow(q.ctx, d)
}

// drawNow draws a board regardless of the rate limit. If the place cannot be reached, it stores that and returns nil.
func (q *Queue) drawNow(ctx context.Context, d drawing) error {
	t, changed, err := q.outbox.draw(ctx, d, nil)
	if errors.Is(err, chat.ErrAway) {
		return q.outbox.storeUnreachable(q.ctx, d.Job, t)
	}
	if err == nil && changed {
		q.outbox.Enqueue(JobOf(t, false))
	}
	return err
}

// editOrPost shows m as the board of t. It edits the board's message, or posts a new one if fresh is set or there is no
// message any more. It returns the message, "" for a table without a board. If an earlier post may have succeeded
// without being stored, m says so, so that the platform can edit the posted message instead. A perishable board is only
// edited: the answer to an event posts it.
func (q *Queue) editOrPost(ctx context.Context, t store.Table, m chat.Message, fresh bool) (chat.Ref, error) {
	place, ref := chat.Place(t.Place), chat.Ref(t.Board.Message)
	if t.Cleared() {
		return "", nil
	}
	m.Silent = ref != ""
	if q.outbox.pages.Load() != nil {
		q.noteMovers(t, m)
	}
	if ref != "" && (!fresh || t.Board.Expires > 0) {
		if err := q.platform.Edit(ctx, place, ref, m); !errors.Is(err, chat.ErrGone) {
			return ref, err
		}
	}
	if t.Board.Expires > 0 {
		return "", fmt.Errorf("%w: only the answer to an event posts it", chat.ErrAway)
	}
	m.Unnoted, m.Below = isStale(t) && (q.hasLostDrawer(t) || t.Board.Behind < t.Changed), ref
	return q.platform.Post(ctx, place, m)
}

// storeUnreachable stores, even if ctx is done, that the bot cannot reach the place of j, until an event comes from
// there. If the table has left the place, it stores nothing. tried is the table as it was when drawing failed. If the
// table has another version now, people are there: instead of storing it queues j again. A perishable board loses the
// token that was tried.
func (o *Outbox) storeUnreachable(ctx context.Context, j Job, tried store.Table) error {
	o.Log.InfoContext(ctx, "cannot reach place of table", "table", j.Table)
	changed, pages := false, o.pages.Load()
	err := o.Store.UpdateOf(context.WithoutCancel(ctx), store.OfTable(j.Table), func(tx *store.Tx) error {
		t, err := tx.Tables.Table(j.Table)
		if err != nil || chat.Place(t.Place) != j.Place {
			return err
		}
		if t.Board.Expires > 0 { // the next press brings another token
			if t.Board.Token != tried.Board.Token {
				return nil
			}
			t.Board.Token, t.Board.Expires = "", store.Expired
			return tx.Tables.SaveTable(t)
		}
		if changed = t.Version != tried.Version; changed {
			return nil
		}
		if t.Board.Away = true; pages != nil { // which say so
			t.Outdate(o.Clock.Now().UnixMilli())
		}
		return tx.Tables.SaveTable(t)
	})
	if err != nil {
		return fmt.Errorf("mark table %d as unreachable: %w", j.Table, err)
	}
	if changed {
		o.Enqueue(j)
	} else if pages != nil {
		(*pages).Changed(j.Place)
	}
	return nil
}

// maxSwept is the largest number of stale boards that one sweep queues.
const maxSwept = 1024

// Sweep queues the platform's stale boards that an adapter or another replica should have drawn long ago.
func (q *Queue) Sweep(ctx context.Context) error { return q.sweep(ctx, q.hasLostDrawer) }

// sweep queues the platform's stale boards in the chats of this replica, of the tables for which include returns true.
func (q *Queue) sweep(ctx context.Context, include func(store.Table) bool) error {
	var found []Job
	err := q.outbox.Store.View(ctx, func(tx *store.Tx) error {
		tx.Only(q.outbox.Leases.Chats())
		tables, err := tx.Tables.Lagging(q.platform.Name()+":", q.outbox.Clock.Now().UnixMilli(), maxSwept)
		for _, row := range tables {
			t, err := tx.Tables.Table(row.ID)
			if err != nil {
				return err
			}
			if include(t) {
				found = append(found, JobOf(t, false))
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read stale boards: %w", err)
	}
	for _, j := range found {
		q.outbox.Enqueue(j)
	}
	return nil
}

// Rest waits until no board is queued or being drawn, or ctx is done.
func (q *Queue) Rest(ctx context.Context) {
	for {
		q.mu.Lock()
		busy, idle := len(q.places), q.idle
		q.mu.Unlock()
		if busy == 0 {
			return
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}

// Close removes the queue from the outbox and waits until its workers have ended. The context of Start must be done.
func (q *Queue) Close() {
	q.outbox.mu.Lock()
	delete(q.outbox.queues, q.platform.Name())
	q.outbox.mu.Unlock()
	q.Rest(context.Background())
}
