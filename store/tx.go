package store

import (
	"context"
	"database/sql/driver"
	"fmt"
)

// Tx is one transaction. It is valid only inside the function that got it, and
// for one goroutine.
type Tx struct {
	ctx   context.Context
	store *Store
	conn  *connection

	writes bool    // false: it is a view
	laid   []int64 // tables that it has laid on the desk
	idle   bool    // it is a view that has not begun: nothing was read yet

	failed   error   // the first statement that failed: nothing is committed
	finished []int64 // tables whose results are to be added to the totals at the end
	settling []int64 // tables whose result and books have to agree at the end
	postings []int64 // postings that have to add up to zero at the end
	payments []int64 // payments that the books have to agree with at the end
	boxes    []Box   // boxes that gave something and must not be overdrawn at the end
}

// sound says what forbids a transaction's commit.
func (tx *Tx) sound() error {
	if tx.failed == nil {
		tx.failed = tx.settled()
	}
	return tx.failed
}

// exec runs a statement and returns how many rows it has changed.
func (tx *Tx) exec(query string, args ...any) (int64, error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	changed, err := tx.conn.exec(tx.ctx, query, args...)
	return changed, tx.fail(err)
}

// get scans the one row of a query, or returns ErrNotFound.
func (tx *Tx) get(query string, args []any, into ...any) error {
	found := false
	err := tx.rows(query, args, func(row []driver.Value) error {
		found = true
		if err := tx.conn.scan(row, into); err != nil {
			return err
		}
		return errStop
	})
	if err == nil && !found {
		return ErrNotFound
	}
	return err
}

// list calls each for every row of a query. No other statement runs meanwhile.
func (tx *Tx) list(query string, args []any, each func(scan func(...any) error) error) error {
	var now []driver.Value
	into := func(into ...any) error { return tx.conn.scan(now, into) }
	return tx.rows(query, args, func(row []driver.Value) error {
		now = row
		return each(into)
	})
}

// rows calls each for every row of a query as the driver has it.
func (tx *Tx) rows(query string, args []any, each func(row []driver.Value) error) error {
	if tx.failed != nil {
		return tx.failed
	}
	if tx.idle {
		tx.idle = false
		if _, err := tx.conn.exec(tx.ctx, "BEGIN"); err != nil {
			return tx.fail(fmt.Errorf("begin: %w", err))
		}
	}
	return tx.fail(tx.conn.rows(tx.ctx, query, args, each))
}

// fail remembers the first error of a statement: whatever becomes of it, no other
// statement runs, and the transaction is not committed. Some errors end the
// transaction by themselves, and what ran after that would stand alone.
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
