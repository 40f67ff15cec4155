package engine

// The journal of a transaction that crashed before the log was switched on, such as the very first.

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// rollBack rolls back a crashed transaction if check accepts a rolled-back copy of the file.
func rollBack(ctx context.Context, file string, check func(copied string) error) error {
	copied, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".looking-*")
	if err != nil {
		return err
	}
	defer func() { _ = removeAll(copied.Name()) }() // a remaining copy does no harm
	if err := copied.Close(); err != nil {
		return err
	}
	for _, end := range []string{"", "-journal"} {
		if err := copyFile(file+end, copied.Name()+end); err != nil {
			return err
		}
	}
	if err = touch(ctx, copied.Name()); err == nil {
		err = check(copied.Name())
	}
	if err != nil {
		return renamed(err, copied.Name(), file)
	}
	return touch(ctx, file)
}

// touch reads a file by a writable connection: opening it rolls back an interrupted transaction.
func touch(ctx context.Context, file string) error {
	return with(ctx, file, "rw", forCopying, func(tx *Tx) error {
		var n int
		err := tx.get(`SELECT COUNT(*) FROM sqlite_master`, &n)
		return explain(file, err)
	})
}

// copyError is a fault of a copy, reported under the name of the original.
type copyError struct {
	error
	text string
}

func (e copyError) Error() string { return e.text }
func (e copyError) Unwrap() error { return e.error }

// renamed returns an error that names a copy with the name of the file.
func renamed(err error, copied, file string) error {
	return copyError{err, strings.ReplaceAll(err.Error(), copied, file)}
}
