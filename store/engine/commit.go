package engine

// Group commit: how changes of a file share a commit. One goroutine takes the changes that wait into one transaction,
// each in a savepoint of its own, commits once no change waits, and answers all. So under load one flush of the
// disk is for many changes, and a change that is alone commits at once.
//
// What fails is rolled back to its savepoint and harms no other. But what a later change has read may be the work of
// an earlier one, so that no change, not even a refused one, has an answer before the commit.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

const (
	// maxTogether is how many changes share a commit at most, so that the first of
	// them does not wait for ever.
	maxTogether = 512
	// maxYields is how often a commit lets others run before it goes on: those who were just answered may be about to
	// write again.
	maxYields = 32
)

var errExited = errors.New("the change has ended its goroutine")

// panicked is the error of a change that has panicked.
type panicked struct{ error }

// writer is the writing connection, and how changes share it.
type writer struct {
	options  Options
	location location
	readers  *readers
	counted  *CommitCounter
	jobs     chan *job // those that wait for their turn
	closing  atomic.Bool
	closed   chan struct{}

	// The fields below belong to the goroutine that writes.

	conn    *connection // nil: to be opened
	began   bool        // a transaction is open
	waiting []*job      // for its commit
	size    int         // how many of these stand
	last    int         // how many stood at the last commit, -1: the writer is closed
	short   bool        // the log was too short: all connections are to be opened anew
	stale   bool        // others may have changed the database before the open transaction
	failing time.Time   // since when nothing could be committed; zero: it can
}

// job is a change, or what runs alone.
type job struct {
	change func(*Tx) error
	alone  func() error // instead of a change: while no transaction is open
	begun  atomic.Bool  // by the writer, or given up by the caller
	err    error        // what became of it
	done   chan struct{}
}

// alone runs what needs a database in which no transaction is open, while no change runs.
func (w *writer) alone(ctx context.Context, run func() error) error {
	return w.submit(ctx, &job{alone: run})
}

// submit returns when a job is done, and committed or rolled back. ctx ends the wait for those before it. The panic of
// a change comes through, with the stack where it was.
func (w *writer) submit(ctx context.Context, j *job) error {
	j.done = make(chan struct{})
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.closing.Load() && j.change != nil {
		return errClosed
	}
	select {
	case w.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closed:
		return errClosed
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		if j.begun.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-j.done
	case <-w.closed:
		select {
		case <-j.done:
		default:
			return errClosed
		}
	}
	if p, ok := j.err.(panicked); ok {
		panic(p.error)
	}
	return j.err
}

// close closes the connection after everything that waits.
func (w *writer) close() error {
	w.closing.Store(true)
	return w.alone(context.Background(), func() error {
		w.last = -1
		if w.conn == nil {
			return nil
		}
		return w.conn.close()
	})
}

// run does what comes until the writer is closed.
func (w *writer) run() {
	defer func() {
		select {
		case <-w.closed:
		default: // a change has ended the goroutine
			go w.run()
		}
	}()
	for {
		j := w.next()
		if w.do(j); w.last < 0 {
			close(w.closed)
			return
		}
	}
}

// next returns the next job: as a part of the open transaction where there is one and it
// has room, or else after its commit.
func (w *writer) next() *job {
	for yields := 0; len(w.waiting) > 0 && len(w.waiting) < maxTogether; yields++ {
		select {
		case j := <-w.jobs:
			return j
		default:
		}
		if w.size >= w.last || yields == maxYields {
			break
		}
		runtime.Gosched()
	}
	w.commit()
	return <-w.jobs
}

// do does a job: a change is a part of the open transaction afterwards, or rolled back.
func (w *writer) do(j *job) {
	if !j.begun.CompareAndSwap(false, true) {
		return // its caller has given up
	}
	if j.alone != nil {
		w.commit()
		j.err = j.alone()
		close(j.done)
		return
	}
	if j.err = w.begin(); j.err != nil {
		close(j.done)
		return
	}
	w.waiting = append(w.waiting, j)
	tx := w.conn.tx(context.Background(), w.options.Convert)
	tx.stale, w.stale = w.stale, false
	j.err = errExited
	defer func() { // also where the change ends the goroutine
		w.short = w.short || isShort(tx.failed)
		w.end(j.err == nil)
	}()
	j.err = try(tx, j.change)
}

// try runs a change and returns its error, or else that of its first failed statement. A panic is returned as panicked.
func try(tx *Tx, change func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked{fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
	}()
	if err := change(tx); err != nil {
		return err
	}
	return tx.failed
}

// begin begins a change, and a transaction if none is open.
func (w *writer) begin() error {
	if !w.began {
		if err := w.ready(); err != nil {
			w.fails(err)
			return err
		}
		if err := w.frame("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if w.location.log == nil {
			w.location.noteLog()
		}
		w.stale = w.conn.changedElsewhere()
		w.began = true
	}
	return w.frame("SAVEPOINT change")
}

// ready makes sure that the file is in its place, and of the connection.
func (w *writer) ready() error {
	looked, err := w.location.look()
	if err == nil && looked && w.conn != nil {
		err = w.saveLog()
	}
	if err != nil {
		return err
	}
	if w.short {
		w.closeAll()
	}
	if w.conn != nil {
		return nil
	}
	conn, err := dial(context.Background(), w.location.file, "rw", forWriting)
	if err != nil {
		w.short = isShort(err)
		return fmt.Errorf("begin: %w", err)
	}
	w.conn, w.location.log = conn, nil
	return nil
}

// end adds a change to the transaction (stands), or rolls it back alone.
func (w *writer) end(stands bool) {
	if stands {
		w.size++
	} else if w.frame("ROLLBACK TO change") != nil {
		return
	}
	_ = w.frame("RELEASE change") // where it fails, all who wait hear of it
}

// frame runs one of the statements around changes. If it fails, the state of the transaction is
// unknown: the connection is closed, which rolls back what is open, and all that wait for the
// commit get the error.
func (w *writer) frame(statement string) error {
	if w.conn == nil {
		return nil // one before has failed
	}
	err := w.conn.exec(statement)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", strings.ToLower(statement), err)
	w.short = w.short || isShort(err)
	w.fails(err)
	// The error of closing is dropped: the one before it is returned already.
	_ = w.conn.close()
	w.conn = nil
	w.answer(err)
	return err
}

// commit commits the open transaction, and answers all who wait for it.
func (w *writer) commit() {
	switch {
	case !w.began:
		return
	case w.size == 0:
		_ = w.frame("ROLLBACK") // if this fails, the connection is closed, and the transaction with it
		w.answer(nil)
		return
	}
	size, began := w.size, time.Now()
	w.last = size
	err := w.frame("COMMIT")
	w.counted.Commit(size, time.Since(began), err == nil)
	if err == nil {
		if !w.failing.IsZero() {
			w.succeeds()
		}
		w.answer(nil)
	}
}

// answer ends the transaction and answers all changes that wait for it; err is the error of its commit.
func (w *writer) answer(err error) {
	for _, j := range w.waiting {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
	w.began, w.size = false, 0
	clear(w.waiting)
	w.waiting = w.waiting[:0]
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
	w.readers.renew()
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
	if in, err := checkpoint(w.conn.tx(context.Background(), nil)); !in || err != nil {
		return nil
	}
	if foreign {
		// The error stays, so that the next change looks again.
		w.location.err = fmt.Errorf("the log of the database %s was replaced while it was open, and another program "+
			"has written to it: stop that program, and start anew", w.location.file)
		return w.location.err
	}
	if !w.readers.renewUnused() {
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

// succeeds tells of the end of trouble, once something was written since the connection was opened: it is closed with
// the first failure, and what changes nothing is committed on a full disk, too.
func (w *writer) succeeds() {
	var changes int64
	err := w.conn.tx(context.Background(), nil).get("SELECT total_changes()", &changes)
	if err != nil || changes == 0 {
		return
	}
	lasted := time.Since(w.failing)
	w.failing = time.Time{}
	if w.options.Trouble != nil {
		w.options.Trouble(nil, lasted)
	}
}
