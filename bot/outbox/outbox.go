// Package outbox draws boards, the messages that show tables: some as the answer to an event, all others by one worker
// for each place. The database alone decides which boards have to be drawn: it stores the version of a table, the
// version that the board shows, and whether the board must be posted again. No board is lost if the process ends.
//
// A board is stale while it shows an older version than the table has: it must be drawn. Each drawing is compared with
// the stored state when it is finished: of two concurrent drawings, one is repeated or its message is deleted.
package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
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
	// Leases decides in which chats this replica draws boards; nil: in all.
	Leases *lease.Holder
	// Render returns the board of table t: one version for all people, and one for each of viewers.
	Render func(tx *store.Tx, t store.Table, viewers []chat.Viewer) (chat.Message, error)
	// Await, if set, is called before the board of t is drawn when the game of t has just ended. It waits for further
	// results, at most until the time until, so that the board is drawn only once.
	Await func(ctx context.Context, t store.Table, until time.Time)
}

// Outbox draws the boards of all running platforms.
type Outbox struct {
	Config
	locks chat.Keyed[int64] // one drawing at a time for each table id

	mu      sync.Mutex
	queues  map[string]*Queue             // of the running platforms, by name
	carried map[int64]Job                 // boards that adapters are about to draw, by table id
	pages   atomic.Pointer[chat.Embedder] // the embedded pages, nil: none
}

// New returns an outbox without running platforms. Boards are not drawn until Start.
func New(c Config) *Outbox {
	return &Outbox{Config: c, queues: map[string]*Queue{}, carried: map[int64]Job{}}
}

// Embed makes the outbox report changed boards to pages, the embedded ones; nil ends that.
func (o *Outbox) Embed(pages chat.Embedder) {
	if o.pages.Store(nil); pages != nil {
		o.pages.Store(&pages)
	}
}

// Job is an order to draw a board: by editing its message or, if Fresh, as a new message at the bottom of the chat.
type Job struct {
	Chat  string
	Place chat.Place
	Table int64
	Fresh bool
	Over  chat.Ref // the message that a Fresh board replaces; if the board now has another message, it is only edited
}

// JobOf returns the job that draws the board of t: as a new message if fresh is set, else by editing its message.
func JobOf(t store.Table, fresh bool) Job {
	return Job{Chat: t.Chat, Place: chat.Place(t.Place), Table: t.ID, Fresh: fresh,
		Over: chat.Ref(t.Board.Message)}
}

// Join returns one job in place of j and next, a later job for the same table. It is Fresh if one of the two is.
func (j Job) Join(next Job) Job {
	if next.Fresh {
		j.Fresh, j.Over = true, next.Over
	}
	return j
}

// Start makes the outbox draw boards on the platform p until ctx is done, and returns the queue of p.
func (o *Outbox) Start(ctx context.Context, p chat.Platform) *Queue {
	q := &Queue{outbox: o, platform: p, ctx: ctx, began: o.Clock.Now().UnixMilli(), places: map[chat.Place][]Job{},
		idle: make(chan struct{}), failing: map[chat.Place]bool{},
		movers: map[int64][]chat.User{}, held: map[int64]bool{}}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queues[p.Name()] = q
	return q
}

// running returns a copy of the queues of the running platforms, by the platform's name.
func (o *Outbox) running() map[string]*Queue {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.queues)
}

// Queued returns the number of places with boards to be drawn, by the platform's name.
func (o *Outbox) Queued() map[string]int {
	n := map[string]int{}
	for name, q := range o.running() {
		q.mu.Lock()
		n[name] = len(q.places)
		q.mu.Unlock()
	}
	return n
}

// Platforms returns the running platforms, by name.
func (o *Outbox) Platforms() map[string]chat.Platform {
	all := map[string]chat.Platform{}
	for name, q := range o.running() {
		all[name] = q.platform
	}
	return all
}

// Conditions returns the state of the connection and of the rate limits of each running platform, by its name.
func (o *Outbox) Conditions() map[string]chat.Condition {
	all := map[string]chat.Condition{}
	for name, q := range o.running() {
		all[name] = chat.Condition{Link: q.platform.Link(), Budget: q.platform.Budget}
	}
	return all
}

// PlatformAt returns the platform of a place and the context that ends its drawing, or nil, nil if it does not run.
func (o *Outbox) PlatformAt(place chat.Place) (context.Context, chat.Platform) {
	if q := o.queueOf(place); q != nil {
		return q.ctx, q.platform
	}
	return nil, nil
}

// queueOf returns the queue of the platform of place, or nil if the platform does not run.
func (o *Outbox) queueOf(place chat.Place) *Queue {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.queues[chat.PlatformOf(string(place))]
}

// Sweep queues every stale board of all running platforms at once, even a board that an adapter may be about to draw.
func (o *Outbox) Sweep(ctx context.Context) error {
	var errs []error
	for _, q := range o.running() {
		errs = append(errs, q.sweep(ctx, isStale))
	}
	return errors.Join(errs...)
}

// Enqueue queues a board for the worker of its place. It is a no-op if another replica draws the boards of the chat, or
// if the platform does not run: the board stays stale and is drawn later. A board that is in the queue already keeps
// its position there, and is drawn in its newest state.
func (o *Outbox) Enqueue(j Job) {
	if pages := o.pages.Load(); pages != nil {
		(*pages).Changed(j.Place)
	}
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

// sendHint asks the replica that draws the boards of t's chat to draw the board of t, unless this is that replica.
// posted: if the board has to be posted again, when it was posted, in Unix milliseconds; else 0. Errors are ignored.
func (o *Outbox) sendHint(ctx context.Context, t store.Table, posted int64) {
	if hint, other := o.Leases.HintAt(t.Chat); other {
		hint.Tables, hint.Stood = []int64{t.ID}, posted
		_ = o.Store.Update(ctx, func(tx *store.Tx) error {
			tx.Hint(hint.String())
			return nil
		})
	}
}

// Hinted queues the board of a table, if it is stale, because another replica has asked for that. posted is not 0 if
// many messages have come below a board: it is the time at which that board was posted, in Unix milliseconds. If the
// table has no newer board, the board is posted again.
func (o *Outbox) Hinted(ctx context.Context, table, posted int64) {
	t, err := o.table(ctx, table)
	fresh := posted != 0 && t.Board.Posted == posted
	if err == nil && (fresh || t.Board.Drawn < t.Version) {
		o.Enqueue(JobOf(t, fresh))
	}
}

// table returns the table with the number id from the database.
func (o *Outbox) table(ctx context.Context, id int64) (t store.Table, err error) {
	err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(id)
		return err
	})
	return t, err
}

// Redraw queues the board of the table that is in the lobby or in play at a place, or else of the place's newest table,
// to be posted as a new message. In a place without a table it is a no-op.
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

// Carry announces that an adapter is about to draw a board by Draw. Until then the workers do not draw the board,
// unless the adapter seems to have failed (see hasLostDrawer) or the board must be posted as a new message.
func (o *Outbox) Carry(j Job) {
	if pages := o.pages.Load(); pages != nil {
		(*pages).Changed(j.Place)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.carried[j.Table] = j
}

// takeCarried ends the effect of Carry for a table. It returns Carry's job, or else a job with only the table's number.
func (o *Outbox) takeCarried(table int64) Job {
	o.mu.Lock()
	defer o.mu.Unlock()
	j := o.carried[table]
	delete(o.carried, table)
	j.Table = table
	return j
}

// Draw draws the newest state of a table by answer, which is the adapter's answer to the event that changed the table,
// and stores the message. fresh says that answer posts a new message. Only one drawing of a table runs at a time, so
// that the newest state wins. If drawing fails, Draw returns the error, and a worker draws the board later.
func (o *Outbox) Draw(ctx context.Context, table int64, fresh bool, answer chat.Drawer) error {
	j := o.takeCarried(table)
	j.Fresh = fresh
	t, changed, err := o.draw(ctx, drawing{Job: j}, answer)
	if t.ID == 0 {
		return err
	}
	if err != nil { // the workers draw the boards that this adapter could not
		o.Enqueue(JobOf(t, fresh))
		o.sendHint(context.WithoutCancel(ctx), t, 0)
		return err
	}
	if q := o.queueOf(chat.Place(t.Place)); q != nil && !fresh && q.isBuried(t) {
		o.Enqueue(JobOf(t, true))
		o.sendHint(ctx, t, t.Board.Posted)
	} else if changed {
		o.Enqueue(JobOf(t, false))
	}
	return nil
}

// Look draws the board of a table again, even if it is not stale, to find out whether the bot can reach the place of
// the table. It stores the result.
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
	return q.drawNow(ctx, drawing{Job: JobOf(t, false), queue: q, forced: true})
}

// Retire deletes ref, the message of an old board. It only logs an error: the buttons of old boards are answered, too.
func (o *Outbox) Retire(ctx context.Context, place chat.Place, ref chat.Ref) {
	_, p := o.PlatformAt(place)
	if p == nil {
		return
	}
	if err := p.Retire(ctx, place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
		o.Log.DebugContext(ctx, "delete old board failed", "error", err)
	}
}
