package engine

// A database on a PostgreSQL server.
//
// Nothing here needs what a pooler in transaction mode or a compatible server lacks: no advisory locks, no state of a
// session, and names of statements only where they can be kept.

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
	own      *sql.DB            // for the lease, hints and questions about the database, which must not wait
	reads    bool               // it is open for reading only
	turns    lock.Keyed[string] // changes of one name run one after the other
	nameless chan struct{}      // holds one for each change without a name that runs
	held     *lease             // nil: it is open for reading only
	resets   atomic.Int64
	pooled   atomic.Bool // a pooler is in between: statements are given no names
	more     []fs.FS     // further scripts for the schema, from tests
	trouble  trouble
	hints    hints
}

var _ DB = (*Server)(nil)

// maxOwn is the largest number of connections for work that does not wait for changes and views.
const maxOwn = 3

// newServer opens the database at an address, postgres://name:password@host:port/database. With reads it changes
// nothing in it and refuses one whose schema is not this version's; otherwise it brings the schema up to date. It
// refuses a newer version's database, another program's and one that the store does not accept, in a sentence for the
// operator, and leaves these as they were.
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

// connect makes the pools of connections and checks the first connection.
func connect(ctx context.Context, address string, o Options) (*Server, error) {
	config, name, err := parse(address)
	if err != nil {
		return nil, err
	}
	d := &Server{base: base{name: name, options: o, concurrent: true}, config: config,
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

// unnamed returns a configuration without named statements: behind a pooler another client may get the connection.
func (d *Server) unnamed() *pgx.ConnConfig {
	config := d.config.ConnConfig.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return config
}

// resetsBefore is the key of a connection's number of earlier resets.
const resetsBefore = "knobel"

// reset makes idle connections be reopened: they may be lost or stale.
func (d *Server) reset() { d.resets.Add(1) }

// explain adds the database to an error.
func (d *Server) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", d.name, err)
}

// Close implements DB.
func (d *Server) Close() error {
	if d.work.Close() {
		d.shut()
	}
	return nil
}

func (d *Server) shut() {
	_ = d.pool.Close() // the server keeps the database whole
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

// There implements DB.
func (d *Server) There() error { return d.held.there() }

// Size implements DB: the size of the whole database on the server. Its log is the server's.
func (d *Server) Size() (data, log int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	err = d.ask(ctx, `SELECT pg_database_size(current_database())`).Scan(&data)
	return data, 0, d.explain(asServer(err))
}

// ask queries one row outside of transactions.
func (d *Server) ask(ctx context.Context, query string, args ...any) *sql.Row {
	return d.own.QueryRowContext(ctx, query, args...)
}

// tell runs a statement outside of transactions.
func (d *Server) tell(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	result, err := d.own.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// texts returns the texts of a query's only column.
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

// inspect refuses what is not a database of this program, before anything in it is changed: its schema must have this
// version (with older also an earlier one, or none), and the store must accept it. It returns the version of the
// schema, 0 for none.
func (d *Server) inspect(ctx context.Context, older bool) (version int64, err error) {
	known, err := migrations.Newest(d.more...)
	if err != nil {
		return 0, err
	}
	_, err = d.view(ctx, d.own, func(tx *Tx) (err error) { // which works through any pooler
		version, err = d.options.inspect(tx, `SELECT table_name::TEXT FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_name <> '`+migrations.Lock+`'`, d.name, known, older)
		return err
	})
	if err != nil && version < known && !older { // the schema of the beginning of a copy is incomplete
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

// upgrade brings the schema up to date.
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
	if err == nil && d.options.Shared { // others may have been faster, by another version or with another key
		_, err = d.inspect(ctx, true)
	}
	return err
}

// waits reports what opening waits for.
func (d *Server) waits(what string) {
	if d.options.Waiting != nil {
		d.options.Waiting(what)
	}
}

// migrate applies the missing scripts, or waits until another replica has. Other processes may use the database
// meanwhile: a script that waits too long for a table gives up, since all later ones would wait behind it, and is tried
// again.
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
