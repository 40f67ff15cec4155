package sqlite

// One transaction, as the seam has it.

import (
	"context"
	"database/sql/driver"
	"fmt"

	"knobel/store/engine"
)

// Tx is one transaction on a connection.
type Tx struct {
	ctx    context.Context
	conn   *connection
	idle   bool  // it is a view that has not begun: nothing was read yet
	stale  bool  // others may have changed the database
	failed error // the first statement that failed
	hints  []string
}

var _ engine.Tx = (*Tx)(nil)

// Exec is as of engine.Tx.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	changed, err := tx.conn.exec(tx.ctx, query, args...)
	return changed, tx.fail(err)
}

// Run is as of engine.Tx.
func (tx *Tx) Run(query string, args ...any) error {
	_, err := tx.Exec(query, args...)
	return err
}

// Must is as of engine.Tx.
func (tx *Tx) Must(none error, query string, args ...any) error {
	changed, err := tx.Exec(query, args...)
	if err == nil && changed == 0 {
		err = tx.fail(none)
	}
	return err
}

// Rows is as of engine.Tx.
func (tx *Tx) Rows(query string, args []any, each func(row []driver.Value) error) error {
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

// Expect is as of engine.Tx: nothing is far away.
func (tx *Tx) Expect(string, string, ...any) {}

// Hint is as of engine.Tx.
func (tx *Tx) Hint(text string) {
	if engine.Tellable(text) {
		tx.hints = append(tx.hints, text)
	}
}

// Need is as of engine.Tx.
func (tx *Tx) Need(none error, query string, args ...any) error {
	found, err := tx.finds(query, args)
	if err == nil && !found {
		err = tx.fail(none)
	}
	return err
}

// Never is as of engine.Tx.
func (tx *Tx) Never(some error, query string, args ...any) error {
	found, err := tx.finds(query, args)
	if err == nil && found {
		err = tx.fail(some)
	}
	return err
}

// finds reports whether a query finds a row.
func (tx *Tx) finds(query string, args []any) (found bool, err error) {
	err = tx.Rows(query, args, func([]driver.Value) error {
		found = true
		return engine.ErrStop
	})
	return found, err
}

// Number is as of engine.Tx: the next one, as nobody else adds rows.
func (tx *Tx) Number(table string) (id int64, err error) {
	err = tx.Rows(`SELECT COALESCE(MAX(id), 0) + 1 FROM `+table, nil, func(row []driver.Value) error {
		return tx.Scan(row, []any{&id})
	})
	return id, err
}

// Lock is as of engine.Tx: there is no other change.
func (tx *Tx) Lock(string, []any, func([]driver.Value)) error { return nil }

// Later is as of engine.Tx.
func (tx *Tx) Later(query string, args []any, each func(row []driver.Value)) error {
	return tx.Rows(query, args, func(row []driver.Value) error {
		each(row)
		return nil
	})
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

// get scans the one row of a query.
func (tx *Tx) get(query string, into ...any) error {
	return tx.Rows(query, nil, func(row []driver.Value) error { return engine.Scan(tx.conn.convert, row, into) })
}

// Scan is as of engine.Tx.
func (tx *Tx) Scan(row []driver.Value, into []any) error {
	return engine.Scan(tx.conn.convert, row, into)
}

// Columns is as of engine.Tx.
func (tx *Tx) Columns(query string) ([]string, error) { return tx.conn.columns(query) }

// Stale is as of engine.Tx.
func (tx *Tx) Stale() bool { return tx.stale }

// Err is as of engine.Tx.
func (tx *Tx) Err() error { return tx.failed }

// StrayReferences is as of engine.Tx.
func (tx *Tx) StrayReferences() (string, error) {
	return `SELECT "table", COUNT(*) FROM pragma_foreign_key_check GROUP BY "table"`, nil
}
