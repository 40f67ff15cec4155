// Package postgres speaks to a database on a PostgreSQL server: connections, transactions in few round trips, what
// errors mean, and how the schema is brought up to date. What the rows mean is not known here. It is an engine behind
// package store, by the seam of package engine.
//
// Nothing here needs what a pooler in transaction mode or a compatible server lacks: no advisory locks, no state of a
// session, and names of statements only where they can be kept.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"knobel/store/engine"
	"knobel/store/lock"
)

// DB is an open database.
type DB struct {
	name     string // its address without the password
	options  engine.Options
	pool     *pgxpool.Pool      // for changes and views
	own      *pgxpool.Pool      // for the lease, hints and questions about the database, which do not wait for these
	reads    bool               // it is open for reading only
	turns    lock.Keyed[string] // changes of one name run one after the other
	nameless chan struct{}      // holds one for each change without a name that runs
	held     *lease             // nil: it is open for reading only
	named    atomic.Bool        // statements are given names
	more     []fs.FS            // scripts for the schema behind this version's, of tests
	upgraded engine.Upgrade
	counted  engine.CommitCounter
	trouble  trouble
	trips    atomic.Int64
	habits   habits
	views    views
	leading  map[string]bool // tables from which a deletion goes on to others
	hints    hints
	once     sync.Once
	inside   sync.WaitGroup // changes and views that have begun or wait
	closing  sync.RWMutex
	closed   bool // none may begin any longer
}

var _ engine.DB = (*DB)(nil)

// Open opens the database at an address, postgres://name:password@host:port/database, and brings its schema up to date.
// It refuses a database that a newer version has written, one of another program, and one that the store does not
// accept, in a sentence for the operator, and leaves these as they were.
func Open(ctx context.Context, address string, o engine.Options) (*DB, error) {
	return open(ctx, address, o, false)
}

// OpenReadOnly opens an existing database. It changes nothing in it and refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, address string, o engine.Options) (*DB, error) {
	return open(ctx, address, o, true)
}

func open(ctx context.Context, address string, o engine.Options, reads bool, more ...fs.FS) (_ *DB, err error) {
	d, err := connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	d.reads, d.more = reads, more
	version, err := d.inspect(ctx, !reads)
	if err == nil && !reads {
		err = d.upgrade(ctx, version)
	}
	if err != nil {
		return nil, err
	}
	return d, d.lookAround(ctx)
}

// connect makes the pool of connections, and makes sure of the first.
func connect(ctx context.Context, address string, o engine.Options) (*DB, error) {
	config, name, err := parse(address)
	if err != nil {
		return nil, err
	}
	few := config.Copy()
	few.MaxConns, few.MinConns, few.MinIdleConns = 3, 0, 0
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, cause(err))
	}
	own, err := pgxpool.NewWithConfig(ctx, few)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("database %s: %w", name, cause(err))
	}
	d := &DB{name: name, options: o, pool: pool, own: own, nameless: make(chan struct{}, max(1, config.MaxConns/2)),
		hints: hints{self: newSelf(), silence: silence}}
	d.named.Store(named(config.ConnConfig))
	if err := own.Ping(ctx); err != nil {
		d.close()
		failed, what := asEngine(oneLine{err}), "opened"
		if Unreached(failed) {
			what = "reached"
		}
		return nil, fmt.Errorf("the database %s cannot be %s: %w", name, what, failed)
	}
	return d, nil
}

// Close is as of engine.DB.
func (d *DB) Close() error {
	d.once.Do(func() {
		d.closing.Lock()
		d.closed = true
		d.closing.Unlock()
		d.inside.Wait()
		d.close()
	})
	return nil
}

func (d *DB) close() {
	d.pool.Close() // after the last transaction
	if d.hints.listens != nil {
		d.hints.listens()
	}
	d.hints.all.Wait()
	if d.held != nil {
		d.held.release()
	}
	d.own.Close()
}

// Backup is as of engine.DB, and refuses: the store copies rows into a file.
func (d *DB) Backup(context.Context, string, func(done, all int64)) error {
	return errors.ErrUnsupported
}

// There is as of engine.DB.
func (d *DB) There() error { return d.held.there() }

// File is the address of the database, without the password.
func (d *DB) File() string { return d.name }

// Size is as of engine.DB: of the whole database that the server has. Its log is the server's.
func (d *DB) Size() (data, log int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	err = d.ask(ctx, `SELECT pg_database_size(current_database())`).Scan(&data)
	return data, 0, d.explain(asEngine(err))
}

// ask asks for the one row of a query, outside of transactions and without a name for the statement.
func (d *DB) ask(ctx context.Context, query string, args ...any) pgx.Row {
	return d.own.QueryRow(ctx, query, append([]any{pgx.QueryExecModeExec}, args...)...)
}

// tell runs a statement likewise.
func (d *DB) tell(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	tag, err := d.own.Exec(ctx, statement, append([]any{pgx.QueryExecModeExec}, args...)...)
	return tag.RowsAffected(), err
}

// texts asks for the texts of a query's only column.
func (d *DB) texts(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := d.own.Query(ctx, query, append([]any{pgx.QueryExecModeExec}, args...)...)
	if err == nil {
		all, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	return all, d.explain(asEngine(err))
}

// Commits is as of engine.DB.
func (d *DB) Commits() engine.Commits { return d.counted.Read() }

// Upgraded is as of engine.DB.
func (d *DB) Upgraded() engine.Upgrade { return d.upgraded }

// Found is as of engine.DB.
func (d *DB) Found() []string { return nil }

// RoundTrips is as of engine.DB.
func (d *DB) RoundTrips() int64 { return d.trips.Load() }
