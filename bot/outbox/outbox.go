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
	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// Config is what an outbox is made of.
type Config struct {
	Store *store.Store
	Clock chat.Clock
	Log   *slog.Logger
	// Leases say of which chats this replica draws the boards; nil: of all.
	Leases *lease.Holder
	// Render renders the board of a table from what is stored, and as viewers see it.
	Render func(tx *store.Tx, t store.Table, by []chat.Viewer) (chat.Message, error)
	// Await waits until a moment at most for what the board of a table that has just ended will show
	// as well, so that it is drawn once; nil: nothing comes later.
	Await func(ctx context.Context, t store.Table, until time.Time)
}

// Outbox draws the boards of all platforms that run.
type Outbox struct {
	Config
	began  int64             // in Unix milliseconds
	locks  chat.Keyed[int64] // one drawing at a time for each table
	claims claims            // boards that adapters are about to draw

	mu     sync.Mutex
	queues map[string]*Queue // by platform, while it runs
}

// New returns an outbox for which no platform runs. Until then boards lag behind.
func New(c Config) *Outbox {
	return &Outbox{Config: c, began: c.Clock.Now().UnixMilli(), claims: claims{clock: c.Clock},
		queues: map[string]*Queue{}}
}

// Job is a board to draw: over the old message, or as a new one at the bottom.
type Job struct {
	Chat   string
	Place  chat.Place
	Table  int64
	Opener string // of the table, "" where that is not known
	Fresh  bool
	Over   chat.Ref // the board that a fresh one is to replace: it is posted once
	// Follow has the board posted anew, if the talk has pushed it away, though it shows everything: it
	// has just changed where it stands.
	Follow bool

	unnoted bool        // a board may have been posted and not been noted
	drawn   store.Table // as it has just been drawn; without an ID it is read
}

// JobOf returns the job that draws the board of a table.
func JobOf(t store.Table, fresh bool) Job {
	return Job{Chat: t.Chat, Place: chat.Place(t.Place), Table: t.ID, Opener: t.Opener, Fresh: fresh,
		Over: chat.Ref(t.Board.Message)}
}

// about is what is known of the board before it is read.
func (j Job) about() store.Known {
	return store.Known{Chat: j.Chat, User: j.Opener, Table: j.Table, Board: true}
}

// Join merges two jobs for the same table, of which next is the later one.
func (j Job) Join(next Job) Job {
	if next.Fresh {
		j.Fresh, j.Over = true, next.Over
	}
	j.Follow, j.drawn = j.Follow || next.Follow, store.Table{}
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
	for name, q := range o.all() {
		all[name] = chat.Condition{Link: q.platform.Link(), Budget: q.platform.Budget}
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

// Enqueue has a board drawn by the workers of its platform, unless an adapter has claimed it, and by those of another
// replica where that draws the boards of the chat; talk is followed here all the same, where it is heard. While the
// platform does not run, the board lags behind and is drawn later.
func (o *Outbox) Enqueue(j Job) {
	if o.claims.count(j.Table) > 0 && !j.Fresh {
		return
	}
	if !o.Leases.Holds(j.Chat) && !j.Follow {
		return
	}
	if q := o.queueOf(j.Place); q != nil {
		q.enqueue(j)
	}
}

// EnqueueTable is Enqueue for a table that still has to be read, and that another replica hears of in haste where that
// draws it.
func (o *Outbox) EnqueueTable(ctx context.Context, table int64, fresh bool) {
	ctx = context.WithoutCancel(ctx)
	t, err := o.table(ctx, table)
	if err != nil {
		return
	}
	o.Enqueue(JobOf(t, fresh))
	o.hint(ctx, t, 0)
}

// hint tells whoever draws the boards of a table's chat elsewhere of the table, as Hinted hears of it.
func (o *Outbox) hint(ctx context.Context, t store.Table, stood int64) {
	if hint, wanted := o.Leases.HintAt(t.Chat); wanted {
		hint.Tables, hint.Stood = []int64{t.ID}, stood
		_ = o.Store.Update(ctx, func(tx *store.Tx) error {
			tx.Hint(hint.String())
			return nil
		})
	}
}

// Hinted has the board of a table drawn that another replica has told of, if it lags behind. Where that replica has
// heard talk push away the board that stood since a moment, in Unix milliseconds, it is posted anew; 0: it has not.
func (o *Outbox) Hinted(t store.Table, stood int64) {
	fresh := stood != 0 && t.Board.Posted == stood
	if fresh || t.Board.Drawn < t.Version {
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

// Redraw posts the board of a place's table, or of its last table, as a new message. In a place
// without a table it does nothing.
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

// Claim keeps the workers from drawing the board of a table until Draw, or for claimFor, because an
// adapter is going to draw it.
func (o *Outbox) Claim(j Job) { o.claims.claim(j) }

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
	t, lags, err := o.draw(ctx, drawing{Job: o.claims.job(table), fresh: fresh, claims: 1}, by)
	o.claims.release(table)
	if err != nil {
		// The workers draw what this adapter could not.
		o.EnqueueTable(ctx, table, fresh)
		return err
	}
	if o.claims.count(table) == 0 && (lags || !fresh) {
		o.Enqueue(Job{Chat: t.Chat, Place: chat.Place(t.Place), Table: table, Follow: !fresh, drawn: t})
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
	j := JobOf(t, false)
	always := func(store.Table) bool { return true }
	if err := o.claim(ctx, store.OfTable(table).In(t.Chat), table, always); err != nil {
		return err
	}
	j.unnoted = o.unnoted(t)
	t, _, err = o.draw(ctx, drawing{Job: j, at: j.Place}, q.drawer(j))
	if errors.Is(err, chat.ErrAway) {
		return q.away(j, t.Version)
	}
	return err
}

// Retire takes away an old board. If it fails no harm is done: buttons of old boards are answered
// like all others.
func (o *Outbox) Retire(ctx context.Context, place chat.Place, ref chat.Ref) {
	_, p := o.PlatformAt(place)
	if p == nil {
		return
	}
	if err := p.Retire(ctx, place, ref); err != nil && !errors.Is(err, chat.ErrGone) {
		o.Log.DebugContext(ctx, "delete old board failed", "error", err)
	}
}
