package engine

// Group commit of changes of a file. One goroutine runs the queued changes in one transaction, each in its own
// savepoint. It commits once the queue is empty, and only then do the callers get their results. Under load many
// changes share one flush of the disk; a single change commits at once.
//
// A failed change is rolled back to its savepoint, without the other changes. Its caller also waits for the commit: the
// failed change may have read data of an earlier change, whose commit can still fail.

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
	// maxTogether is the largest number of changes in one commit, so that the first does not wait for ever.
	maxTogether = 512
	// maxYields is how often the goroutine lets others run before it commits: they may then queue further changes.
	maxYields = 32
)

var errExited = errors.New("the change ended its goroutine")

// panicked is the error of a change that has panicked: the value of the panic and the stack.
type panicked struct{ error }

// writer holds the writing connection of a file and the queue of the changes that use it one after another.
type writer struct {
	options Options
	lock    *fileLock
	readers *readers
	counted *counter
	trouble trouble
	jobs    chan *job // the queue; closed: the writer ends
	running sync.WaitGroup

	// Only the goroutine of writer.run uses the fields below.

	conn          *connection // nil: to be opened
	inTransaction bool        // a transaction is open
	waiting       []*job      // jobs of the open transaction, to be answered after its commit
	size          int         // how many of the jobs in waiting succeeded; the others are rolled back
	lastSize      int         // value of size at the last commit
	checkedAt     time.Time   // when it was last checked that the file is at its path
	placeErr      error       // the result of the last check that the file is at its path; nil: it is
	log           os.FileInfo // the file of the write-ahead log that conn uses; nil: not known
	short         bool        // the log was shorter than its index: all connections must be reopened
	version       int64       // PRAGMA data_version, which commits of other connections change; 0: conn is new
	stale         bool        // other connections may have changed the database before the open transaction
}

// job is one entry of the writer's queue. Either its field change or its field exclusive is set.
type job struct {
	change    func(*Tx) error
	exclusive func() error // runs instead of a change, while no transaction is open
	begun     atomic.Bool  // the writer has begun it, or its caller has given it up
	err       error        // the result, valid once done is closed
	done      chan struct{}
}

// submit queues j, waits until it is committed or rolled back, and returns its error. If ctx is done before j has
// begun, j never runs and submit returns the error of ctx. If the change panics, so does submit, with the same text.
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

// run runs jobs until the queue is closed. If a change ends the goroutine (runtime.Goexit), run continues in a new one.
func (w *writer) run() {
	closed := false
	defer func() {
		if !closed { // a change has ended the goroutine
			w.running.Go(w.run)
		}
	}()
	for j := w.nextJob(); j != nil; j = w.nextJob() {
		w.runJob(j)
	}
	closed = true
}

// nextJob returns the next job, or nil once the queue is closed. It commits the open transaction first if the queue is
// empty or the transaction already has maxTogether jobs.
func (w *writer) nextJob() *job {
	for yields := 0; len(w.waiting) > 0 && len(w.waiting) < maxTogether; yields++ {
		select {
		case j := <-w.jobs:
			return j
		default:
		}
		if w.size >= w.lastSize || yields == maxYields {
			break
		}
		runtime.Gosched()
	}
	w.commit()
	return <-w.jobs
}

// runJob runs j, unless its caller no longer waits. A change that succeeds stays in the open transaction, and one that
// fails is rolled back; their callers get the results at the commit. If j.exclusive is set, it runs after a commit.
func (w *writer) runJob(j *job) {
	if !j.begun.CompareAndSwap(false, true) {
		return // abandoned by its caller
	}
	if j.exclusive != nil {
		w.commit()
		j.err = j.exclusive()
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
	defer func() { // even if the change panics or ends the goroutine
		if p := recover(); p != nil {
			j.err = panicked{fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
		if j.err == nil {
			w.size++
		} else if w.short = w.short || isShort(tx.Failed); w.frame("ROLLBACK TO change") != nil {
			return
		}
		_ = w.frame("RELEASE change") // a failure becomes the result of all waiting changes
	}()
	if j.err = j.change(tx); j.err == nil {
		j.err = tx.Failed
	}
}

// begin opens a savepoint for a change. If no transaction is open, it begins one before that; then it also opens a
// missing connection and checks, at most once per checkPlaceEvery, that the file is still at its path.
func (w *writer) begin() error {
	if w.inTransaction {
		return w.frame("SAVEPOINT change")
	}
	if now := time.Now(); w.checkedAt.IsZero() || w.placeErr != nil || now.Sub(w.checkedAt) > checkPlaceEvery ||
		now.Before(w.checkedAt) {
		if w.checkedAt, w.placeErr = now, w.lock.check(); w.placeErr == nil && w.conn != nil {
			w.placeErr = w.saveLog()
		}
	}
	err := w.placeErr
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
		w.trouble.begin(err)
		return err
	}
	if err := w.frame("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if w.log == nil {
		w.log, _ = os.Stat(w.lock.database + "-wal") // a log that cannot be read is not checked by saveLog
	}
	var version int64
	err = w.conn.tx(context.Background()).get(`PRAGMA data_version`, &version)
	w.stale = err != nil || version != w.version
	w.inTransaction, w.version = true, version
	return w.frame("SAVEPOINT change")
}

// open opens the writing connection.
func (w *writer) open(ctx context.Context) error {
	conn, err := openConnection(ctx, w.lock.database, "rw", forWriting)
	if err != nil {
		return err
	}
	conn.convert = w.options.Convert
	w.conn, w.version = conn, 0
	w.log, _ = os.Stat(w.lock.database + "-wal")
	return nil
}

// frame runs a statement that begins or ends a transaction or savepoint, such as COMMIT. If the statement fails, the
// state of the transaction is unknown. Then frame closes the connection, which rolls back, and all callers that wait
// for the commit get the error. If the connection is closed, frame does nothing.
func (w *writer) frame(statement string) error {
	if w.conn == nil {
		return nil // an earlier statement has failed and closed the connection
	}
	err := w.conn.run(statement)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%s: %w", strings.ToLower(statement), err)
	w.short = w.short || isShort(err)
	w.trouble.begin(err)
	// An error of closing is dropped: frame returns the error of the statement.
	_ = w.conn.close()
	w.conn = nil
	w.answerJobs(err)
	return err
}

// commit commits the open transaction, if any, and answers the waiting callers. If no change succeeded, it rolls back.
func (w *writer) commit() {
	switch {
	case !w.inTransaction:
		return
	case w.size == 0:
		_ = w.frame("ROLLBACK") // if this fails, the connection is closed, and the transaction with it
		w.answerJobs(nil)
		return
	}
	size, began := w.size, time.Now()
	w.lastSize = size
	err := w.frame("COMMIT")
	w.counted.commit(size, time.Since(began), err == nil)
	if err == nil {
		w.trouble.end(w.hasWritten)
		w.answerJobs(nil)
	}
}

// answerJobs ends the wait of all callers whose jobs were in the transaction, which has ended. If err is nil, each
// caller gets the result of its own job. Otherwise the commit has failed, and all get err.
func (w *writer) answerJobs(err error) {
	for _, j := range w.waiting {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
	w.inTransaction, w.size = false, 0
	clear(w.waiting)
	w.waiting = w.waiting[:0]
}

// closeAll closes all connections, so that new ones open the files again. It is needed if another program has removed
// the write-ahead log: a new connection would use the index of the removed log, but find an empty log. Reading
// connections are closed last, because they have the removed log open and save its content.
func (w *writer) closeAll() {
	w.short = false
	if w.conn != nil {
		_ = w.conn.close() // no transaction is open on it
		w.conn = nil
	}
	w.readers.renew()
}

// saveLog is for a write-ahead log that another program has removed while connections have it open: its content would
// be lost when the process ends. saveLog writes the content into the database and closes all connections, so that new
// ones make a new log. While a view runs it may do nothing, and the next call tries again. It returns an error if
// another program has written to a new log meanwhile.
func (w *writer) saveLog() error {
	if w.log == nil {
		return nil
	}
	log, err := os.Stat(w.lock.database + "-wal")
	if err == nil && os.SameFile(w.log, log) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if complete, err := checkpoint(w.conn.tx(context.Background())); !complete || err != nil {
		return nil
	}
	if err == nil && log.Size() > 0 {
		return fmt.Errorf("the log of database %s was replaced while it was open, and another program "+
			"has written to it: stop that program, then restart Knobel", w.lock.database)
	}
	if !w.readers.renewUnused() {
		return nil
	}
	_ = w.conn.close() // no transaction is open on it
	w.conn = nil
	if w.options.Noticed != nil {
		w.options.Noticed(fmt.Sprintf("the log of database %s was deleted while it was open: "+
			"its content was saved to the database, and a new log was created", w.lock.database))
	}
	return nil
}

// hasWritten reports whether the current connection, which was opened after the last failure, has written anything. A
// commit alone does not prove that: a change that writes nothing commits even on a full disk.
func (w *writer) hasWritten() bool {
	var changes int64
	err := w.conn.tx(context.Background()).get("SELECT total_changes()", &changes)
	return err == nil && changes > 0
}
