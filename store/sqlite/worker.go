package sqlite

// Who writes: a change that comes alone in its own goroutine, all that wait in one worker,
// whose stack has grown and whose data is in the processor's caches. In a goroutine for
// each they take nearly twice the time.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"knobel/store/engine"
)

var (
	errClosed = errors.New("the database is closed")
	errExited = errors.New("the change has ended its goroutine")
)

// panicked is the error of a change that has panicked.
type panicked struct{ error }

// maxYields is how often a commit lets others run before it goes on.
const maxYields = 32

// job is a change, or what runs alone.
type job struct {
	ctx    context.Context
	change func(engine.Tx) error
	alone  func() error // instead of a change: while no transaction is open
	last   bool         // nothing comes after it

	err  error // what became of it
	done chan struct{}
}

// submit returns when a job is done and committed. ctx ends the wait for those before it.
// The panic of a change comes through, with the stack where it was.
func (w *writer) submit(j *job) error {
	j.done = make(chan struct{})
	now, err := w.push(j)
	if err != nil {
		return err
	}
	if now {
		w.doNow(j)
	}
	select {
	case <-j.done:
	case <-j.ctx.Done():
		if w.remove(j) {
			return j.ctx.Err()
		}
		<-j.done // it has begun
	}
	if p, ok := j.err.(panicked); ok {
		panic(p.error)
	}
	return j.err
}

// answer tells whoever waits for a job that it is done; err is of its commit.
func (j *job) answer(err error) {
	if err != nil {
		j.err = err
	}
	close(j.done)
}

// doNow does a job, and leaves those who wait to a worker.
func (w *writer) doNow(j *job) {
	defer w.handOver()
	w.do(j)
}

// handOver starts a worker where somebody waits.
func (w *writer) handOver() {
	if j := w.next(); j != nil {
		go w.work(j)
	}
}

// work does one job after the other until none waits.
func (w *writer) work(j *job) {
	defer func() {
		if j != nil {
			w.handOver() // a change has ended the goroutine
		}
	}()
	for ; j != nil; j = w.next() {
		w.do(j)
	}
}

// next returns the next job: as a part of the open transaction where there is one and
// it has room, or else after its commit. nil: none waits.
func (w *writer) next() *job {
	if w.open != nil {
		if j := w.another(); j != nil {
			return j
		}
		w.commit()
	}
	return w.pop(true)
}

// another returns a job for the open transaction, nil where none waits or there is no room
// for it. Where more shared the last commit, those who were answered by that may be about
// to come back, and get to run first.
func (w *writer) another() *job {
	for yields := 0; w.open.size < maxTogether; yields++ {
		j := w.pop(false)
		if j != nil || w.open.size >= w.last || yields == maxYields {
			return j
		}
		runtime.Gosched()
	}
	return nil
}

// do does a job. A change is rolled back or part of a transaction afterwards; it is
// answered here where it waits for no commit.
func (w *writer) do(j *job) {
	if j.alone != nil {
		if w.open != nil {
			w.commit()
		}
		j.err = j.alone()
		close(j.done)
		return
	}
	tx := &Tx{ctx: context.Background()}
	j.err = errExited
	defer func() {
		if tx.conn == nil { // it has not begun
			close(j.done)
			return
		}
		w.short = w.short || isShort(tx.failed)
		switch b := w.end(j.err == nil); {
		case b == nil:
			close(j.done)
		case b == w.open:
			b.waiting = append(b.waiting, j)
		default:
			j.answer(b.err)
		}
	}()
	j.err = w.try(j, tx)
}

// try returns what a change says of itself.
func (w *writer) try(j *job, tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked{fmt.Errorf("%v\n%s", p, debug.Stack())}
		}
	}()
	if err := j.ctx.Err(); err != nil {
		return err
	}
	if err := w.begin(); err != nil {
		return err
	}
	tx.conn, tx.stale, w.stale = w.conn, w.stale, false
	if err := j.change(tx); err != nil {
		return err
	}
	return tx.failed
}
