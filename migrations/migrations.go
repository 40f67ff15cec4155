// Package migrations holds the database's schema as numbered SQL scripts and applies those that a database lacks. A
// released script is never edited: changes come in a new one.
package migrations

import (
	"bytes"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
	versions "github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

// Table is the name of the database table that lists the applied scripts.
const Table = "migrations"

// Lock is the name of the database table with the lock that UpPostgres holds while it applies scripts.
const Lock = "migrations_lock"

// lockLasts is how long the lock of UpPostgres stays valid after the process that holds it has died.
const lockLasts = 10 * time.Second

// scripts holds all scripts except sqlite/schema.sql.
//
//go:embed *.sql postgres/*.sql
var scripts embed.FS

// whole is one script for an empty SQLite database. It has the effect of the oldest numbered scripts together, but
// takes a tenth of their time, because SQLite reads its whole schema again for each column that a script adds.
//
//go:embed sqlite/schema.sql
var whole string

// onPostgres is the first script for PostgreSQL. It replaces all scripts of the main folder up to this name.
const onPostgres = "0043_schema.sql"

// Newest returns the number of the last script, which is the version of the database schema that this program needs. It
// includes the scripts in the folders more, such as those of a later version.
func Newest(more ...fs.FS) (last int64, err error) {
	for _, scripts := range append([]fs.FS{scripts}, more...) {
		names, err := fs.Glob(scripts, "*.sql")
		if err == nil && len(names) == 0 {
			err = errors.New("no scripts")
		}
		if err != nil {
			return 0, fmt.Errorf("migrate: %w", err)
		}
		newest := names[len(names)-1] // Glob sorts, and the numbers have leading zeros
		version, err := goose.NumericComponent(newest)
		if err != nil {
			return 0, fmt.Errorf("migrate: %s: %w", newest, err)
		}
		last = max(last, version)
	}
	return last, nil
}

// Up applies the scripts that an SQLite database lacks, each in its own transaction. For an empty database one script
// does the work of the oldest ones. The caller must have checked that the version of the database is not above Newest.
func Up(ctx context.Context, db *sql.DB) error {
	var parts int
	err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_schema`).Scan(&parts)
	if err == nil && parts == 0 {
		err = begin(ctx, db)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return up(ctx, db, goose.DialectSQLite3, scripts)
}

// begin applies the script in the variable whole to an empty database, in one transaction.
func begin(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, whole); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// UpPostgres applies the scripts that a database on PostgreSQL lacks, each in its own transaction. If several processes
// call it at once, one applies the scripts while the others wait. If a script waits for a database lock for more than
// two seconds, it fails with an error that says so.
//
// mark is an SQL statement that marks the database, by the table of leases, as an unfinished copy; "": none. It is
// committed before the first script, but only if no script was applied before. more are folders of further scripts.
func UpPostgres(ctx context.Context, db *sql.DB, mark string, more ...fs.FS) error {
	const every, times = 200 * time.Millisecond, 3000 // for processes that wait for the lock
	locker, err := lock.NewPostgresTableLocker(lock.WithTableName(Lock), lock.WithTableLockTimeout(every, times),
		lock.WithTableLeaseDuration(lockLasts), lock.WithTableHeartbeatInterval(lockLasts/3),
		lock.WithTableUnlockTimeout(every, 10))
	if err == nil && mark != "" {
		err = markFirst(ctx, db, mark)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	all, err := scriptsOnPostgres(more)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return up(ctx, db, goose.DialectPostgres, all, goose.WithLocker(locker))
}

// scriptsOnPostgres returns the scripts for a database on PostgreSQL: those of the main folder after onPostgres, those
// of the folder postgres, and those of the folders more. Of scripts with one name the last is used. Each script gets a
// short timeout for database locks, because other processes that need the table for which it waits have to wait, too.
func scriptsOnPostgres(more []fs.FS) (fs.FS, error) {
	postgres, err := fs.Sub(scripts, "postgres")
	if err != nil {
		return nil, err
	}
	all := files{}
	for i, from := range append([]fs.FS{scripts, postgres}, more...) {
		names, err := fs.Glob(from, "*.sql")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := fs.ReadFile(from, name)
			if err != nil {
				return nil, err
			}
			const marker = "-- +goose Up\n"
			content = bytes.Replace(content, []byte(marker), []byte(marker+"SET LOCAL lock_timeout = '2s';\n"), 1)
			if i > 0 || name > onPostgres {
				all[name] = content
			}
		}
	}
	return all, nil
}

// files is a file system that holds the contents of scripts by name.
type files map[string][]byte

// Glob returns the sorted names that match a pattern, as fs.GlobFS requires.
func (f files) Glob(pattern string) (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		matches, err := path.Match(pattern, name)
		if err != nil {
			return nil, err
		}
		if matches {
			names = append(names, name)
		}
	}
	return names, nil
}

// Open opens the script called name, as fs.FS requires.
func (f files) Open(name string) (fs.File, error) {
	content, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &script{bytes.NewReader(content), name}, nil
}

// script is an open script. It is its own fs.FileInfo.
type script struct {
	*bytes.Reader
	name string
}

func (s *script) Stat() (fs.FileInfo, error) { return s, nil }
func (s *script) Close() error               { return nil }
func (s *script) Name() string               { return s.name }
func (s *script) Mode() fs.FileMode          { return 0o444 }
func (s *script) ModTime() time.Time         { return time.Time{} }
func (s *script) IsDir() bool                { return false }
func (s *script) Sys() any                   { return nil }

// createLeases matches the SQL statement, in the script onPostgres, that creates the table of leases.
var createLeases = regexp.MustCompile(`(?s)CREATE TABLE IF NOT EXISTS leases .*?\n\);`)

// markFirst runs the SQL statement mark, which changes the table of leases, unless a script was applied to the database
// before. In the same transaction it creates that table and the table of applied scripts, if missing. The latter shows
// that the database is one of Knobel.
func markFirst(ctx context.Context, db *sql.DB, mark string) error {
	script, err := scripts.ReadFile("postgres/" + onPostgres)
	if err != nil {
		return err
	}
	applied, err := versions.NewStore(versions.DialectPostgres, Table)
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // a no-op after the commit
	var there bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_name = $1)`, Table).Scan(&there)
	if err == nil && !there {
		err = errors.Join(applied.CreateVersionTable(ctx, tx), applied.Insert(ctx, tx, versions.InsertRequest{}))
	}
	if err != nil {
		return err
	}
	// If another process is applying the first script, this waits until that process has committed it.
	if _, err := tx.ExecContext(ctx, string(createLeases.Find(script))); err != nil {
		return err
	}
	if version, err := applied.GetLatestVersion(ctx, tx); err != nil || version > 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return err
	}
	return tx.Commit()
}

// up applies those of scripts that db lacks. The error names the script that failed. options are passed on to goose.
func up(ctx context.Context, db *sql.DB, dialect goose.Dialect, scripts fs.FS, options ...goose.ProviderOption) error {
	provider, err := goose.NewProvider(dialect, db, scripts, append(options,
		goose.WithTableName(Table),
		goose.WithLogger(goose.NopLogger()),
		goose.WithDisableGlobalRegistry(true),
	)...)
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if _, err = provider.Up(ctx); err != nil {
		if partial, ok := errors.AsType[*goose.PartialError](err); ok {
			return fmt.Errorf("migrate: %s: %w", path.Base(partial.Failed.Source.Path), partial.Err)
		}
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
