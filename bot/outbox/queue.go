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

// maxPlaces is the largest number of places of a platform that have a worker at once. Boards of further places stay
// stale until a sweep finds them; the database stores which of them have to be posted as new messages.
const maxPlaces = 1024

// Queue draws the boards of one platform. Each place with something to draw has a worker, a goroutine, so that a slow
// chat delays no other. It ends when the jobs of its place are done.
type Queue struct {
	outbox   *Outbox
	platform chat.Platform
	ctx      context.Context // ends all drawing when done
	began    int64           // when drawing began, in Unix milliseconds

	mu     sync.Mutex
	places map[chat.Place][]Job // the jobs of the places that have a worker, in order
	idle   chan struct{}        // closed and replaced when the last worker ends

	failing map[chat.Place]bool // places whose last drawing failed
	failed  int                 // how many drawings have failed in this outage
	since   time.Time           // when this outage began
}

// work is a worker: it draws the boards queued for a place until there are none. After a failure it pauses and retries.
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

// unsentPause is the longest pause before a retry if the database failed and nothing was sent to the platform: the
// database may be back at any time, no rate limit is at risk, and people wait for the effect of their presses.
const unsentPause = 2 * time.Second

// retryPauses returns growing pauses for retries in a place. They differ between places, so that places that failed
// together do not retry together, but are the same in every run.
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

// noteFailure counts and logs the failure err of a drawing. pause is the time until the retry. It logs a warning if no
// other place is failing, otherwise only a debug line, so that an outage gives one warning.
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

// noteSuccess removes a place from the failing ones. If it was the last of them, it logs the end of the outage.
func (q *Queue) noteSuccess(place chat.Place) {
	q.mu.Lock()
	failing := q.failing[place]
	delete(q.failing, place)
	over, failed, duration := failing && len(q.failing) == 0, q.failed, q.outbox.Clock.Now().Sub(q.since)
	q.mu.Unlock()
	if over {
		q.outbox.Log.InfoContext(q.ctx, "board drawing resumed", "platform", q.platform.Name(), "count", failed,
			"duration", duration)
	}
}

// takeFirst removes the first job of a place from the queue and returns it and true. If there is none, or all drawing
// has ended, it returns false: the worker must then end.
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

// requeue puts a failed job back as the first one of its place, or joins it with a queued one for the same table.
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

// draw draws the board of a job. It waits for the platform's rate limit before it renders, so that the newest state is
// drawn. If the board need not be drawn, or another replica draws it, draw does nothing.
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
	d.Opener = t.Opener
	if err := q.platform.Ready(q.ctx, j.Place, need); err != nil {
		return unsent{err}
	}
	return q.drawNow(q.ctx, d)
}

// drawNow draws a board at once. If its place cannot be reached, it stores that and returns nil.
func (q *Queue) drawNow(ctx context.Context, d drawing) error {
	t, changed, err := q.outbox.draw(ctx, d, nil)
	if errors.Is(err, chat.ErrAway) {
		return q.storeUnreachable(d.Job, t.Version)
	}
	if err == nil && changed {
		q.outbox.Enqueue(JobOf(t, false))
	}
	return err
}

// editOrPost edits the message of t's board, or posts m as a new one if fresh is set, there is no message, or it was
// deleted. It returns the message, "" for a table without a board. A new board that may have been posted already
// without being stored is marked, so that the platform can edit that one instead.
func (q *Queue) editOrPost(ctx context.Context, t store.Table, m chat.Message, fresh bool) (chat.Ref, error) {
	place, ref := chat.Place(t.Place), chat.Ref(t.Board.Message)
	if t.Cleared() {
		return "", nil
	}
	m.Silent = ref != ""
	if ref != "" && !fresh {
		if err := q.platform.Edit(ctx, place, ref, m); !errors.Is(err, chat.ErrGone) {
			return ref, err
		}
	}
	m.Unnoted, m.Below = isStale(t) && (q.hasLostDrawer(t) || t.Board.Behind < t.Changed), ref
	return q.platform.Post(ctx, place, m)
}

// storeUnreachable stores that the place of a job cannot be reached, until an event comes from there. If the table has
// left the place it changes nothing. version is that of the table when drawing failed: if the table has another one
// now, it queues the job again, because the change shows that people are there.
func (q *Queue) storeUnreachable(j Job, version int64) error {
	q.outbox.Log.InfoContext(q.ctx, "place unreachable", "table", j.Table)
	changed := false
	err := q.outbox.Store.UpdateOf(context.WithoutCancel(q.ctx), store.OfTable(j.Table), func(tx *store.Tx) error {
		t, err := tx.Tables.Table(j.Table)
		if err != nil || chat.Place(t.Place) != j.Place {
			return err
		}
		if changed = t.Version != version; changed {
			return nil
		}
		t.Board.Away = true
		return tx.Tables.SaveTable(t)
	})
	if err != nil {
		return fmt.Errorf("remember that table %d is away: %w", j.Table, err)
	}
	if changed {
		q.outbox.Enqueue(j)
	}
	return nil
}

// maxSwept is the largest number of stale boards that one sweep queues.
const maxSwept = 1024

// Sweep queues stale boards of the platform that an adapter or another replica was going to draw but has not drawn.
func (q *Queue) Sweep(ctx context.Context) error { return q.sweep(ctx, q.hasLostDrawer) }

// sweep queues the stale boards of the tables for which include returns true, in the chats of this replica.
func (q *Queue) sweep(ctx context.Context, include func(store.Table) bool) error {
	var found []Job
	err := q.outbox.Store.View(ctx, func(tx *store.Tx) error {
		tx.Only(q.outbox.Leases.Chats())
		tables, err := tx.Tables.Lagging(q.platform.Name()+":", maxSwept)
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
		return fmt.Errorf("look for lagging boards: %w", err)
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
