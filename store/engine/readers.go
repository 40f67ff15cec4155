package engine

// The reading connections to a file.

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
)

// maxReaders is the largest number of concurrent views.
const maxReaders = 4

// readers are the reading connections, one for each concurrent view.
type readers struct {
	file    string
	convert Converter
	free    chan *connection // not used by a view; nil: to be opened
	renewed atomic.Int64     // how often they were replaced
}

func newReaders(file string, o Options) *readers {
	r := &readers{file: file, convert: o.Convert, free: make(chan *connection, maxReaders)}
	r.put(make([]*connection, maxReaders))
	return r
}

// view runs read in a transaction that sees one state, which begins with the first statement.
func (r *readers) view(ctx context.Context, read func(*Tx) error) (err error) {
	var c *connection
	select {
	case c = <-r.free:
		defer func() { r.free <- c }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c == nil {
		renewed := r.renewed.Load()
		if c, err = dial(ctx, r.file, "rw", forReading); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		c.renewed, c.convert = renewed, r.convert
	}
	sound := false
	defer func() {
		if c.run("ROLLBACK") != nil || !sound || c.renewed != r.renewed.Load() {
			_ = c.close() // nothing depends on it
			c = nil
		}
	}()
	if err := c.run("BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := c.tx(ctx)
	err = read(tx)
	sound = tx.failed == nil
	return err
}

// renew gives the next views new connections. It first writes the log of the open ones into the database; if there is
// no room for it, they stay.
func (r *readers) renew() {
	idle := r.take()
	if i := slices.IndexFunc(idle, func(c *connection) bool { return c != nil }); i >= 0 {
		in, err := checkpoint(idle[i].tx(context.Background()))
		if !in && (err == nil || isFull(err)) { // other errors come from a replaced log
			r.put(idle)
			return
		}
	}
	r.replace(idle)
}

// renewUnused closes all connections and returns true, or closes none if one is in use. The caller makes sure that all
// of the log is in the database.
func (r *readers) renewUnused() bool {
	idle := r.take()
	if len(idle) < maxReaders {
		r.put(idle)
		return false
	}
	r.replace(idle)
	return true
}

// take returns the connections that no view uses, and keeps them from views until put.
func (r *readers) take() (idle []*connection) {
	for {
		select {
		case c := <-r.free:
			idle = append(idle, c)
		default:
			return idle
		}
	}
}

func (r *readers) put(idle []*connection) {
	for _, c := range idle {
		r.free <- c
	}
}

// replace closes idle connections, and has the others be closed once their views have ended.
func (r *readers) replace(idle []*connection) {
	r.renewed.Add(1)
	for i, c := range idle {
		if c != nil {
			_ = c.close() // nothing is open on it
		}
		idle[i] = nil
	}
	r.put(idle)
}
