package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// Tx is one transaction. It is valid only inside the function that got it, and
// for one goroutine.
type Tx struct {
	ctx   context.Context
	store *Store
	pool  *pool
	raw   *sql.Tx

	wanted []string // statements that are not prepared yet

	failed   error   // the first statement that failed: nothing is committed
	finished []int64 // tables whose results are to be added to the totals at the end
	settling []int64 // tables whose result and books have to agree at the end
	postings []int64 // postings that have to add up to zero at the end
	payments []int64 // payments that the books have to agree with at the end
	boxes    []Box   // boxes that gave something and must not be overdrawn at the end
}

// pool is a set of connections with statements prepared for them. A statement
// is prepared when the first transaction that used it is over.
type pool struct {
	db *sql.DB

	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

func newPool(db *sql.DB) *pool { return &pool{db: db, prepared: map[string]*sql.Stmt{}} }

func (p *pool) close() error { return p.db.Close() }

func (s *Store) begin(ctx context.Context, p *pool, reading bool) (*Tx, error) {
	raw, err := p.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: reading})
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return &Tx{ctx: ctx, store: s, pool: p, raw: raw}, nil
}

// commit commits what is right and refuses the rest.
func (tx *Tx) commit() error {
	if tx.failed == nil {
		tx.failed = tx.settled()
	}
	if tx.failed != nil {
		return tx.failed
	}
	if err := tx.raw.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// end rolls back whatever was not committed, also when the transaction's
// function panics, and prepares the statements that were new.
func (tx *Tx) end() {
	// After a commit there is nothing to roll back, and an error here leaves
	// nothing behind: the connection is then closed.
	_ = tx.raw.Rollback()
	tx.pool.prepare(tx.ctx, tx.wanted)
}

// prepare prepares statements that were used for the first time. One that
// cannot be prepared now is tried again after its next use.
func (p *pool) prepare(ctx context.Context, queries []string) {
	for _, query := range queries {
		stmt, err := p.db.PrepareContext(ctx, query)
		if err != nil {
			return
		}
		p.mu.Lock()
		if p.prepared[query] == nil {
			p.prepared[query], stmt = stmt, nil
		}
		p.mu.Unlock()
		if stmt != nil { // another reader was faster
			_ = stmt.Close()
		}
	}
}

// statement returns the prepared statement of a query for this transaction, or
// nil where there is none yet: then it is wanted.
func (tx *Tx) statement(query string) *sql.Stmt {
	tx.pool.mu.Lock()
	stmt := tx.pool.prepared[query]
	tx.pool.mu.Unlock()
	if stmt == nil {
		tx.wanted = append(tx.wanted, query)
		return nil
	}
	return tx.raw.StmtContext(tx.ctx, stmt)
}

// exec runs a statement and returns how many rows it has changed.
func (tx *Tx) exec(query string, args ...any) (int64, error) {
	var result sql.Result
	var err error
	if stmt := tx.statement(query); stmt != nil {
		result, err = stmt.ExecContext(tx.ctx, args...)
	} else {
		result, err = tx.raw.ExecContext(tx.ctx, query, args...)
	}
	if err != nil {
		return 0, tx.fail(err)
	}
	changed, err := result.RowsAffected()
	return changed, tx.fail(err)
}

// get scans the one row of a query, or returns ErrNotFound.
func (tx *Tx) get(query string, args []any, into ...any) error {
	var row *sql.Row
	if stmt := tx.statement(query); stmt != nil {
		row = stmt.QueryRowContext(tx.ctx, args...)
	} else {
		row = tx.raw.QueryRowContext(tx.ctx, query, args...)
	}
	err := row.Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return tx.fail(err)
}

// list calls each for every row of a query. No other statement runs meanwhile.
func (tx *Tx) list(query string, args []any, each func(scan func(...any) error) error) error {
	var rows *sql.Rows
	var err error
	if stmt := tx.statement(query); stmt != nil {
		rows, err = stmt.QueryContext(tx.ctx, args...)
	} else {
		rows, err = tx.raw.QueryContext(tx.ctx, query, args...)
	}
	if err != nil {
		return tx.fail(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return tx.fail(err)
		}
	}
	return tx.fail(rows.Err())
}

// fail remembers the first error of a statement: whatever becomes of it, the
// transaction is not committed.
func (tx *Tx) fail(err error) error {
	if err != nil && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// collect returns the values of a query's only column.
func collect[T any](tx *Tx, query string, args ...any) ([]T, error) {
	var all []T
	err := tx.list(query, args, func(scan func(...any) error) error {
		var one T
		if err := scan(&one); err != nil {
			return err
		}
		all = append(all, one)
		return nil
	})
	return all, err
}
