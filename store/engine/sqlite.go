package engine

// Opening an SQLite file, and running statements on it.

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"modernc.org/sqlite"
)

// Settings for opening a file, by purpose. They are part of the data source name, so that every connection has them.
var (
	// Without foreign keys: migrations replace tables to which other tables refer.
	forMigrating = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "temp_store(MEMORY)",
		"journal_size_limit(16777216)", "cache_size(-16000)", "wal_autocheckpoint(4000)"}
	forWriting = append([]string{"foreign_keys(ON)"}, forMigrating...)
	forReading = []string{"busy_timeout(10000)", "foreign_keys(ON)", "temp_store(MEMORY)", "query_only(ON)"}
	forCopying = []string{"busy_timeout(10000)", "temp_store(MEMORY)"}
	// With forCleaning, SQLite copies the whole file on the disk, not in memory: the copy holds only what the file
	// holds. With forRekeying it works in memory: no old bytes may stay in a temporary folder.
	forCleaning = []string{"busy_timeout(2000)", "synchronous(FULL)", "journal_size_limit(16777216)"}
	forRekeying = append([]string{"foreign_keys(OFF)", "secure_delete(ON)", "temp_store(MEMORY)"}, forCleaning...)
)

// openFile returns an sql.DB with one connection to an existing file. mode is "rw" or "ro". pragmas are its settings.
func openFile(file, mode string, pragmas []string) (*sql.DB, error) {
	query := url.Values{
		"_pragma": pragmas, "_txlock": {"immediate"}, "_error_rc": {"true"}, "_dqs": {"false"}, "mode": {mode},
	}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // on Windows the path begins with a drive letter
	}
	name := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

// withFile opens a connection as openConnection does, calls use with a Tx on it, and closes it.
func withFile(ctx context.Context, file, mode string, pragmas []string, use func(*Tx) error) (err error) {
	c, err := openConnection(ctx, file, mode, pragmas)
	if err != nil {
		return explain(file, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return use(c.tx(ctx))
}

// connection is a connection to a file. It prepares each statement at its first use and keeps it. It is the session of
// the transactions that run on it.
type connection struct {
	*sql.Conn
	db       *sql.DB
	convert  Converter // nil: there is none
	prepared map[string]*sql.Stmt
	renewed  int64 // value of readers.renewed when it was opened
}

// openConnection opens a connection to an existing file. mode is "rw" or "ro", and pragmas are its settings.
func openConnection(ctx context.Context, file, mode string, pragmas []string) (*connection, error) {
	db, err := openFile(file, mode, pragmas)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(asFile(err), db.Close())
	}
	return &connection{Conn: conn, db: db, prepared: map[string]*sql.Stmt{}}, nil
}

// close closes the connection, which rolls back an open transaction.
func (c *connection) close() error {
	for _, s := range c.prepared {
		_ = s.Close()
	}
	return errors.Join(c.Conn.Close(), c.db.Close())
}

// tx returns a Tx whose statements run on the connection: in its open transaction or, without one, each by itself.
func (c *connection) tx(ctx context.Context) *Tx { return &Tx{ctx: ctx, on: c, convert: c.convert} }

// run runs a statement that belongs to no change or view, such as BEGIN.
func (c *connection) run(statement string) error {
	_, err := c.exec(context.Background(), statement, nil)
	return err
}

// statement returns the prepared statement for query. It prepares the statement at the first call and keeps it.
func (c *connection) statement(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := c.prepared[query]; s != nil {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, limits.ReplaceAllString(query, limitPlusZero))
	if err == nil {
		c.prepared[query] = s
	}
	return s, err
}

// limits matches a parameter that limits the number of rows. If LIMIT has only a parameter, SQLite plans by its value
// and prepares the statement again before each run. If something is added to the parameter, SQLite does not.
var limits = regexp.MustCompile(`LIMIT \$\d+`)

// limitPlusZero replaces the matches of limits: LIMIT $1 becomes LIMIT $1 + 0.
const limitPlusZero = "$0 + 0"

// checkpoint writes the log into the database file. complete reports whether all of the log is in the file then. It is
// false if the disk was full, or if a view reads an older state.
func checkpoint(tx *Tx) (complete bool, err error) {
	var busy, log, done int64
	err = tx.get("PRAGMA wal_checkpoint", &busy, &log, &done)
	return err == nil && done >= log, err
}

// exec runs a statement at once and returns how many rows it has changed.
func (c *connection) exec(ctx context.Context, query string, args []any) (int64, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return 0, asFile(err)
	}
	result, err := s.ExecContext(ctx, args...)
	if err != nil {
		return 0, asFile(err)
	}
	return result.RowsAffected()
}

// query runs a query at once and calls onRow for each of its rows.
func (c *connection) query(ctx context.Context, query string, args []any, onRow func(Row) error) (err error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return asFile(err)
	}
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return asFile(err)
	}
	err = eachRow(Row{fileRows{rows}, c.convert}, onRow)
	if failed := errors.Join(rows.Err(), rows.Close()); err == nil && failed != nil {
		err = asFile(failed)
	}
	return err
}

// fileRows are the rows of a query to a file.
type fileRows struct{ *sql.Rows }

// Values returns the columns of the current row as SQLite has stored them.
func (r fileRows) Values() ([]any, error) {
	names, err := r.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	return values, r.Scan(into...)
}

// later runs s at once and returns s.wrong if the answer is not the wanted one. If s only locks rows, it does nothing,
// since no other change runs.
func (c *connection) later(ctx context.Context, s statement) error {
	if s.locks { // no other change runs
		return nil
	}
	var rows int64
	var err error
	if s.wants == findsNone || s.wants == finds || s.onRow != nil {
		err = c.query(ctx, s.query, s.args, func(row Row) error {
			if rows++; s.onRow == nil {
				return ErrStop
			}
			return s.onRow(row)
		})
	} else {
		rows, err = c.exec(ctx, s.query, s.args)
	}
	if err == nil && s.wants != anything && (rows == 0) == (s.wants != findsNone) {
		return s.wrong
	}
	return err
}
