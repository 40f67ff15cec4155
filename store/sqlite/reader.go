package sqlite

// The connections that read beside the one that writes.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"knobel/store/engine"
)

// maxReaders is how many connections read.
const maxReaders = 4

// reader is the reading connections.
type reader struct {
	to      driver.Connector
	convert func() engine.Converter
	free    chan *connection // those that nobody uses, nil: to be opened
	done    chan struct{}    // closed when nobody may read any longer
}

func newReader(file string, o engine.Options) (*reader, error) {
	to, err := connector(file, "rw", forReading)
	if err != nil {
		return nil, explain(file, err)
	}
	r := &reader{to: to, convert: o.Convert, free: make(chan *connection, maxReaders), done: make(chan struct{})}
	for range maxReaders {
		r.free <- nil
	}
	return r, nil
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
		r.free <- conn
	}()
	err = read(tx)
	sound = tx.failed == nil
	return err
}

// take returns a connection, and waits for one if all are in use.
func (r *reader) take(ctx context.Context) (conn *connection, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case conn = <-r.free:
	case <-r.done:
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if conn != nil {
		return conn, nil
	}
	if conn, err = dial(ctx, r.to, r.convert); err != nil {
		r.free <- nil
		return nil, fmt.Errorf("begin: %w", err)
	}
	return conn, nil
}

// closeUnused closes the connections that nobody uses. What stands in their log goes
// into the database first; where that fails, they stay open.
func (r *reader) closeUnused() {
	var kept []*connection
	for range maxReaders {
		select {
		case conn := <-r.free:
			if conn != nil && !conn.checkpointed() {
				kept = append(kept, conn)
				continue
			}
			if conn != nil {
				_ = conn.close() // nothing is open on it
			}
			kept = append(kept, nil)
		default: // somebody reads
		}
	}
	for _, conn := range kept {
		r.free <- conn
	}
}

// closeAll closes all connections and reports true, or closes none if one is in use. The caller
// makes sure that all of the log is in the database.
func (r *reader) closeAll() bool {
	var all []*connection
	defer func() {
		for _, conn := range all {
			r.free <- conn
		}
	}()
	for range maxReaders {
		select {
		case conn := <-r.free:
			all = append(all, conn)
		default:
			return false
		}
	}
	for i, conn := range all {
		if conn != nil {
			_ = conn.close() // nothing is open on it
			all[i] = nil
		}
	}
	return true
}

// close closes the connections once nobody reads.
func (r *reader) close() error {
	close(r.done)
	var errs []error
	for range maxReaders {
		if conn := <-r.free; conn != nil {
			errs = append(errs, conn.close())
		}
	}
	return errors.Join(errs...)
}
