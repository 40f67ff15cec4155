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

// maxPlaces is the largest number of places of a platform that have a worker at once. Boards of further places lag
// behind until the sweep finds them; the database stores which of them have to be posted as new messages.
const maxPlaces = 1024

// Queue draws the boards of one platform. Each place with something to draw has a goroutine, so that a slow chat delays
// no other; it ends when its list is empty.
type Queue struct {
	outbox   *Outbox
	platform chat.Platform
	ctx      context.Context // ends all drawing when done
	began    int64           // when drawing began, in Unix milliseconds

	mu     sync.Mutex
	places map[chat.Place][]Job // jobs of the places that have a goroutine, in order
	idle   chan struct{}        // closed and replaced when the last goroutine ends

	failing map[chat.Place]bool // places whose last drawing failed
	failed  int                 // how many drawings have failed in this outage
	since   time.Time           // when this outage began
}

// work draws the boards that are queued for a place until there are none. After a failure it pauses and retries.
func (q *Queue) work(place chat.Place) {
	var wait *backoff.ExponentialBackOff // the pauses since a failure; nil: none
	for {
		j, ok := q.next(place)
		if !ok {
			return
		}
		err := q.draw(j)
		if err == nil {
			if wait != nil {
				q.succeeded(place)
			}
			wait = nil
			continue
		}
		if wait == nil {
			wait = patience(place)
		}
		pause := wait.NextBackOff()
		if _, nothing := errors.AsType[unsent](err); nothing && store.Passing(err) {
			pause = min(pause, unsentPause)
		}
		if later, ok := errors.AsType[chat.Later](err); ok {
			pause = later.After
		} else if q.ctx.Err() == nil {
			q.fail(j, pause, err)
		}
		q.again(j)
		select {
		case <-q.outbox.Clock.After(pause):
		case <-q.ctx.Done():
		}
	}
}

// unsentPause is the longest pause before a retry if the database failed and nothing was sent to the platform: the
// database may be back at any time, no rate limit is at risk, and people wait for the effect of their presses.
const unsentPause = 2 * time.Second

// patience returns growing pauses for retries in a place. They differ from place to place, so that places that failed
// together do not retry together, but are the same in every run.
func patience(place chat.Place) *backoff.ExponentialBackOff {
	name := fnv.New32a()
	_, _ = name.Write([]byte(place))
	apart := 0.75 + 0.5*float64(name.Sum32())/math.MaxUint32
	spread := func(d time.Duration) time.Duration { return time.Duration(apart * float64(d)) }
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval, wait.RandomizationFactor = spread(250*time.Millisecond),
		spread(time.Minute), 0
	return wait
}

// fail counts a failed drawing and logs it: as a warning if no other place is failing, otherwise for debugging only, so
// that an outage gives one warning.
func (q *Queue) fail(j Job, pause time.Duration, err error) {
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
	q.outbox.Log.Log(q.ctx, level, "board not drawn", "platform", q.platform.Name(), "table", j.Table, "again", pause,
		"error", err)
}

// succeeded removes a place from the failing ones, and logs the end of the outage if it was the last.
func (q *Queue) succeeded(place chat.Place) {
	q.mu.Lock()
	was := q.failing[place]
	delete(q.failing, place)
	over, failed, after := was && len(q.failing) == 0, q.failed, q.outbox.Clock.Now().Sub(q.since)
	q.mu.Unlock()
	if over {
		q.outbox.Log.InfoContext(q.ctx, "board drawing resumed", "platform", q.platform.Name(), "failed", failed,
			"after", after)
	}
}

// next takes the first job of a place. It returns false if there is none or all drawing has ended: the worker must then
// end.
func (q *Queue) next(place chat.Place) (Job, bool) {
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

// again puts a failed job back at the front of its place's jobs, or joins it with a queued one for the same table.
func (q *Queue) again(j Job) {
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
// drawn. If the board need not be drawn, or another replica draws it, it does nothing.
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
	d := drawing{Job: j, by: q}
	if !d.wanted(t) {
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
	case d.asNew(t): // a person has asked for a new message
		need = chat.ToShow
	case t.State == store.Playing && !t.Waits:
		need = chat.ToMove
	}
	if need != chat.ToShow && q.pushed(t) {
		d.Fresh, d.Over = true, chat.Ref(t.Board.Message)
	}
	d.Opener = t.Opener
	if err := q.platform.Ready(q.ctx, j.Place, need); err != nil {
		return unsent{err}
	}
	return q.drawNow(q.ctx, d)
}

// drawNow draws a board at once. If its place cannot be reached, it stores that and returns no error.
func (q *Queue) drawNow(ctx context.Context, d drawing) error {
	t, changed, err := q.outbox.draw(ctx, d, nil)
	if errors.Is(err, chat.ErrAway) {
		return q.away(d.Job, t.Version)
	}
	if err == nil && changed {
		q.outbox.Enqueue(JobOf(t, false))
	}
	return err
}

// show edits the message of t's board, or posts a new one if asNew is set, there is no message, or it was deleted. It
// returns the message, "" for a table without a board. A new board that may have been posted already without being
// stored is marked, so that the platform can edit it instead.
func (q *Queue) show(ctx context.Context, t store.Table, m chat.Message, asNew bool) (chat.Ref, error) {
	place, ref := chat.Place(t.Place), chat.Ref(t.Board.Message)
	if t.Cleared() {
		return "", nil
	}
	m.Silent = ref != ""
	if ref != "" && !asNew {
		if err := q.platform.Edit(ctx, place, ref, m); !errors.Is(err, chat.ErrGone) {
			return ref, err
		}
	}
	m.Unnoted, m.Below = lags(t) && (q.left(t) || t.Board.Behind < t.Changed), ref
	return q.platform.Post(ctx, place, m)
}

// away stores that the place of a job cannot be reached, until an event comes from there. If the table has left the
// place it changes nothing. If the table no longer has the version that failed it retries, because the change shows
// that people are there.
func (q *Queue) away(j Job, version int64) error {
	q.outbox.Log.InfoContext(q.ctx, "place is away", "table", j.Table)
	again := false
	err := q.outbox.Store.UpdateOf(context.WithoutCancel(q.ctx), store.OfTable(j.Table), func(tx *store.Tx) error {
		t, err := tx.Tables.Table(j.Table)
		if err != nil || chat.Place(t.Place) != j.Place {
			return err
		}
		if again = t.Version != version; again {
			return nil
		}
		t.Board.Away = true
		return tx.Tables.SaveTable(t)
	})
	if err != nil {
		return fmt.Errorf("remember that table %d is away: %w", j.Table, err)
	}
	if again {
		q.outbox.Enqueue(j)
	}
	return nil
}

// maxSwept is the largest number of lagging boards that one sweep queues.
const maxSwept = 1024

// Sweep queues lagging boards of the platform that an adapter or another replica was going to draw but has not.
func (q *Queue) Sweep(ctx context.Context) error { return q.sweep(ctx, q.left) }

// sweep queues the lagging boards for whose tables some returns true, in the chats of this replica.
func (q *Queue) sweep(ctx context.Context, some func(store.Table) bool) error {
	var found []Job
	err := q.outbox.Store.View(ctx, func(tx *store.Tx) error {
		tx.Only(q.outbox.Leases.Chats())
		tables, err := tx.Tables.Lagging(q.platform.Name()+":", maxSwept)
		for _, at := range tables {
			t, err := tx.Tables.Table(at.ID)
			if err != nil {
				return err
			}
			if some(t) {
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
