package sqlite

// How writes run: a change that finds no others runs in its own goroutine, and all that wait run in
// one worker, whose stack has grown and whose data is in the processor's caches. With a goroutine
// for each they would take nearly twice the time.

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

// answer ends the wait for a job; err is the error of its commit.
func (j *job) answer(err error) {
	if err != nil {
		j.err = err
	}
	close(j.done)
}

// doNow runs a job, and leaves waiting ones to a worker.
func (w *writer) doNow(j *job) {
	defer w.handOver()
	w.do(j)
}

// handOver starts a worker if a job waits.
func (w *writer) handOver() {
	if j := w.next(); j != nil {
		go w.work(j)
	}
}

// work runs jobs until none waits.
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

// another returns a waiting job for the open transaction, nil if there is none or no room. If
// several shared the last commit, it lets other goroutines run first: those just answered may be
// about to write again.
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

// try runs a change, in a new transaction or as a part of the open one, and returns its error, or
// else that of its first failed statement. A panic is returned as panicked.
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
