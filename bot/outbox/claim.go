package outbox

// Who draws a board: one adapter or worker at a time, in this replica and among all.

import (
	"context"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// ClaimFor is how long a claim holds. Where several replicas draw, whoever draws a board has claimed it in the database
// before: only one at a time does. One that finds its claim lost when the board is drawn, because it took longer, has
// it drawn again, since nobody knows then which drawing the platform got last.
const ClaimFor = 10 * time.Second

// claim claims the drawing of a board in the database if it is wanted as the table is, where other replicas draw, too.
// Another's claim is an error that says when to try again.
func (o *Outbox) claim(ctx context.Context, of store.Scope, table int64, wanted func(store.Table) bool) error {
	own := o.Leases.Own()
	if own == "" {
		return nil
	}
	var by time.Duration
	err := o.Store.UpdateOf(ctx, of, func(tx *store.Tx) error {
		by = 0
		now := o.Clock.Now()
		t, err := tx.Tables.Table(table)
		if err != nil || !wanted(t) {
			return err
		}
		if t.DrawnBy(own, now.UnixMilli()) {
			by = time.UnixMilli(t.Board.Drawing).Sub(now)
			return nil
		}
		return tx.Tables.ClaimDrawing(table, own, now.Add(ClaimFor).UnixMilli())
	})
	if err == nil && by > 0 {
		return chat.Later{After: min(by, claimedPause)}
	}
	return err
}

// claimedPause is how long a worker waits before it looks again at a board that another replica is about to draw.
const claimedPause = time.Second

// unnoted reports whether somebody may have posted the board of a table without noting its message: a drawing that was
// claimed and has not ended, or one of whoever served the database before this process.
func (o *Outbox) unnoted(t store.Table) bool { return t.Board.Drawer != "" || t.Changed < o.began }

// claims holds the boards that adapters are about to draw themselves.
type claims struct {
	clock chat.Clock
	mu    sync.Mutex
	of    map[int64]claimed // by table
}

// claimed is a board that adapters are about to draw.
type claimed struct {
	Job
	until []time.Time // one for each adapter
}

func (c *claims) claim(j Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[int64]claimed{}
	}
	until := append(c.of[j.Table].until, c.clock.Now().Add(ClaimFor))
	c.of[j.Table] = claimed{j, until}
}

func (c *claims) release(table int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if had := c.of[table]; len(had.until) > 1 {
		had.until = had.until[1:]
		c.of[table] = had
	} else {
		delete(c.of, table)
	}
}

// job returns the job of a claimed board, and that of another table without what is not known of it.
func (c *claims) job(table int64) Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	if had, claimed := c.of[table]; claimed {
		return had.Job
	}
	return Job{Table: table}
}

// count returns how many adapters have claimed the board of a table.
func (c *claims) count(table int64) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	had := c.of[table]
	for len(had.until) > 0 && c.clock.Now().After(had.until[0]) {
		had.until = had.until[1:]
	}
	if len(had.until) == 0 {
		delete(c.of, table)
		return 0
	}
	c.of[table] = had
	return len(had.until)
}
