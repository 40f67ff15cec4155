package postgres

// Who changes and who reads.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"knobel/store/engine"
)

const (
	// changeWithin is how long a change may take, and waits for others: then its connection is given up.
	changeWithin = 30 * time.Second
	// What a transaction says first. What a change reads after it has its turn is what those before it have committed.
	beginChange = `BEGIN ISOLATION LEVEL READ COMMITTED`
	beginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// setLimits has nobody wait for ever for a process that is cut off in the middle of a transaction.
	setLimits = `SELECT set_config('lock_timeout', '10s', TRUE),
		set_config('idle_in_transaction_session_timeout', '30s', TRUE)`
)

var errClosed = errors.New("the database is closed")

// Update is as of engine.DB. Changes of other processes take their turn with those of this one.
func (d *DB) Update(ctx context.Context, change func(engine.Tx) error) error {
	if d.reads {
		return engine.ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case d.turn <- struct{}{}:
	case <-d.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-d.turn }()
	// What has begun is carried through.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeWithin)
	defer cancel()
	err := d.change(ctx, change)
	if err != nil {
		d.trouble.fails(err, d.options.Trouble)
	} else {
		d.trouble.succeeds(d.options.Trouble)
	}
	return err
}

// change runs a change in a transaction that says some statements before.
func (d *DB) change(ctx context.Context, change func(engine.Tx) error, statements ...string) error {
	if err := d.held.there(); err != nil {
		return err
	}
	conn, err := d.connection(ctx)
	if err != nil {
		return err
	}
	defer conn.Release() // it closes one in which a transaction is left open
	tx := begin(ctx, connectionOf(conn.Conn()), d, append([]string{beginChange, setLimits}, statements...)...)
	tx.holds(d.held)
	ended := false
	defer func() {
		if !ended { // the change has panicked, or ended its goroutine
			_ = tx.end(ctx, false)
		}
	}()
	err = change(tx)
	if err == nil {
		err = tx.failed
	}
	ended = true
	if isPooled(err) {
		d.named.Store(false)
	}
	if err != nil {
		_ = tx.end(ctx, false) // whatever becomes of it, nothing is committed
		return err
	}
	began := time.Now()
	err = tx.end(ctx, true)
	d.counted.Commit(1, time.Since(began), err == nil)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// View is as of engine.DB.
func (d *DB) View(ctx context.Context, read func(engine.Tx) error) error {
	conn, err := d.connection(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	tx := begin(ctx, connectionOf(conn.Conn()), d, beginView)
	defer func() {
		if isPooled(tx.failed) {
			d.named.Store(false)
		}
		_ = tx.end(ctx, false) // nothing is lost with it
	}()
	return read(tx)
}

// connection returns a connection of the pool.
func (d *DB) connection(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := d.pool.Acquire(ctx)
	if err != nil && strings.Contains(err.Error(), "closed pool") {
		return nil, errClosed
	}
	if err != nil {
		return nil, fmt.Errorf("begin: %w", asEngine(oneLine{err}))
	}
	return conn, nil
}

// Clean is as of engine.DB: rows that nobody can read any longer leave their tables. What they held may stay in
// unused parts of pages until these are written again, and in the server's log and its backups as long as these are
// kept.
func (d *DB) Clean(ctx context.Context) error {
	if d.reads {
		return engine.ErrReadOnly
	}
	tables, err := d.texts(ctx, `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`)
	if err != nil || len(tables) == 0 {
		return err
	}
	_, err = d.tell(ctx, `VACUUM `+strings.Join(tables, ", "))
	return d.explain(asEngine(err))
}

// unsound are the indexes and rules that the server does not rely on.
const unsound = `
	SELECT 'the index ' || c.relname || ' is not to be relied on: REINDEX INDEX ' || c.relname || ' mends it'
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
	UNION ALL
	SELECT 'the rule ' || conname || ' of the table ' || conrelid::regclass || ' was not checked for all rows'
	FROM pg_constraint WHERE NOT convalidated AND connamespace = current_schema()::regnamespace
	ORDER BY 1`

// Faults is as of engine.DB.
func (d *DB) Faults(ctx context.Context) ([]string, error) { return d.texts(ctx, unsound) }
