package engine

// The reading connections to a file.

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"sync"
)

// maxReaders is the largest number of concurrent views. Each may need another connection of the pool to prepare a
// statement.
const maxReaders = 4

// readers are the reading connections.
type readers struct {
	gate
	file    string
	convert Converter
	pool    *readingPool  // belongs to the gate
	turns   chan struct{} // holds one for each view that reads
}

// readingPool is a pool of connections with the statements that are prepared on them.
type readingPool struct {
	*sql.DB
	prepared sync.Map // by query
}

func newReaders(file string, o Options) (*readers, error) {
	r := &readers{file: file, convert: o.Convert, turns: make(chan struct{}, maxReaders)}
	return r, explain(file, r.open())
}

// open makes a pool, whose connections are opened when needed.
func (r *readers) open() error {
	db, err := openFile(r.file, "rw", forReading, 2*maxReaders)
	if err == nil {
		db.SetMaxIdleConns(maxReaders)
		r.pool = &readingPool{DB: db}
	}
	return err
}

// statement returns the prepared statement of a query.
func (p *readingPool) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := p.prepared.Load(query); ok {
		return s.(*sql.Stmt), nil
	}
	s, err := p.PrepareContext(ctx, limits.ReplaceAllString(query, unplanned))
	if err != nil {
		return nil, err
	}
	p.prepared.Store(query, s) // another one, prepared concurrently, is closed with the pool
	return s, nil
}

// view runs read in a transaction that sees one state, which begins with the first statement.
func (r *readers) view(ctx context.Context, read func(*Tx) error) error {
	var pool *readingPool
	if !r.enter(func() { pool = r.pool }) {
		return errClosed
	}
	defer r.leave()
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", asFile(err))
	}
	defer conn.Close()
	state, err := conn.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		giveUp(conn)
		return fmt.Errorf("begin: %w", asFile(err))
	}
	sound := false
	defer func() {
		if state.Rollback() != nil || !sound {
			giveUp(conn)
		}
	}()
	tx := &Tx{ctx: ctx, convert: r.convert, on: fileSession{func(ctx context.Context, query string) (*sql.Stmt, error) {
		s, err := pool.statement(ctx, query)
		if err != nil {
			return nil, err
		}
		return state.StmtContext(ctx, s), nil
	}, r.convert}}
	err = read(tx)
	sound = tx.failed == nil
	return err
}

// giveUp closes a broken connection; its error does not matter.
func giveUp(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// renew gives the next views new connections. It first writes the log of the open ones into the database; if there is
// no room for it, they stay.
func (r *readers) renew() {
	if r.pool.Stats().Idle > 0 {
		in, err := checkpoint(&Tx{ctx: context.Background(), on: fileSession{prepare: r.pool.statement}})
		if !in && (err == nil || isFull(err)) { // other errors come from a replaced log
			return
		}
	}
	r.lock(func(int) bool { return r.replace() })
}

// renewUnused closes all connections and returns true, or closes none if one is in use. The caller makes sure that all
// of the log is in the database.
func (r *readers) renewUnused() bool {
	return r.lock(func(inside int) bool { return inside == 0 && r.replace() })
}

// replace closes the pool, whose connections stay open for running views, and makes another.
func (r *readers) replace() bool {
	old := r.pool
	if r.open() != nil {
		return false
	}
	_ = old.Close() // nothing is open on its connections
	return true
}

// close closes the connections after the running views.
func (r *readers) close() error {
	r.gate.close()
	return r.pool.Close()
}
