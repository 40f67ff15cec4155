// Package outbox draws boards: which lag behind their tables, which are drawn by the answer to an event, and one worker
// for each place. What is to be drawn is stored with the table (its version, what was drawn of it, and whether it is
// to be
// posted anew), so that nothing committed depends on what is kept here in memory.
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
	"knobel/bot/loop"
	"knobel/store"
)

// Config is what an outbox is made of.
type Config struct {
	Store *store.Store
	Clock chat.Clock
	Log   *slog.Logger
	// Render renders the board of a table from what is stored.
	Render func(tx *store.Tx, t store.Table) (chat.Message, error)
	// Await waits until a moment at most for what the board of a table that has just ended will show
	// as well, so that it is drawn once; nil: nothing comes later.
	Await func(ctx context.Context, t store.Table, until time.Time)
	// Follow returns how many messages may stand below the board of a table before its next change
	// posts it anew; 0: any number.
	Follow func(tx *store.Tx, t store.Table) (int, error)
}

// Outbox draws the boards of all platforms that run.
type Outbox struct {
	Config
	locks  chat.Keyed[int64] // one drawing at a time for each table
	claims claims            // boards that adapters are about to draw

	mu     sync.Mutex
	queues map[string]*Queue // by platform, while it runs
}

// New returns an outbox for which no platform runs. Until then boards lag behind.
func New(c Config) *Outbox {
	return &Outbox{Config: c, claims: claims{clock: c.Clock}, queues: map[string]*Queue{}}
}

// Job is a board to draw: over the old message, or as a new one at the bottom.
type Job struct {
	Place chat.Place
	Table int64
	Fresh bool
	Over  chat.Ref // the board that a fresh one is to replace: it is posted once
	// Follow has the board posted anew, if the talk has pushed it away, though it shows everything: it
	// has just changed where it stands.
	Follow bool
}

// JobOf returns the job that draws the board of a table.
func JobOf(t store.Table, fresh bool) Job {
	return Job{Place: chat.Place(t.Place), Table: t.ID, Fresh: fresh, Over: chat.Ref(t.Board)}
}

// Join merges two jobs for the same table, of which next is the later one.
func (j Job) Join(next Job) Job {
	if next.Fresh {
		j.Fresh, j.Over = true, next.Over
	}
	j.Follow = j.Follow || next.Follow
	return j
}

// Start draws for a platform until ctx is done.
func (o *Outbox) Start(ctx context.Context, p chat.Platform) *Queue {
	q := newQueue(ctx, o, p)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queues[p.Name()] = q
	return q
}

// Stop takes no more jobs for a platform.
func (o *Outbox) Stop(q *Queue) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.queues, q.platform.Name())
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
	for name, p := range o.Platforms() {
		all[name] = chat.Condition{Link: p.Link(), Budget: p.Budget}
	}
	return all
}

// Room reports whether a place has room for a drawing that could as well be left out.
func (o *Outbox) Room(place chat.Place) bool {
	q := o.queueOf(place)
	return q == nil || q.platform.Budget(place).Room()
}

// PlatformAt returns the platform of a place, and the context of its drawing; nil if it does not
// run.
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

// Sweep has all platforms look for lagging boards at once.
func (o *Outbox) Sweep(ctx context.Context) error {
	var errs []error
	for _, q := range o.all() {
		errs = append(errs, q.Sweep(ctx))
	}
	return errors.Join(errs...)
}

// Enqueue has a board drawn by the workers of its platform, unless an adapter has claimed it. While
// the platform does not run, the board lags behind and is drawn later.
func (o *Outbox) Enqueue(j Job) {
	if o.claims.held(j.Table) && !j.Fresh {
		return
	}
	if q := o.queueOf(j.Place); q != nil {
		q.enqueue(j)
	}
}

// EnqueueTable is Enqueue for a table that still has to be read.
func (o *Outbox) EnqueueTable(ctx context.Context, table int64, fresh bool) {
	if t, err := o.table(context.WithoutCancel(ctx), table); err == nil {
		o.Enqueue(JobOf(t, fresh))
	}
}

func (o *Outbox) table(ctx context.Context, table int64) (t store.Table, err error) {
	err = o.Store.View(ctx, func(tx *store.Tx) (err error) {
		t, err = tx.Table(table)
		return err
	})
	return t, err
}

// Redraw posts the board of a place's table, or of its last table, as a new message. In a place
// without a table it does nothing.
func (o *Outbox) Redraw(ctx context.Context, place chat.Place) error {
	var t store.Table
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) {
		if t, err = tx.TableAt(string(place)); errors.Is(err, store.ErrNotFound) {
			t, err = tx.LastTableAt(string(place))
		}
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

// Claim keeps the workers from drawing the board of a table until Draw, or for claimFor, because an
// adapter is going to draw it.
func (o *Outbox) Claim(table int64) { o.claims.claim(table) }

// Release takes back a claim whose change was not committed, and has the workers draw the board,
// which they may have skipped meanwhile.
func (o *Outbox) Release(ctx context.Context, table int64) {
	o.claims.release(table)
	o.EnqueueTable(ctx, table, false)
}

// Draw draws the newest state of a table by the adapter's own means, as the answer to the event
// that changed it, and stores what was drawn. One board of a table is drawn at a time, so that the
// newest state wins.
func (o *Outbox) Draw(ctx context.Context, table int64, fresh bool, by chat.Drawer) error {
	t, lags, err := o.draw(ctx, table, "", fresh, by)
	o.claims.release(table)
	if err != nil {
		// The workers draw what this adapter could not.
		o.EnqueueTable(ctx, table, fresh)
		return err
	}
	if !o.claims.held(table) && (lags || !fresh) {
		o.Enqueue(Job{Place: chat.Place(t.Place), Table: table, Follow: !fresh})
	}
	return nil
}

// Look draws the board of a table unchanged, only to learn whether its place can be reached, and
// stores if it cannot.
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
	j := Job{Place: chat.Place(t.Place), Table: table}
	t, _, err = o.draw(ctx, table, j.Place, false, q.drawer(j))
	if errors.Is(err, chat.ErrAway) {
		return q.away(j, t.Version)
	}
	return err
}

// draw renders a table under its lock, draws it with by, and stores the message. It returns the
// table and whether it has changed meanwhile. A table that is no longer at the place is not drawn;
// at "" means any place. fresh says that by posts a new message.
func (o *Outbox) draw(ctx context.Context, table int64, at chat.Place, fresh bool, by chat.Drawer) (t store.Table,
	lags bool, err error) {
	unlock, err := o.locks.Lock(ctx, table)
	if err != nil {
		return t, false, err
	}
	defer unlock()
	t, m, err := o.render(ctx, table)
	if err != nil {
		return t, false, fmt.Errorf("render table %d: %w", table, err)
	}
	if at != "" && chat.Place(t.Place) != at {
		return t, false, nil
	}
	old := chat.Ref(t.Board)
	ref, err := by(ctx, m, old)
	if err != nil {
		return t, false, err
	}
	newest, drawn, lost, err := o.remember(ctx, t, ref, fresh)
	if err != nil {
		return t, false, err
	}
	if lost != "" && old != ref {
		o.Retire(ctx, chat.Place(t.Place), lost)
	}
	return t, drawn < newest, nil
}

// remember stores which version of a table was drawn, and in which message, even if ctx ends: the
// message is in the chat. It returns the table's newest version, the version that counts as drawn,
// and lost, a message that is the table's board no longer ("" for none).
func (o *Outbox) remember(ctx context.Context, t store.Table, ref chat.Ref, fresh bool) (newest, drawn int64,
	lost chat.Ref, err error) {
	drawn, newest, lost = t.Version, t.Version, chat.Ref(t.Board)
	anew := ref != lost || fresh
	if t.Repost && !anew {
		drawn-- // it is still to be posted
	}
	err = o.Store.UpdateOf(context.WithoutCancel(ctx), store.OfTable(t.ID).In(t.Chat), func(tx *store.Tx) (err error) {
		if !anew {
			return tx.DrawnUnread(t.ID, drawn, t.Place, string(ref), &newest)
		}
		if newest, err = tx.Drawn(t.ID, drawn, t.Place, string(ref)); err != nil {
			return err
		}
		now, err := tx.Table(t.ID)
		if err != nil || now.Board != string(ref) {
			lost = ref // the table has moved meanwhile: who moved it has seen to the old board
			return err
		}
		now.Posted, now.Repost = o.Clock.Now().UnixMilli(), false
		return tx.SaveTable(now)
	})
	if err != nil {
		return 0, 0, "", fmt.Errorf("remember the board of table %d: %w", t.ID, err)
	}
	return newest, drawn, lost, nil
}

// Retire takes away an old board. If it fails no harm is done: buttons of old boards are answered
// like all others.
func (o *Outbox) Retire(ctx context.Context, place chat.Place, ref chat.Ref) {
	_, p := o.PlatformAt(place)
	if p == nil {
		return
	}
	if err := p.Retire(ctx, place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
		o.Log.DebugContext(ctx, "old board stays", "error", err)
	}
}

// claimFor is how long a claim holds.
const claimFor = 10 * time.Second

// claims holds the boards that adapters are about to draw themselves.
type claims struct {
	clock chat.Clock
	mu    sync.Mutex
	until map[int64][]time.Time // by table, one for each adapter
}

func (c *claims) claim(table int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until == nil {
		c.until = map[int64][]time.Time{}
	}
	c.until[table] = append(c.until[table], c.clock.Now().Add(claimFor))
}

func (c *claims) release(table int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if until := c.until[table]; len(until) > 1 {
		c.until[table] = until[1:]
	} else {
		delete(c.until, table)
	}
}

// held reports whether the board of a table is claimed.
func (c *claims) held(table int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.until[table]
	for len(until) > 0 && c.clock.Now().After(until[0]) {
		until = until[1:]
	}
	if len(until) == 0 {
		delete(c.until, table)
		return false
	}
	c.until[table] = until
	return true
}
