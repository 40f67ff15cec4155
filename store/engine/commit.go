package engine

// Group commit of changes of a file. One goroutine runs the waiting changes in one transaction, each in its own
// savepoint, commits once none waits, and answers all. Under load many changes share one flush of the disk; a single
// change commits at once.
//
// A failed change is rolled back to its savepoint and harms no other. A later change may have read what an earlier one
// wrote, so no change, not even a refused one, is answered before the commit.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxTogether is the largest number of changes in a commit, so that the first does not wait for ever.
	maxTogether = 512
	// maxYields is how often a commit yields to other goroutines before it starts: those just answered may write again.
	maxYields = 32
)

var errExited = errors.New("the change has ended its goroutine")

// panicked is the error of a change that has panicked.
type panicked struct{ error }

// writer is the writing connection and the queue of changes that share it.
type writer struct {
	options Options
	lock    *fileLock
	readers *readers
	counted *counter
	trouble trouble
	jobs    chan *job // waiting for their turn
	running sync.WaitGroup

	// Only the goroutine that writes uses the fields below.

	conn    *connection // nil: to be opened
	began   bool        // a transaction is open
	waiting []*job      // for its commit
	size    int         // how many of waiting were kept in the transaction
	last    int         // size at the last commit
	looked  time.Time   // when the file's place was checked
	moved   error       // the result
	log     os.FileInfo // the log beside the file when the connection began; nil: there was none
	short   bool        // it was too short: all connections must be reopened
	version int64       // of the database, as other connections change it; 0: the connection is new
	stale   bool        // other connections may have changed the database before the open transaction
}

// job is a change, or a function that runs alone.
type job struct {
	change func(*Tx) error
	alone  func() error // runs instead of a change while no transaction is open
	begun  atomic.Bool  // by the writer, or abandoned by the caller
	err    error        // the result
	done   chan struct{}
}

// submit runs a job and returns once it is committed or rolled back. ctx limits the wait for earlier jobs. A panic of
// the change is passed on with its stack.
func (w *writer) submit(ctx context.Context, j *job) error {
	j.done = make(chan struct{})
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case w.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		if j.begun.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-j.done
	}
	if p, ok := j.err.(panicked); ok {
		panic(p.error)
	}
	return j.err
}

// run runs jobs until the writer is closed.
func (w *writer) run() {
	closed := false
	defer func() {
		if !closed { // a change has ended the goroutine
			w.running.Go(w.run)
		}
	}()
	for j := w.next(); j != nil; j = w.next() {
		w.do(j)
	}
	closed = true
}

// next returns the next job: for the open transaction while that has room, or else after its commit. It returns nil
// once the writer is closed.
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

// do runs a job; a change is then part of the open transaction, or rolled back.
func (w *writer) do(j *job) {
	if !j.begun.CompareAndSwap(false, true) {
		return // abandoned by its caller
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
	tx := w.conn.tx(context.Background())
	tx.Stale, w.stale = w.stale, false
	j.err = errExited
	defer func() { // also if the change panics or ends the goroutine
		if p := recover(); p != nil {
			j.err = panicked{fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
		w.short = w.short || isShort(tx.Failed)
		if j.err == nil {
			w.size++
		} else if w.frame("ROLLBACK TO change") != nil {
			return
		}
		_ = w.frame("RELEASE change") // a failure reaches all waiting changes
	}()
	if j.err = j.change(tx); j.err == nil {
		j.err = tx.Failed
	}
}

// begin begins a change, and a transaction unless one is open. Before that it checks the file's place and opens the
// connection.
func (w *writer) begin() error {
	if w.began {
		return w.frame("SAVEPOINT change")
	}
	if at := time.Now(); w.looked.IsZero() || w.moved != nil || at.Sub(w.looked) > lookEvery || at.Before(w.looked) {
		if w.looked, w.moved = at, w.lock.check(); w.moved == nil && w.conn != nil {
			w.moved = w.saveLog()
		}
	}
	err := w.moved
	if err == nil && w.short {
		w.closeAll()
	}
	if err == nil && w.conn == nil {
		if err = w.open(context.Background()); err != nil {
			w.short = isShort(err)
			err = fmt.Errorf("begin: %w", err)
		}
	}
	if err != nil {
		w.trouble.begins(err)
		return err
	}
	if err := w.frame("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if w.log == nil {
		w.log, _ = os.Stat(w.lock.database + "-wal") // one that cannot be read is not watched
	}
	var version int64
	err = w.conn.tx(context.Background()).get(`PRAGMA data_version`, &version)
	w.stale = err != nil || version != w.version
	w.began, w.version = true, version
	return w.frame("SAVEPOINT change")
}

// open opens the connection.
func (w *writer) open(ctx context.Context) error {
	conn, err := dial(ctx, w.lock.database, "rw", forWriting)
	if err != nil {
		return err
	}
	conn.convert = w.options.Convert
	w.conn, w.version = conn, 0
	w.log, _ = os.Stat(w.lock.database + "-wal")
	return nil
}

// frame runs one of the statements around changes. If it fails, the state of the transaction is unknown: it closes the
// connection, which rolls back, and all changes waiting for the commit get the error.
func (w *writer) frame(statement string) error {
	if w.conn == nil {
		return nil // an earlier one has failed
	}
	err := w.conn.run(statement)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", strings.ToLower(statement), err)
	w.short = w.short || isShort(err)
	w.trouble.begins(err)
	// The error of closing is dropped: the earlier one is returned.
	_ = w.conn.close()
	w.conn = nil
	w.answer(err)
	return err
}

// commit commits the open transaction and answers the changes waiting for it.
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
	w.counted.commit(size, time.Since(began), err == nil)
	if err == nil {
		w.trouble.ends(w.hasWritten)
		w.answer(nil)
	}
}

// answer ends the transaction and answers the changes waiting for it with err, the error of its commit.
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

// closeAll closes all connections, so that new ones read the files afresh. While one is open, others share the index of
// its log: if another program has removed that log, a new connection finds an empty one and cannot read what the index
// refers to. Reading connections are older and close last, since they have the log open.
func (w *writer) closeAll() {
	w.short = false
	if w.conn != nil {
		_ = w.conn.close() // nothing is open on it
		w.conn = nil
	}
	w.readers.renew()
}

// saveLog checks whether the log was removed while connections have it open: its contents would be lost with the
// process. It writes them into the database and has all connections reopened with a new log. While a view reads an
// older state it does nothing, and the next call tries again. It returns an error if another program has written to its
// own log. SQLite removes no log while it is open.
func (w *writer) saveLog() error {
	if w.log == nil {
		return nil
	}
	log, err := os.Stat(w.lock.database + "-wal")
	if err == nil && os.SameFile(w.log, log) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if in, err := checkpoint(w.conn.tx(context.Background())); !in || err != nil {
		return nil
	}
	if err == nil && log.Size() > 0 {
		return fmt.Errorf("the log of the database %s was replaced while it was open, and another program "+
			"has written to it: stop that program, and start anew", w.lock.database)
	}
	if !w.readers.renewUnused() {
		return nil
	}
	_ = w.conn.close() // nothing is open on it
	w.conn = nil
	if w.options.Noticed != nil {
		w.options.Noticed(fmt.Sprintf("the log of the database %s was removed while it was open: "+
			"what stood in it is in the database now, and there is another log", w.lock.database))
	}
	return nil
}

// hasWritten reports whether something was written since the connection was opened: the first failure closes it, and a
// change that writes nothing commits even on a full disk.
func (w *writer) hasWritten() bool {
	var changes int64
	err := w.conn.tx(context.Background()).get("SELECT total_changes()", &changes)
	return err == nil && changes > 0
}
