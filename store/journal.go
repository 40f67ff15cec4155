package store

// What is specific to SQLite, too: the journal of a transaction that ended in a
// crash before the log was switched on, such as the first of all.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// besides are the ends of the names of what lies beside a database and is a part of
// it, which would be taken for a part of any other that came to have its name.
var besides = []string{"-wal", "-journal"}

// isHot reports whether a file could not be read because a transaction that ended in
// a crash has to be rolled back first, which a connection that only reads cannot do.
func isHot(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code() == sqlite3.SQLITE_READONLY_ROLLBACK
}

// rollBack rolls back what has ended in a crash, in a file of which fine thinks
// well as it will be afterwards: it is shown a copy, and what it refuses is not changed.
func rollBack(ctx context.Context, file string, fine func(copied string) error) error {
	copied, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".looking-*")
	if err != nil {
		return err
	}
	defer func() { _ = forget(copied.Name()) }() // a copy that stays harms nobody
	if err := copied.Close(); err != nil {
		return err
	}
	for _, end := range []string{"", "-journal"} {
		if err := copyFile(file+end, copied.Name()+end); err != nil {
			return err
		}
	}
	if err = touch(ctx, copied.Name()); err == nil {
		err = fine(copied.Name())
	}
	if err != nil {
		return named(err, copied.Name(), file)
	}
	return touch(ctx, file)
}

// touch reads a file by a connection that may write, which rolls back first what has
// to be.
func touch(ctx context.Context, file string) error {
	db, err := connect(file, forCopying)
	if err != nil {
		return explain(file, err)
	}
	defer db.Close()
	var n int
	return explain(file, db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master`).Scan(&n))
}

// named is what is wrong with a copy, said of the file that it is a copy of.
func named(err error, copied, file string) error {
	text := strings.ReplaceAll(err.Error(), copied, file)
	if errors.Is(err, ErrKey) {
		return keyError(text)
	}
	return errors.New(text)
}
