package sqlite

// The connections that read beside the one that writes.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"

	"knobel/store/engine"
)

// maxReaders is how many connections read.
const maxReaders = 4

// reader is the reading connections. Who reads gets the one that was used last: whoever reads alone
// needs one connection, whose statements and pages are at hand.
type reader struct {
	to      driver.Connector
	convert func() engine.Converter
	turns   chan struct{} // a place for each that is in use
	done    chan struct{} // closed when nobody may read any longer

	mu     sync.Mutex
	unused []*connection // open, and in nobody's use; the last one was used last
}

func newReader(file string, o engine.Options) (*reader, error) {
	to, err := connector(file, "rw", forReading)
	if err != nil {
		return nil, explain(file, err)
	}
	return &reader{to: to, convert: o.Convert, turns: make(chan struct{}, maxReaders), done: make(chan struct{})}, nil
}

// view runs read in a transaction that sees one state, which begins with the
// first statement.
func (r *reader) view(ctx context.Context, read func(engine.Tx) error) error {
	conn, err := r.take(ctx)
	if err != nil {
		return err
	}
	tx := &Tx{ctx: ctx, conn: conn, idle: true}
	sound := false
	defer func() {
		var ended error
		if !tx.idle {
			_, ended = conn.exec(context.Background(), "ROLLBACK")
		}
		if ended != nil || !sound {
			// A connection in trouble is given up; nothing of it is missed.
			_ = conn.close()
			conn = nil
		}
		r.release(conn)
	}()
	err = read(tx)
	sound = tx.failed == nil
	return err
}

// take returns a connection, and waits for one if all are in use.
func (r *reader) take(ctx context.Context) (*connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-r.done:
		return nil, errClosed
	default:
	}
	select {
	case r.turns <- struct{}{}:
	case <-r.done:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if conn := r.pop(); conn != nil {
		return conn, nil
	}
	conn, err := dial(ctx, r.to, r.convert)
	if err != nil {
		r.release(nil)
		return nil, fmt.Errorf("begin: %w", err)
	}
	return conn, nil
}

// release gives back what take returned; nil: it was closed.
func (r *reader) release(conn *connection) {
	if conn != nil {
		r.mu.Lock()
		r.unused = append(r.unused, conn)
		r.mu.Unlock()
	}
	<-r.turns
}

// pop returns the connection that was used last, nil if none is open and unused.
func (r *reader) pop() *connection {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := len(r.unused) - 1
	if last < 0 {
		return nil
	}
	conn := r.unused[last]
	r.unused = r.unused[:last]
	return conn
}

// closeUnused closes the connections that nobody uses. What stands in their log goes
// into the database first; where that fails, they stay open.
func (r *reader) closeUnused() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unused = slices.DeleteFunc(r.unused, func(conn *connection) bool {
		if !conn.checkpointed() {
			return false
		}
		_ = conn.close() // nothing is open on it
		return true
	})
}

// closeAll closes all connections and reports true, or closes none if one is in use. The caller
// makes sure that all of the log is in the database.
func (r *reader) closeAll() bool {
	for range maxReaders {
		select {
		case r.turns <- struct{}{}:
			defer func() { <-r.turns }()
		default:
			return false // somebody reads
		}
	}
	for conn := r.pop(); conn != nil; conn = r.pop() {
		_ = conn.close() // nothing is open on it
	}
	return true
}

// close closes the connections once nobody reads.
func (r *reader) close() error {
	close(r.done)
	for range maxReaders {
		r.turns <- struct{}{}
	}
	var errs []error
	for conn := r.pop(); conn != nil; conn = r.pop() {
		errs = append(errs, conn.close())
	}
	return errors.Join(errs...)
}
