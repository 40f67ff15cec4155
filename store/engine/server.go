package engine

// A database on a PostgreSQL server: opening it, its connections, and upgrading its schema.
//
// The code also works through a connection pooler in transaction mode and on servers compatible with PostgreSQL: it
// uses no advisory locks and no session state, and names prepared statements only where the server can keep them.

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"knobel/migrations"
	"knobel/store/lock"
)

// Server is an open database on a server.
type Server struct {
	base
	config          *pgxpool.Config
	pool            *sql.DB            // for changes and views
	control         *sql.DB            // for the lease, hints and short queries, which must not wait for changes
	readOnly        bool               // it is open for views only
	turns           lock.Keyed[string] // one lock for each name, so that its changes run one after the other
	slots           chan struct{}      // holds one value for each connection that is taken; full: others wait
	unnamedSlots    chan struct{}      // holds one value for each running change without a name
	lease           *lease             // nil: it is open for views only
	resets          atomic.Int64
	pooled          atomic.Bool // a pooler was noticed: new connections use no named statements
	extraMigrations []fs.FS     // further migrations of the schema, from tests
	trouble         trouble
	hints           hints
}

var _ DB = (*Server)(nil)

// maxControlConns is the largest number of connections of Server.control.
const maxControlConns = 3

// newServer opens the database at address, such as postgres://name:password@host:port/database. If readOnly, it is for
// views only: newServer changes nothing, and returns an error if the schema is not of this program's version. Otherwise
// it brings the schema up to date. If the database has a newer schema, belongs to another program or is refused by
// o.Accept, it changes nothing and returns an error for the operator. extra holds further migrations, from tests.
func newServer(ctx context.Context, address string, o Options, readOnly bool, extra ...fs.FS) (_ *Server, err error) {
	d, err := connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.shutDown()
		}
	}()
	d.readOnly, d.extraMigrations = readOnly, extra
	version, err := d.inspect(ctx, !readOnly)
	if err == nil && o.Existing && version == 0 {
		err = fmt.Errorf("database %s is empty: %w", d.name, ErrEmpty)
	}
	if err == nil && !readOnly {
		err = d.upgrade(ctx, version)
	}
	return d, err
}

// connect returns a Server with its two pools of connections. It opens one connection to check that the server answers.
func connect(ctx context.Context, address string, o Options) (*Server, error) {
	config, name, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	d := &Server{base: base{name: name, options: o}, config: config,
		trouble: trouble{report: o.Trouble}, unnamedSlots: make(chan struct{}, max(1, config.MaxConns/2)),
		slots: make(chan struct{}, config.MaxConns),
		hints: hints{mark: rand.Text()[:10], silence: silence}}
	d.pool = stdlib.OpenDB(*config.ConnConfig, stdlib.OptionShouldPing(needsPing),
		stdlib.OptionBeforeConnect(func(_ context.Context, c *pgx.ConnConfig) error {
			if d.pooled.Load() {
				c.DefaultQueryExecMode = pgx.QueryExecModeExec
			}
			return nil
		}),
		stdlib.OptionAfterConnect(func(_ context.Context, conn *pgx.Conn) error {
			conn.PgConn().CustomData()[resetsKey] = d.resets.Load()
			return nil
		}),
		stdlib.OptionResetSession(func(_ context.Context, conn *pgx.Conn) error {
			if conn.PgConn().CustomData()[resetsKey] != d.resets.Load() {
				return driver.ErrBadConn
			}
			return nil
		}))
	d.pool.SetMaxOpenConns(int(config.MaxConns))
	d.pool.SetMaxIdleConns(int(config.MaxConns))
	d.control = stdlib.OpenDB(*d.unnamed(), stdlib.OptionShouldPing(needsPing))
	d.control.SetMaxOpenConns(maxControlConns)
	d.control.SetMaxIdleConns(maxControlConns)
	for _, pool := range []*sql.DB{d.pool, d.control} {
		pool.SetConnMaxLifetime(config.MaxConnLifetime)
		pool.SetConnMaxIdleTime(config.MaxConnIdleTime)
	}
	if o.Shared {
		d.hints.queue = make(chan string, maxQueuedHints)
		d.hints.sending.Go(d.sendQueued)
	}
	if err := d.control.PingContext(ctx); err != nil {
		d.shutDown()
		failed, verb := asServer(oneLine{err}), "opened"
		if Unreached(failed) {
			verb = "reached"
		}
		return nil, fmt.Errorf("database %s cannot be %s: %w", name, verb, failed)
	}
	return d, nil
}

// unnamed returns settings for connections on which prepared statements have no names: a pooler may mix up named ones.
func (d *Server) unnamed() *pgx.ConnConfig {
	config := d.config.ConnConfig.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return config
}

// resetsKey is the key of a value that a connection stores: how often Server.reset was called before it was opened.
const resetsKey = "knobel"

// reset makes the pool close its idle connections, because they may be lost or have stale prepared statements.
func (d *Server) reset() { d.resets.Add(1) }

// explain adds the name of the database to err. It returns nil for nil.
func (d *Server) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", d.name, err)
}

// Close waits for all changes and views, closes the connections and gives up the lease. It always returns nil.
func (d *Server) Close() error {
	if d.work.Close() {
		d.shutDown()
	}
	return nil
}

// shutDown stops the hints, gives up the lease and closes all connections.
func (d *Server) shutDown() {
	_ = d.pool.Close() // an error does not harm the database
	if d.hints.stopListening != nil {
		d.hints.stopListening()
	}
	d.hints.listening.Wait()
	if d.hints.queue != nil {
		close(d.hints.queue)
	}
	d.hints.sending.Wait()
	if d.lease != nil {
		d.lease.release()
	}
	_ = d.control.Close()
}

// There returns nil, or the error with which changes are refused because the lease of this process is lost for good.
func (d *Server) There() error { return d.lease.lostError() }

// Size returns the size in bytes of the database on the server as data. log is 0, since all databases there share one.
func (d *Server) Size() (data, log int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	err = d.queryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&data)
	return data, 0, d.explain(asServer(err))
}

// queryRow runs a query for one row outside of transactions, on a connection of d.control.
func (d *Server) queryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return d.control.QueryRowContext(ctx, query, args...)
}

// exec runs a statement outside transactions, on a connection of d.control, and returns how many rows it changed.
func (d *Server) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	result, err := d.control.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// queryTexts runs a query with one column outside of transactions, and returns the texts in that column.
func (d *Server) queryTexts(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := d.control.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, d.explain(asServer(err))
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, d.explain(asServer(err))
		}
		all = append(all, text)
	}
	return all, d.explain(asServer(rows.Err()))
}

// inspect returns the version of the schema, 0 for none, and changes nothing. It returns an error if the database
// belongs to another program, has a newer schema (or an older one, unless allowOlder), or is refused by Options.Accept.
func (d *Server) inspect(ctx context.Context, allowOlder bool) (version int64, err error) {
	newest, err := migrations.Newest(d.extraMigrations...)
	if err != nil {
		return 0, err
	}
	_, err = d.view(ctx, d.control, func(tx *Tx) (err error) { // d.control works through any pooler
		version, err = d.options.inspect(tx, `SELECT table_name::TEXT FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_name <> '`+migrations.Lock+`'`, d.name, newest, allowOlder)
		return err
	})
	if err != nil && version < newest && !allowOlder { // an unfinished copy has an incomplete schema
		if unfinished, failed := d.Unfinished(ctx); failed == nil && unfinished {
			err = fmt.Errorf("database %s is %w", d.name, ErrUnfinished)
		}
	}
	if errors.Is(err, errForeign) {
		err = fmt.Errorf("database %s belongs to another program: create a separate database for Knobel, "+
			"or a separate schema with ?search_path=knobel", d.name)
	}
	if _, failed := errors.AsType[*Error](err); failed {
		err = d.explain(err)
	}
	return version, err
}

// upgrade takes the lease and brings the schema, whose version is given, up to date. If version is 0, there is no
// schema: upgrade creates it before it takes the lease, since the table of leases is part of the schema.
func (d *Server) upgrade(ctx context.Context, version int64) error {
	newest, err := migrations.Newest(d.extraMigrations...)
	if err != nil {
		return err
	}
	d.upgraded = Upgrade{From: version, To: newest}
	if version > 0 {
		if d.lease, err = d.acquire(ctx); err != nil {
			return err
		}
	}
	if version != newest {
		err = d.migrate(ctx, version, newest)
	}
	if err == nil && d.lease == nil {
		d.lease, err = d.acquire(ctx)
	}
	if err == nil && d.options.Shared { // another replica may have upgraded the schema: check its version and the key
		_, err = d.inspect(ctx, true)
	}
	return err
}

// reportWaiting calls Options.Waiting, if set, with the reason why opening the database waits, or "" once it continues.
func (d *Server) reportWaiting(reason string) {
	if d.options.Waiting != nil {
		d.options.Waiting(reason)
	}
}

// migrate upgrades the schema from oldVersion to newVersion, or waits until another replica has done so. Other
// processes may use the database meanwhile. If a migration waits too long for a table, it gives up, since all later
// changes would wait behind it, and is tried again.
func (d *Server) migrate(ctx context.Context, oldVersion, newVersion int64) error {
	d.reportWaiting(fmt.Sprintf(
		"this replica or another one is migrating the schema of database %s "+
			"from %d to %d", d.name, oldVersion, newVersion))
	defer d.reportWaiting("")
	mark := ""
	if d.options.Filled {
		mark = markUnfinished
	}
	for {
		db := stdlib.OpenDB(*d.unnamed())
		err := d.explain(errors.Join(migrations.UpPostgres(ctx, db, mark, d.extraMigrations...), db.Close()))
		if !isConflict(err) {
			return err
		}
		select {
		case <-time.After(mathrand.N(2 * time.Second)):
		case <-ctx.Done():
			return err
		}
	}
}
