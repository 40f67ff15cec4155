package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// mostTogether is how many changes share a commit at most, so that the
	// first of them does not wait for ever.
	mostTogether = 512
	// linger is how long a commit waits for one more change when there were
	// several the last time: those who were answered then may be back at once.
	linger = 100 * time.Microsecond
	// mostLooks bounds that by the number of looks, for who has a clock that
	// stands still while somebody works; a real one is always done before.
	mostLooks = 1 << 13
)

var errClosed = errors.New("the database is closed")

// writer is the writing connection, and how changes share it. Changes run one
// at a time, each in its own caller's goroutine, in the order in which they
// came. While others wait for their turn, a change that is done leaves the
// transaction open to them; whoever is the last to find nobody waiting commits
// it for all of them. So under load one flush of the disk is for many changes,
// and a change that is alone commits at once.
//
// The first change of a transaction is rolled back with it, the others to a
// savepoint of their own: what fails harms nobody else. But what a later change
// has read may be the work of an earlier one, so that nobody, not even one
// whose change was refused, has an answer before the commit.
type writer struct {
	to   driver.Connector
	key  Sealer
	most int // how many changes share a commit at most
	home home
	// trouble is told when changes cannot be made any more, and when they can; nil:
	// nobody is.
	trouble func(err error, lasted time.Duration)

	mu      sync.Mutex
	taken   bool            // somebody has the turn
	closed  bool            // nobody else gets in line
	waiting []chan struct{} // who gets the turn next; a token is the turn

	counted committed

	// What follows belongs to whoever has the turn.

	conn    *connection // nil: to be opened
	open    *batch      // nil: no transaction is open
	last    int         // how many changes shared the last commit
	failing time.Time   // since when nothing could be committed; zero: it can
}

// batch is the changes that share a commit.
type batch struct {
	size int
	over chan struct{} // closed after the commit
	err  error         // of the commit, once it is over
}

// update runs a change in a transaction and returns when it is committed, or
// rolled back.
func (w *writer) update(ctx context.Context, s *Store, change func(*Tx) error) error {
	if err := w.wait(ctx); err != nil {
		return err
	}
	shared, err := w.run(ctx, s, change)
	if shared == nil {
		return err
	}
	<-shared.over
	if shared.err != nil {
		return shared.err
	}
	return err
}

// wait waits for the turn, or for the end of ctx.
func (w *writer) wait(ctx context.Context) error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return errClosed
	}
	if !w.taken {
		w.taken = true
		w.mu.Unlock()
		return nil
	}
	turn := make(chan struct{}, 1)
	w.waiting = append(w.waiting, turn)
	w.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.waiting, turn); i >= 0 {
		w.waiting = slices.Delete(w.waiting, i, i+1)
		return ctx.Err()
	}
	return nil // it has got the turn just now: run passes it on
}

// run runs a change whose turn it is and passes the turn on, whatever becomes of
// the change: it may panic, or end its goroutine. It returns the commit that
// the change waits for, nil where it touched nothing that is to be committed.
func (w *writer) run(ctx context.Context, s *Store, change func(*Tx) error) (shared *batch, err error) {
	defer w.pass()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.begin(); err != nil {
		return nil, err
	}
	stands := false
	defer func() { shared = w.end(stands) }()
	tx := &Tx{ctx: context.Background(), store: s, conn: w.conn, writes: true}
	if err := change(tx); err != nil {
		return nil, err
	}
	if err := tx.sound(); err != nil {
		return nil, err
	}
	stands = true
	return nil, nil
}

// alone runs what needs a database in which no transaction is open, while no
// change runs.
func (w *writer) alone(ctx context.Context, run func() error) error {
	if err := w.wait(ctx); err != nil {
		return err
	}
	defer w.pass()
	if w.open != nil {
		w.commit()
	}
	return run()
}

// begin begins a transaction, or the part of one that can be rolled back alone.
func (w *writer) begin() error {
	if w.open != nil {
		return w.do("SAVEPOINT change")
	}
	if err := w.home.look(); err != nil {
		w.fails(err)
		return err
	}
	if w.conn == nil {
		conn, err := dial(context.Background(), w.to, w.key)
		if err != nil {
			err = fmt.Errorf("begin: %w", err)
			w.fails(err)
			return err
		}
		w.conn = conn
	}
	if err := w.do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.open = &batch{over: make(chan struct{})}
	return nil
}

// end adds a change to its transaction, or rolls it back alone. It returns the
// commit for which the change has to wait, nil where there is none.
func (w *writer) end(stands bool) *batch {
	shared, first := w.open, w.open.size == 0
	switch {
	case stands && first:
		shared.size++
	case stands:
		if w.do("RELEASE change") == nil {
			shared.size++
		}
	case first:
		w.open = nil
		// Where it fails, the connection is lost, and the transaction with it.
		_ = w.do("ROLLBACK")
		return nil
	default:
		if w.do("ROLLBACK TO change") == nil {
			_ = w.do("RELEASE change") // where it fails, all who wait hear of it
		}
	}
	return shared
}

// do runs one of the statements that frame changes. Where it fails, nobody
// knows any longer in which transaction the connection is: it is given up, and
// closing it rolls back what is open. All who wait for the commit hear why it
// will not come.
func (w *writer) do(statement string) error {
	_, err := w.conn.exec(context.Background(), statement)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", strings.ToLower(statement), err)
	w.fails(err)
	// There is nobody left whom an error of closing would tell anything.
	_ = w.conn.close()
	w.conn = nil
	if w.open != nil {
		w.open.err = err
		close(w.open.over)
		w.open = nil
	}
	return err
}

// pass gives the turn to the next change, in the same transaction where there
// is one and it has room, or else after its commit.
func (w *writer) pass() {
	if w.open != nil {
		if w.open.size < w.most && w.another() {
			return
		}
		w.commit()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = w.next()
}

// next gives the turn to whoever has waited longest, if anybody waits. The
// caller holds the lock.
func (w *writer) next() bool {
	if len(w.waiting) == 0 {
		return false
	}
	w.waiting[0] <- struct{}{}
	w.waiting = w.waiting[1:]
	return true
}

// another gives the turn to a change that waits or, where the last commit was
// for more changes than this one is for so far, comes within a moment.
func (w *writer) another() bool {
	until := time.Time{}
	for look := 0; ; look++ {
		w.mu.Lock()
		given := w.next()
		w.mu.Unlock()
		if given || w.last <= 1 || w.open.size >= w.last {
			return given
		}
		if now := time.Now(); until.IsZero() {
			until = now.Add(linger)
		} else if now.After(until) || look > mostLooks {
			return false
		}
		// A timer would sleep far longer than this.
		runtime.Gosched()
	}
}

// commit commits the open transaction and tells all who wait for it.
func (w *writer) commit() {
	shared := w.open
	w.last = shared.size
	began := time.Now()
	err := w.do("COMMIT")
	w.counted.commit(shared.size, time.Since(began), err == nil)
	if err == nil {
		w.open = nil
		close(shared.over)
		w.succeeds()
	}
}

// fails tells of the beginning of trouble.
func (w *writer) fails(err error) {
	if !w.failing.IsZero() {
		return
	}
	w.failing = time.Now()
	if w.trouble != nil {
		w.trouble(err, 0)
	}
}

// succeeds tells of the end of trouble.
func (w *writer) succeeds() {
	if w.failing.IsZero() {
		return
	}
	lasted := time.Since(w.failing)
	w.failing = time.Time{}
	if w.trouble != nil {
		w.trouble(nil, lasted)
	}
}

// close closes the connection after every change that is in line.
func (w *writer) close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	turn := make(chan struct{}, 1)
	w.waiting = append(w.waiting, turn)
	if !w.taken {
		w.taken = w.next()
	}
	w.mu.Unlock()
	<-turn
	if w.open != nil {
		w.commit()
	}
	if w.conn == nil {
		return nil
	}
	return w.conn.close()
}
