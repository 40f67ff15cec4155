package engine

// A database on a PostgreSQL server: opening it, its connections, and upgrading its schema.
//
// The code needs nothing that a pooler in transaction mode or a compatible server lacks: it uses no advisory locks and
// no session state, and names prepared statements only where the server can keep them.

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
	config   *pgxpool.Config
	pool     *sql.DB            // for changes and views
	own      *sql.DB            // for the lease, hints and short queries, which must not wait for changes
	reads    bool               // it is open for views only
	turns    lock.Keyed[string] // one lock for each name, so that its changes run one after the other
	nameless chan struct{}      // holds one value for each running change without a name; full: others wait
	held     *lease             // nil: it is open for views only
	resets   atomic.Int64
	pooled   atomic.Bool // a pooler was noticed: new connections use no named statements
	more     []fs.FS     // further migrations of the schema, from tests
	trouble  trouble
	hints    hints
}

var _ DB = (*Server)(nil)

// maxOwn is the largest number of connections for the lease, hints and short queries.
const maxOwn = 3

// newServer opens the database at address, such as postgres://name:password@host:port/database. With reads it is for
// views only: newServer changes nothing in it, and its schema must be this version's. Otherwise the schema is brought
// up to date. An error for the operator, after which the database is as before, is returned for a database of a newer
// version or another program and one that o.Accept refuses. more holds further migrations, from tests.
func newServer(ctx context.Context, address string, o Options, reads bool, more ...fs.FS) (_ *Server, err error) {
	d, err := connect(ctx, address, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.shut()
		}
	}()
	d.reads, d.more = reads, more
	version, err := d.inspect(ctx, !reads)
	if err == nil && o.Existing && version == 0 {
		err = fmt.Errorf("the database %s is empty: %w", d.name, ErrEmpty)
	}
	if err == nil && !reads {
		err = d.upgrade(ctx, version)
	}
	return d, err
}

// connect returns a Server with its two pools of connections, after checking that a connection is possible.
func connect(ctx context.Context, address string, o Options) (*Server, error) {
	config, name, err := parse(address)
	if err != nil {
		return nil, err
	}
	d := &Server{base: base{name: name, options: o}, config: config,
		trouble: trouble{told: o.Trouble}, nameless: make(chan struct{}, max(1, config.MaxConns/2)),
		hints: hints{self: rand.Text()[:10], silence: silence}}
	d.pool = stdlib.OpenDB(*config.ConnConfig, stdlib.OptionShouldPing(isInDoubt),
		stdlib.OptionBeforeConnect(func(_ context.Context, c *pgx.ConnConfig) error {
			if d.pooled.Load() {
				c.DefaultQueryExecMode = pgx.QueryExecModeExec
			}
			return nil
		}),
		stdlib.OptionAfterConnect(func(_ context.Context, conn *pgx.Conn) error {
			conn.PgConn().CustomData()[resetsBefore] = d.resets.Load()
			return nil
		}),
		stdlib.OptionResetSession(func(_ context.Context, conn *pgx.Conn) error {
			if conn.PgConn().CustomData()[resetsBefore] != d.resets.Load() {
				return driver.ErrBadConn
			}
			return nil
		}))
	d.pool.SetMaxOpenConns(int(config.MaxConns))
	d.pool.SetMaxIdleConns(int(config.MaxConns))
	d.own = stdlib.OpenDB(*d.unnamed(), stdlib.OptionShouldPing(isInDoubt))
	d.own.SetMaxOpenConns(maxOwn)
	d.own.SetMaxIdleConns(maxOwn)
	for _, pool := range []*sql.DB{d.pool, d.own} {
		pool.SetConnMaxLifetime(config.MaxConnLifetime)
		pool.SetConnMaxIdleTime(config.MaxConnIdleTime)
	}
	if o.Shared {
		d.hints.untold = make(chan string, maxUntold)
		d.hints.sends.Go(d.send)
	}
	if err := d.own.PingContext(ctx); err != nil {
		d.shut()
		failed, what := asServer(oneLine{err}), "opened"
		if Unreached(failed) {
			what = "reached"
		}
		return nil, fmt.Errorf("the database %s cannot be %s: %w", name, what, failed)
	}
	return d, nil
}

// unnamed returns settings for connections without named statements: behind a pooler these may be those of another
// client.
func (d *Server) unnamed() *pgx.ConnConfig {
	config := d.config.ConnConfig.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return config
}

// resetsBefore is the key under which a connection stores how many calls of reset preceded it.
const resetsBefore = "knobel"

// reset makes the pool close its idle connections instead of using them again: they may be lost, or have stale
// statements.
func (d *Server) reset() { d.resets.Add(1) }

// explain adds the name of the database to err. It returns nil for nil.
func (d *Server) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", d.name, err)
}

// Close waits for all changes and views, closes the connections and returns the lease. It always returns nil.
func (d *Server) Close() error {
	if d.work.Close() {
		d.shut()
	}
	return nil
}

// shut ends hints, returns the lease and closes all connections.
func (d *Server) shut() {
	_ = d.pool.Close() // an error does not harm the database
	if d.hints.listens != nil {
		d.hints.listens()
	}
	d.hints.all.Wait()
	if d.hints.untold != nil {
		close(d.hints.untold)
	}
	d.hints.sends.Wait()
	if d.held != nil {
		d.held.release()
	}
	_ = d.own.Close()
}

// There returns nil, or why the lease is lost for good, so that changes are refused.
func (d *Server) There() error { return d.held.there() }

// Size returns as data the size in bytes of the whole database on the server, and 0 for log, which all databases share.
func (d *Server) Size() (data, log int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	err = d.ask(ctx, `SELECT pg_database_size(current_database())`).Scan(&data)
	return data, 0, d.explain(asServer(err))
}

// ask runs a query for one row outside of transactions.
func (d *Server) ask(ctx context.Context, query string, args ...any) *sql.Row {
	return d.own.QueryRowContext(ctx, query, args...)
}

// tell runs a statement outside of transactions and returns how many rows it changed.
func (d *Server) tell(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	result, err := d.own.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// texts runs a query with one column of texts outside of transactions, and returns these.
func (d *Server) texts(ctx context.Context, query string, args ...any) (all []string, err error) {
	rows, err := d.own.QueryContext(ctx, query, args...)
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

// inspect returns the version of the schema, 0 for none, and changes nothing. It returns an error if the database is
// another program's, its schema is newer than this version's (or older, unless older is true), or Options.Accept
// refuses it.
func (d *Server) inspect(ctx context.Context, older bool) (version int64, err error) {
	known, err := migrations.Newest(d.more...)
	if err != nil {
		return 0, err
	}
	_, err = d.view(ctx, d.own, func(tx *Tx) (err error) { // d.own works through any pooler
		version, err = d.options.inspect(tx, `SELECT table_name::TEXT FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_name <> '`+migrations.Lock+`'`, d.name, known, older)
		return err
	})
	if err != nil && version < known && !older { // an unfinished copy has an incomplete schema
		if unfinished, failed := d.Unfinished(ctx); failed == nil && unfinished {
			err = fmt.Errorf("the database %s is %w", d.name, ErrUnfinished)
		}
	}
	if errors.Is(err, errForeign) {
		err = fmt.Errorf("the database %s is of another program: give Knobel a database of its own, "+
			"or a schema of its own by ?search_path=knobel", d.name)
	}
	if _, failed := errors.AsType[*Error](err); failed {
		err = d.explain(err)
	}
	return version, err
}

// upgrade takes the lease and brings the schema up to date from version, 0 for none. A new schema comes first, since it
// has the table of leases.
func (d *Server) upgrade(ctx context.Context, version int64) error {
	newest, err := migrations.Newest(d.more...)
	if err != nil {
		return err
	}
	d.upgraded = Upgrade{From: version, To: newest}
	if version > 0 {
		if d.held, err = d.acquire(ctx); err != nil {
			return err
		}
	}
	if version != newest {
		err = d.migrate(ctx, version, newest)
	}
	if err == nil && d.held == nil {
		d.held, err = d.acquire(ctx)
	}
	if err == nil && d.options.Shared { // others may have upgraded it before, with another version or key
		_, err = d.inspect(ctx, true)
	}
	return err
}

// waits calls Options.Waiting, if set, with what opening the database waits for, "" once it continues.
func (d *Server) waits(what string) {
	if d.options.Waiting != nil {
		d.options.Waiting(what)
	}
}

// migrate applies the missing migrations, or waits until another replica has applied them. Other processes may use the
// database meanwhile: a migration that waits too long for a table gives up, since all later changes would wait behind
// it, and is tried again.
func (d *Server) migrate(ctx context.Context, from, to int64) error {
	d.waits(fmt.Sprintf("the schema of the database %s is brought up to date, from %d to %d, by this replica or by "+
		"another", d.name, from, to))
	defer d.waits("")
	mark := ""
	if d.options.Filled {
		mark = markUnfinished
	}
	for {
		db := stdlib.OpenDB(*d.unnamed())
		err := d.explain(errors.Join(migrations.UpPostgres(ctx, db, mark, d.more...), db.Close()))
		if !isCrowded(err) {
			return err
		}
		select {
		case <-time.After(mathrand.N(2 * time.Second)):
		case <-ctx.Done():
			return err
		}
	}
}
