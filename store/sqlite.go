package store

// What is specific to SQLite: how a file is opened, what its errors mean, how
// it is copied and checked.

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"knobel/migrations"
)

// readers is how many connections read beside the one that writes.
const readers = 4

// The ways to open a file. Pragmas stand in the name of the data source, so
// that every connection of a pool has them.
var (
	forWriting = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)",
		"temp_store(MEMORY)", "journal_size_limit(16777216)", "cache_size(-16000)", "wal_autocheckpoint(4000)"}
	forReading = []string{"busy_timeout(10000)", "foreign_keys(ON)", "temp_store(MEMORY)", "query_only(ON)"}
	forCopying = []string{"busy_timeout(10000)", "temp_store(MEMORY)"}
	// What is written here is the whole file as it is, which does not go through the
	// memory. While it is sealed, it does: nothing of before may stay in a folder of
	// the system's.
	forCleaning = []string{"busy_timeout(2000)", "synchronous(FULL)", "journal_size_limit(16777216)"}
	forRekeying = append([]string{"foreign_keys(OFF)", "secure_delete(ON)", "temp_store(MEMORY)"}, forCleaning...)
)

// elsewhere is another number whenever other connections have written.
const elsewhere = `PRAGMA data_version`

// connector says how to open connections to an existing file.
func connector(file string, pragmas []string) (driver.Connector, error) {
	return connectorFor(file, "rw", pragmas)
}

func connectorFor(file, mode string, pragmas []string) (driver.Connector, error) {
	query := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}, "_error_rc": {"true"}, "_dqs": {"false"}, "mode": {mode}}
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	name := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return sqlite.NewConnector(name.String())
}

// connect opens an existing file for what happens on one connection.
func connect(file string, pragmas []string) (*sql.DB, error) {
	return connectFor(file, "rw", pragmas)
}

func connectFor(file, mode string, pragmas []string) (*sql.DB, error) {
	to, err := connectorFor(file, mode, pragmas)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(to)
	db.SetMaxOpenConns(1)
	return db, nil
}

func open(ctx context.Context, file string, o options) (_ *Store, err error) {
	key := o.key
	file, err = locate(file)
	if err != nil {
		return nil, err
	}
	held, err := acquire(file)
	if err != nil {
		return nil, err
	}
	s := &Store{file: file, key: key, lock: held}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.found, err = tidy(file, false); err != nil {
		return nil, err
	}
	if err := create(file); err != nil {
		return nil, err
	}
	if err := there(file); err != nil {
		return nil, err
	}
	if err := s.look(ctx, o); err != nil {
		return nil, err
	}
	if err := migrate(ctx, file, key); err != nil {
		return nil, err
	}
	to, err := connector(file, forWriting)
	if err != nil {
		return nil, explain(file, err)
	}
	at, err := homeOf(file, held)
	if err != nil {
		return nil, err
	}
	s.writing = &writer{to: to, key: key, most: mostTogether, home: at, trouble: o.trouble, noticed: o.noticed}
	if s.reading, err = openReader(file, key); err != nil {
		return nil, err
	}
	s.writing.others, s.writing.idle = s.reading.shed, s.reading.idle
	return s, nil
}

// look looks at a file before anything in it is changed, and keeps a copy of
// one whose schema is about to be.
func (s *Store) look(ctx context.Context, o options) error {
	version, err := inspect(ctx, s.file, s.key, true)
	if err != nil {
		return err
	}
	if err := lookThrough(ctx, s.file); err != nil {
		return err
	}
	newest, err := migrations.Newest()
	if err != nil {
		return err
	}
	s.upgraded = Upgrade{From: version, To: newest}
	if version > 0 && version < newest && !o.bare {
		s.upgraded.Backup, err = s.keep(ctx, version)
	}
	return err
}

// migrate brings the schema of a file up to date, notes the key of one that has
// nobody in it yet, and seals what older versions have left open.
func migrate(ctx context.Context, file string, key Sealer) error {
	db, err := connect(file, forWriting)
	if err != nil {
		return explain(file, err)
	}
	err = migrations.Up(ctx, db)
	if err == nil {
		err = note(ctx, db, key)
	}
	if err == nil {
		err = sealSecrets(ctx, db, file, key)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return explain(file, err)
	}
	return nil
}

func openReader(file string, key Sealer) (*reader, error) {
	to, err := connector(file, forReading)
	if err != nil {
		return nil, explain(file, err)
	}
	return newReader(to, key), nil
}

func openReadOnly(ctx context.Context, file string, key Sealer) (*Store, error) {
	file, err := locate(file)
	if err != nil {
		return nil, err
	}
	if err := there(file); err != nil {
		return nil, err
	}
	if _, err := inspect(ctx, file, key, false); err != nil {
		return nil, err
	}
	reading, err := openReader(file, key)
	if err != nil {
		return nil, err
	}
	return &Store{file: file, key: key, reading: reading}, nil
}

// inspect refuses what is no database of ours, before anything is changed in
// it: our schema of this version, or older or empty where that is good enough,
// and sealed with the key. It returns the version of the schema, 0 for none.
func inspect(ctx context.Context, file string, key Sealer, older bool) (version int64, err error) {
	version, err = inspectAsItIs(ctx, file, key, older)
	if !isHot(err) {
		return version, err
	}
	err = rollBack(ctx, file, func(copied string) error {
		if _, err := inspectAsItIs(ctx, copied, key, older); err != nil {
			return err
		}
		return lookThrough(ctx, copied)
	})
	if err != nil {
		return 0, err
	}
	return inspectAsItIs(ctx, file, key, older)
}

// inspectAsItIs is inspect for a file in which nothing has to be rolled back.
func inspectAsItIs(ctx context.Context, file string, key Sealer, older bool) (version int64, err error) {
	known, err := migrations.Newest()
	if err != nil {
		return 0, err
	}
	// A connection that may write would, when it is closed, put into the file
	// what a crash has left in the log.
	db, err := connectFor(file, "ro", forReading)
	if err != nil {
		return 0, explain(file, err)
	}
	defer db.Close()
	var tables, ours int
	const count = `SELECT COUNT(*), COUNT(CASE WHEN name = $1 THEN 1 END) FROM sqlite_master`
	if err := db.QueryRowContext(ctx, count, migrations.Table).Scan(&tables, &ours); err != nil {
		return 0, explain(file, err)
	}
	if ours > 0 {
		latest := `SELECT COALESCE(MAX(version_id), 0) FROM ` + migrations.Table + ` WHERE is_applied`
		if err := db.QueryRowContext(ctx, latest).Scan(&version); err != nil {
			return 0, explain(file, err)
		}
	}
	switch {
	case tables > 0 && ours == 0:
		return 0, fmt.Errorf("%s is a database of another program", file)
	case version > known:
		return 0, fmt.Errorf("the database %s was written by a newer version of knobel (its schema is %d, this version knows %d): "+
			"run that version, or restore a backup", file, version, known)
	case version == 0 && !older:
		return 0, fmt.Errorf("the database %s is empty: knobel serve sets it up", file)
	case version < known && !older:
		return 0, fmt.Errorf("the database %s was written by an older version of knobel (its schema is %d, this version's is %d): "+
			"knobel serve brings it up to date", file, version, known)
	}
	if err := fits(ctx, db, file, key); err != nil || older {
		return version, err
	}
	secrets, err := secretsOf(ctx, db)
	if err == nil && secrets == secretsPlain {
		err = fmt.Errorf("not everything in the database %s is encrypted that is to be: knobel serve brings it up to date", file)
	}
	return version, err
}

// has says whether a database has a table.
func has(ctx context.Context, db *sql.DB, table string) (some bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1)`, table).Scan(&some)
	return some, err
}

// explain says what an error of SQLite means for a file.
func explain(file string, err error) error {
	if err == nil {
		return nil
	}
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return fmt.Errorf("database %s: %w", file, err)
	}
	switch failed.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s is not a database: %w", file, err)
	case sqlite3.SQLITE_CORRUPT:
		if short, _ := cutShort(file); len(short) > 0 {
			return damagedBy(file, short)
		}
		return fmt.Errorf("the database %s is damaged or cut short: restore a backup: %w", file, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("the database %s cannot be opened: the file and its folder have to be writable: %w", file, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("no space is left for the database %s: %w", file, err)
	}
	return fmt.Errorf("database %s: %w", file, err)
}

// copyInto writes a consistent copy of the database into an empty file.
func (s *Store) copyInto(ctx context.Context, file string) error {
	db, err := connect(s.file, forCopying)
	if err != nil {
		return explain(s.file, err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, file); err != nil {
		return explain(s.file, err)
	}
	return nil
}

// strayReferences counts, by table of the schema, the rows that refer to
// something that is not there.
const strayReferences = `SELECT "table", COUNT(*) FROM pragma_foreign_key_check GROUP BY "table"`

// damaged says whether an error means that the file itself is wrong.
func damaged(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && (failed.Code()&0xff == sqlite3.SQLITE_CORRUPT || failed.Code()&0xff == sqlite3.SQLITE_NOTADB)
}

// isShort reports whether an error is that the log is shorter than its index tells.
func isShort(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code() == sqlite3.SQLITE_IOERR_SHORT_READ
}

// emptied puts what stands in the log into the database, and reports whether all of it
// is there: not where there was no room, or somebody reads an older state.
func (c *connection) emptied() bool {
	in, err := c.checkpoint()
	failed, ok := errors.AsType[*sqlite.Error](err)
	return in || err != nil && (!ok || failed.Code()&0xff != sqlite3.SQLITE_FULL) // others come of a log that is not the one
}

// allIn puts what stands in the log into the database, and reports whether all of it
// is there for certain.
func (c *connection) allIn() bool {
	in, err := c.checkpoint()
	return in && err == nil
}

func (c *connection) checkpoint() (in bool, err error) {
	tx := &Tx{ctx: context.Background(), conn: c}
	var busy, log, done int64
	err = tx.get("PRAGMA wal_checkpoint", nil, &busy, &log, &done)
	return err == nil && done >= log, err
}

// Passing reports whether an error is of the database and may be gone when the
// same is tried again: not where it refuses what was to be written.
func Passing(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch failed.Code() & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_ERROR:
		return false
	}
	return true
}
