package engine

// The kinds of errors of SQLite.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// asFile wraps an error of SQLite into an Error with its kind.
func asFile(err error) error {
	failed, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	e := &Error{Err: err}
	switch failed.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		e.Kind = ErrDamaged
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE,
		sqlite3.SQLITE_ERROR:
		e.Kind = ErrRefused
	}
	return e
}

// explain adds to an error of SQLite what it means for a file.
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
		return fmt.Errorf("the database %s cannot be opened: the file and its folder have to be writable: %w",
			file, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("no space is left for the database %s: %w", file, err)
	}
	return fmt.Errorf("database %s: %w", file, err)
}

// isCode reports whether an error is of SQLite and has this code.
func isCode(err error, code int) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code() == code
}

// isHot reports whether a file could not be read because a crashed transaction has to be rolled back first, which a
// read-only connection cannot do.
func isHot(err error) bool { return isCode(err, sqlite3.SQLITE_READONLY_ROLLBACK) }

// isShort reports whether an error says that the log is shorter than its index.
func isShort(err error) bool { return isCode(err, sqlite3.SQLITE_IOERR_SHORT_READ) }

// isFull reports whether an error says that there is no room.
func isFull(err error) bool {
	failed, ok := errors.AsType[*sqlite.Error](err)
	return ok && failed.Code()&0xff == sqlite3.SQLITE_FULL
}

// cutShort returns a fault if a file ends in the middle of a page, which SQLite would read as zeros. If the log has
// contents there is no fault: the short page may be the rest of an interrupted checkpoint, and the log has all of it.
func cutShort(file string) ([]string, error) {
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return nil, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, explain(file, err)
	}
	defer opened.Close()
	var head [18]byte // the size of a page is told at its end, 1 for 65,536
	if _, err := io.ReadFull(opened, head[:]); err != nil {
		return nil, nil // opening the file reports that it is no database
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 1 << 16
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, explain(file, err)
	}
	if page > 0 && info.Size()%page != 0 {
		return []string{"its last page is cut short"}, nil
	}
	return nil, nil
}

// damagedBy returns the faults of a file as an error for the operator.
func damagedBy(file string, faults []string) error {
	return fmt.Errorf("the database %s is damaged: restore a backup: %s", file, strings.Join(faults, "; "))
}
