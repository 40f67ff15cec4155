package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"
)

// mostTogether is how many changes share a commit at most, so that the first of
// them does not wait for ever.
const mostTogether = 512

var errClosed = errors.New("the database is closed")

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
	line
	to   driver.Connector
	key  Sealer
	most int // how many changes share a commit at most
	home home
	// trouble is told when changes cannot be made any more, and when they can; nil:
	// nobody is.
	trouble func(err error, lasted time.Duration)
	// noticed is told what was found wrong beside the database and put right; nil: nobody is.
	noticed func(what string)
	// idle closes all connections that read, unless somebody reads; nil: there are none.
	idle func() bool
	// others closes the connections that read, as far as nothing is lost with them; nil:
	// there are none.
	others func()

	counted committed

	// What follows belongs to whoever has the turn.

	conn    *connection // nil: to be opened
	open    *batch      // nil: no transaction is open
	doubted bool        // the log was too short: all connections are to be opened anew
	last    int         // how many changes shared the last commit
	failing time.Time   // since when nothing could be committed; zero: it can
}

// batch is the changes that share a commit.
type batch struct {
	size   int    // of those that stand
	shared []*job // who waits for the commit
	over   bool   // it was made, or never will be
	err    error  // why not
}

// update runs a change in a transaction and returns when it is committed, or
// rolled back.
func (w *writer) update(ctx context.Context, s *Store, change func(*Tx) error) error {
	return w.through(ctx, false, func(j *job) { j.err = w.run(j, s, change) })
}

// alone runs what needs a database in which no transaction is open, while no
// change runs.
func (w *writer) alone(ctx context.Context, run func() error) error {
	return w.through(ctx, false, func(j *job) {
		if w.open != nil {
			w.commit()
		}
		j.err = run()
	})
}

// close closes the connection after everything that is in line.
func (w *writer) close() error {
	err := w.through(context.Background(), true, func(j *job) {
		if w.open != nil {
			w.commit()
		}
		if w.conn != nil {
			j.err = w.conn.close()
		}
	})
	if err == errClosed {
		return nil
	}
	return err
}

// run runs a change. Whatever becomes of it, also where it panics or ends its
// goroutine, it is part of a transaction afterwards or rolled back.
func (w *writer) run(j *job, s *Store, change func(*Tx) error) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	tx := &Tx{ctx: context.Background(), store: s, conn: w.conn, writes: true}
	stands := false
	defer func() {
		if !stands {
			tx.undo()
		}
		w.doubted = w.doubted || isShort(tx.failed)
		j.with = w.end(stands)
	}()
	if err := change(tx); err != nil {
		return err
	}
	if err := tx.sound(); err != nil {
		return err
	}
	stands = true
	return nil
}

// begin begins a transaction, or the part of one that can be rolled back alone.
func (w *writer) begin() error {
	if w.open != nil {
		return w.do("SAVEPOINT change")
	}
	looked, err := w.home.look()
	if err == nil && looked && w.conn != nil {
		err = w.rescue()
	}
	if err != nil {
		w.fails(err)
		return err
	}
	if w.doubted {
		w.anew()
	}
	if w.conn == nil {
		conn, err := dial(context.Background(), w.to, w.key)
		if err != nil {
			err = fmt.Errorf("begin: %w", err)
			w.doubted = isShort(err)
			w.fails(err)
			return err
		}
		conn.desk.tables = map[int64]Table{}
		w.conn, w.home.log = conn, nil
	}
	if err := w.do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if w.home.log == nil {
		w.home.began()
	}
	w.conn.dust()
	w.open = &batch{}
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
	w.doubted = w.doubted || isShort(err)
	w.fails(err)
	// There is nobody left whom an error of closing would tell anything.
	_ = w.conn.close()
	w.conn = nil
	if w.open != nil {
		w.over(err)
	}
	return err
}

// anew closes all connections, so that the next ones look at the files afresh. As long
// as one is open, others share the index of its log: where another program has removed
// that log, a new connection finds an empty one and can read nothing that the index
// tells of. Those that read are older and come last, since they have the log.
func (w *writer) anew() {
	w.doubted = false
	if w.conn != nil {
		_ = w.conn.close() // nothing is open on it
		w.conn = nil
	}
	if w.others != nil {
		w.others()
	}
}

// rescue looks whether somebody has removed the log of the connections, which are all
// that knows of it then: a kill would lose what was answered and stands in it alone. It
// is put into the database, and all connections are opened anew, with a log that has a
// name. While somebody reads an older state that cannot be; the next look tries again.
func (w *writer) rescue() error {
	gone, foreign := w.home.unlogged()
	if !gone {
		return nil
	}
	if !w.conn.allIn() {
		return nil
	}
	if foreign {
		w.home.err = fmt.Errorf("the log of the database %s was replaced while it was open, and another program has written to it: "+
			"stop that program, and start anew", w.home.file) // so that the next change looks again
		return w.home.err
	}
	if w.idle != nil && !w.idle() {
		return nil
	}
	_ = w.conn.close() // nothing is open on it
	w.conn = nil
	if w.noticed != nil {
		w.noticed(fmt.Sprintf("the log of the database %s was removed while it was open: "+
			"what stood in it is in the database now, and there is another log", w.home.file))
	}
	return nil
}

// over ends the open transaction and tells all who wait for it.
func (w *writer) over(err error) {
	b := w.open
	w.open, b.over, b.err = nil, true, err
	for _, j := range b.shared {
		j.hear(err)
	}
}

// commit commits the open transaction and tells all who wait for it.
func (w *writer) commit() {
	size := w.open.size
	w.last = size
	began := time.Now()
	err := w.do("COMMIT")
	w.counted.commit(size, time.Since(began), err == nil)
	if err == nil {
		w.over(nil)
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
