// Package outbox draws boards: some by the answer to an event, all others by one worker for each place. What has to be
// drawn follows from the database: the version of a table, the version that its board shows, and whether the board has
// to be posted as a new message. Nothing committed depends on the memory of this package.
//
// A board has to be drawn while it shows an older version than the table has. After drawing, the state stored before is
// compared with the present one, so that of two concurrent drawers one draws again or deletes its message.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// Config configures an Outbox.
type Config struct {
	Store *store.Store
	Clock chat.Clock
	Log   *slog.Logger
	// Leases tell the chats whose boards this replica draws; nil: all.
	Leases *lease.Holder
	// Render renders the board of a stored table, for all and for viewers.
	Render func(tx *store.Tx, t store.Table, by []chat.Viewer) (chat.Message, error)
	// Await waits until a moment at most for what the board of a table that has just ended will also show, so that it
	// is drawn once; nil: nothing comes later.
	Await func(ctx context.Context, t store.Table, until time.Time)
}

// Outbox draws the boards of all platforms that run.
type Outbox struct {
	Config
	locks chat.Keyed[int64] // one drawing at a time for each table

	mu      sync.Mutex
	queues  map[string]*Queue // by platform, while it runs
	carried map[int64]Job     // boards that adapters are about to draw, by table
}

// New returns an outbox for which no platform runs. Until then boards lag behind.
func New(c Config) *Outbox {
	return &Outbox{Config: c, queues: map[string]*Queue{}, carried: map[int64]Job{}}
}

// Job is a board to draw: over the old message, or as a new one at the bottom.
type Job struct {
	Chat   string
	Place  chat.Place
	Table  int64
	Opener string // of the table; "": not known
	Fresh  bool
	Over   chat.Ref // the board that a fresh one is to replace: it is posted once
}

// JobOf returns the job that draws the board of a table.
func JobOf(t store.Table, fresh bool) Job {
	return Job{Chat: t.Chat, Place: chat.Place(t.Place), Table: t.ID, Opener: t.Opener, Fresh: fresh,
		Over: chat.Ref(t.Board.Message)}
}

// Join merges two jobs for the same table, of which next is the later one.
func (j Job) Join(next Job) Job {
	if next.Fresh {
		j.Fresh, j.Over = true, next.Over
	}
	return j
}

// Start draws for a platform until ctx is done.
func (o *Outbox) Start(ctx context.Context, p chat.Platform) *Queue {
	q := &Queue{outbox: o, platform: p, ctx: ctx, began: o.Clock.Now().UnixMilli(), places: map[chat.Place][]Job{},
		idle: make(chan struct{}), failing: map[chat.Place]bool{}}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queues[p.Name()] = q
	return q
}

// all returns the queues of the running platforms, by platform.
func (o *Outbox) all() map[string]*Queue {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.queues)
}

// Queued returns how many places have boards to be drawn, by platform.
func (o *Outbox) Queued() map[string]int {
	n := map[string]int{}
	for name, q := range o.all() {
		q.mu.Lock()
		n[name] = len(q.places)
		q.mu.Unlock()
	}
	return n
}

// Platforms returns the running platforms, by name.
func (o *Outbox) Platforms() map[string]chat.Platform {
	all := map[string]chat.Platform{}
	for name, q := range o.all() {
		all[name] = q.platform
	}
	return all
}

// Conditions returns the condition of each running platform, by name.
func (o *Outbox) Conditions() map[string]chat.Condition {
	all := map[string]chat.Condition{}
	for name, q := range o.all() {
		all[name] = chat.Condition{Link: q.platform.Link(), Budget: q.platform.Budget}
	}
	return all
}

// PlatformAt returns the platform of a place, and the context of its drawing; nil if it does not run.
func (o *Outbox) PlatformAt(place chat.Place) (context.Context, chat.Platform) {
	if q := o.queueOf(place); q != nil {
		return q.ctx, q.platform
	}
	return nil, nil
}

func (o *Outbox) queueOf(place chat.Place) *Queue {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.queues[chat.PlatformOf(string(place))]
}

// Sweep has all platforms draw what lags behind at once.
func (o *Outbox) Sweep(ctx context.Context) error {
	var errs []error
	for _, q := range o.all() {
		errs = append(errs, q.sweep(ctx, lags))
	}
	return errors.Join(errs...)
}

// Enqueue has a board drawn by the worker of its place, unless another replica draws the boards of the chat. While the
// platform does not run, the board lags behind and is drawn later. A board that already waits keeps its position and is
// drawn in its newest state.
func (o *Outbox) Enqueue(j Job) {
	q := o.queueOf(j.Place)
	if q == nil || !o.Leases.Holds(j.Chat) {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	list, busy := q.places[j.Place]
	for i := range list {
		if list[i].Table == j.Table {
			list[i] = list[i].Join(j)
			return
		}
	}
	if q.ctx.Err() != nil || !busy && len(q.places) >= maxPlaces {
		return
	}
	q.places[j.Place] = append(list, j)
	if !busy {
		go q.work(j.Place)
	}
}

// hint tells the replica that draws the boards of the chat of a table about it, by Hinted.
func (o *Outbox) hint(ctx context.Context, t store.Table, stood int64) {
	if hint, wanted := o.Leases.HintAt(t.Chat); wanted {
		hint.Tables, hint.Stood = []int64{t.ID}, stood
		_ = o.Store.Update(ctx, func(tx *store.Tx) error {
			tx.Hint(hint.String())
			return nil
		})
	}
}

// Hinted draws the board of a table that another replica has told of, if it lags behind. stood is when a board was
// posted that talk has pushed up there, in Unix milliseconds, and 0 for none: if it is still the board, it is posted
// again.
func (o *Outbox) Hinted(ctx context.Context, table, stood int64) {
	t, err := o.table(ctx, table)
	fresh := stood != 0 && t.Board.Posted == stood
	if err == nil && (fresh || t.Board.Drawn < t.Version) {
		o.Enqueue(JobOf(t, fresh))
	}
}

func (o *Outbox) table(ctx context.Context, table int64) (t store.Table, err error) {
	err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(table)
		return err
	})
	return t, err
}

// Redraw posts the board of a place's table, or of its last table, as a new message. In a place without a table it does
// nothing.
func (o *Outbox) Redraw(ctx context.Context, place chat.Place) error {
	var t store.Table
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.TableHere(string(place))
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("redraw %s: %w", place, err)
	}
	o.Enqueue(JobOf(t, true))
	return nil
}

// Carry keeps the workers from drawing a board that an adapter is going to draw with its answer, until Draw or for
// leftAfter.
func (o *Outbox) Carry(j Job) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.carried[j.Table] = j
}

// taken returns the job of Carry for a table, and lets the workers draw the board again.
func (o *Outbox) taken(table int64) Job {
	o.mu.Lock()
	defer o.mu.Unlock()
	j := o.carried[table]
	delete(o.carried, table)
	j.Table = table
	return j
}

// Draw draws the newest state of a table by the adapter's own means, as the answer to the event that changed it, and
// stores what was drawn. One board of a table is drawn at a time, so that the newest state wins.
func (o *Outbox) Draw(ctx context.Context, table int64, fresh bool, by chat.Drawer) error {
	j := o.taken(table)
	j.Fresh = fresh
	t, changed, err := o.draw(ctx, drawing{Job: j}, by)
	if t.ID == 0 {
		return err
	}
	if err != nil { // the workers draw what this adapter could not
		o.Enqueue(JobOf(t, fresh))
		o.hint(context.WithoutCancel(ctx), t, 0)
		return err
	}
	if q := o.queueOf(chat.Place(t.Place)); q != nil && !fresh && q.pushed(t) {
		o.Enqueue(JobOf(t, true))
		o.hint(ctx, t, t.Board.Posted)
	} else if changed {
		o.Enqueue(JobOf(t, false))
	}
	return nil
}

// Look draws the board of a table unchanged, only to learn whether its place can be reached, and stores if it cannot.
func (o *Outbox) Look(ctx context.Context, table int64) (err error) {
	defer loop.Rescue(&err)
	t, err := o.table(ctx, table)
	if err != nil {
		return err
	}
	q := o.queueOf(chat.Place(t.Place))
	if q == nil {
		return nil
	}
	return q.drawNow(ctx, drawing{Job: JobOf(t, false), by: q, looks: true})
}

// Retire deletes an old board. A failure does no harm: buttons of old boards are answered like all others.
func (o *Outbox) Retire(ctx context.Context, place chat.Place, ref chat.Ref) {
	_, p := o.PlatformAt(place)
	if p == nil {
		return
	}
	if err := p.Retire(ctx, place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
		o.Log.DebugContext(ctx, "delete old board failed", "error", err)
	}
}
