package sqlite

// How changes are made: by one connection, and many of them by one commit.

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"knobel/store/engine"
)

// maxTogether is how many changes share a commit at most, so that the first of
// them does not wait for ever.
const maxTogether = 512

// writer is the writing connection, and how changes share it. While others wait
// for their turn, a change that is done leaves the transaction open to them;
// where nobody waits any longer, it is committed for all of them. So under load
// one flush of the disk is for many changes, and a change that is alone commits
// at once.
//
// The first change of a transaction is rolled back with it, the others to a
// savepoint of their own: what fails harms nobody else. But what a later change
// has read may be the work of an earlier one, so that nobody, not even one
// whose change was refused, has an answer before the commit.
type writer struct {
	queue
	to       driver.Connector
	options  engine.Options
	location location
	readers  *reader
	counted  engine.CommitCounter

	// The fields below belong to the goroutine that writes.

	conn    *connection // nil: to be opened
	open    *batch      // nil: no transaction is open
	short   bool        // the log was too short: all connections are to be opened anew
	stale   bool        // others may have changed the database before the open transaction
	last    int         // how many changes shared the last commit
	failing time.Time   // since when nothing could be committed; zero: it can
}

// batch is the changes that share a commit.
type batch struct {
	size    int    // of those that stand
	waiting []*job // for the commit
	err     error  // why it will not come
}

// update runs a change in a transaction and returns when it is committed, or
// rolled back.
func (w *writer) update(ctx context.Context, change func(engine.Tx) error) error {
	return w.submit(&job{ctx: ctx, change: change})
}

// alone runs what needs a database in which no transaction is open, while no
// change runs.
func (w *writer) alone(ctx context.Context, run func() error) error {
	return w.submit(&job{ctx: ctx, alone: run})
}

// close closes the connection after everything that waits.
func (w *writer) close() error {
	return w.submit(&job{ctx: context.Background(), last: true, alone: func() error {
		if w.conn == nil {
			return nil
		}
		return w.conn.close()
	}})
}

// begin begins a transaction, or the part of one that can be rolled back alone.
func (w *writer) begin() error {
	if w.open != nil {
		return w.frame("SAVEPOINT change")
	}
	looked, err := w.location.look()
	if err == nil && looked && w.conn != nil {
		err = w.saveLog()
	}
	if err != nil {
		w.fails(err)
		return err
	}
	if w.short {
		w.closeAll()
	}
	if w.conn == nil {
		conn, err := dial(context.Background(), w.to, w.options.Convert)
		if err != nil {
			err = fmt.Errorf("begin: %w", err)
			w.short = isShort(err)
			w.fails(err)
			return err
		}
		w.conn, w.location.log = conn, nil
	}
	if err := w.frame("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if w.location.log == nil {
		w.location.noteLog()
	}
	w.stale = w.conn.changedElsewhere()
	w.open = &batch{}
	return nil
}

// end adds a change to its transaction (stands), or rolls it back alone. It returns the commit for
// which the change has to wait, nil if there is none.
func (w *writer) end(stands bool) *batch {
	shared, first := w.open, w.open.size == 0
	switch {
	case stands && first:
		shared.size++
	case stands:
		if w.frame("RELEASE change") == nil {
			shared.size++
		}
	case first:
		w.open = nil
		// If this fails, the connection is closed, and the transaction with it.
		_ = w.frame("ROLLBACK")
		return nil
	default:
		if w.frame("ROLLBACK TO change") == nil {
			_ = w.frame("RELEASE change") // where it fails, all who wait hear of it
		}
	}
	return shared
}

// frame runs one of the statements around changes. If it fails, the state of the transaction is
// unknown: the connection is closed, which rolls back what is open, and all that wait for the
// commit get the error.
func (w *writer) frame(statement string) error {
	_, err := w.conn.exec(context.Background(), statement)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", strings.ToLower(statement), err)
	w.short = w.short || isShort(err)
	w.fails(err)
	// The error of closing is dropped: the one before it is returned already.
	_ = w.conn.close()
	w.conn = nil
	if w.open != nil {
		w.over(err)
	}
	return err
}

// closeAll closes all connections, so that new ones look at the files afresh. As long as one is
// open, others share the index of its log: if another program has removed that log, a new
// connection finds an empty one and can read nothing that the index refers to. Reading connections
// are older and are closed last, since they have the log open.
func (w *writer) closeAll() {
	w.short = false
	if w.conn != nil {
		_ = w.conn.close() // nothing is open on it
		w.conn = nil
	}
	w.readers.closeUnused()
}

// saveLog checks whether the log was removed while connections have it open: its contents would be
// lost with the process. It writes them into the database and has all connections opened anew, with
// a new log. While a view reads an older state it does nothing, and the next call tries again. It
// refuses to go on if another program has written to a log of its own.
func (w *writer) saveLog() error {
	gone, foreign := w.location.logGone()
	if !gone {
		return nil
	}
	if in, err := w.conn.checkpoint(); !in || err != nil {
		return nil
	}
	if foreign {
		// The error stays, so that the next change looks again.
		w.location.err = fmt.Errorf("the log of the database %s was replaced while it was open, and another program "+
			"has written to it: stop that program, and start anew", w.location.file)
		return w.location.err
	}
	if !w.readers.closeAll() {
		return nil
	}
	_ = w.conn.close() // nothing is open on it
	w.conn = nil
	if w.options.Noticed != nil {
		w.options.Noticed(fmt.Sprintf("the log of the database %s was removed while it was open: "+
			"what stood in it is in the database now, and there is another log", w.location.file))
	}
	return nil
}

// over ends the open transaction and answers all jobs that wait for it.
func (w *writer) over(err error) {
	b := w.open
	w.open, b.err = nil, err
	for _, j := range b.waiting {
		j.answer(err)
	}
}

// commit commits the open transaction and tells all who wait for it.
func (w *writer) commit() {
	size := w.open.size
	w.last = size
	began := time.Now()
	err := w.frame("COMMIT")
	w.counted.Commit(size, time.Since(began), err == nil)
	if err == nil {
		w.succeeds()
		w.over(nil)
	}
}

// wrote reports whether the connection has changed anything since it was opened: it is closed with the first failure,
// and what changes nothing is committed on a full disk, too.
func (w *writer) wrote() bool {
	var changes int64
	err := (&Tx{ctx: context.Background(), conn: w.conn}).get("SELECT total_changes()", &changes)
	return err == nil && changes > 0
}

// fails tells of the beginning of trouble.
func (w *writer) fails(err error) {
	if !w.failing.IsZero() {
		return
	}
	w.failing = time.Now()
	if w.options.Trouble != nil {
		w.options.Trouble(err, 0)
	}
}

// succeeds tells of the end of trouble, once something was written.
func (w *writer) succeeds() {
	if w.failing.IsZero() || !w.wrote() {
		return
	}
	lasted := time.Since(w.failing)
	w.failing = time.Time{}
	if w.options.Trouble != nil {
		w.options.Trouble(nil, lasted)
	}
}
