package engine

// The errors of engines, and their kinds.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Classes and codes of SQLSTATE, see "PostgreSQL Error Codes" in its documentation.
const (
	classData         = "22" // a value out of range, or text that is none
	classIntegrity    = "23" // a rule of the schema
	classSyntax       = "42" // no statement, or what it names is not there
	codeCorrupted     = "XX001"
	codeIndexBroken   = "XX002"
	codeReadOnly      = "25006"
	codeNoStatement   = "26000" // no statement of this name
	codeDivision      = "22012" // by zero
	codeTwoOfAName    = "42P05"
	codeSerialization = "40001"
	codeLocked        = "55P03" // by others, for longer than lock_timeout
	codeDeadlock      = "40P01"
	codeNotSupported  = "0A000"
)

// stateOf returns the SQLSTATE of an error of the server, "" for any other.
func stateOf(err error) string {
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failed.Code
	}
	return ""
}

// isPooled reports whether an error shows that another client had the connection to the server meanwhile: there is a
// pooler in transaction mode.
func isPooled(err error) bool {
	return slices.Contains([]string{codeNoStatement, codeTwoOfAName}, stateOf(err))
}

// isCrowded reports whether a change failed because of concurrent changes.
func isCrowded(err error) bool {
	return errors.Is(err, ErrAgain) ||
		slices.Contains([]string{codeSerialization, codeDeadlock, codeLocked}, stateOf(err))
}

// asServer wraps an error of the server, or of the connection to it, into an Error with its kind.
func asServer(err error) error {
	if err == nil {
		return nil
	}
	if _, is := errors.AsType[*Error](err); is {
		return err
	}
	e, state := &Error{Err: err}, stateOf(err)
	switch {
	case state == codeCorrupted, state == codeIndexBroken:
		e.Kind = ErrDamaged
	case isPooled(err): // the next try works without names
	case strings.HasPrefix(state, classData), strings.HasPrefix(state, classIntegrity),
		strings.HasPrefix(state, classSyntax):
		e.Kind = ErrRefused
	case state == codeReadOnly:
		e.Kind = ErrReadOnly
	}
	return e
}

// Unreached reports whether an error says that a server cannot be reached or accepts no connections now.
func Unreached(err error) bool {
	e, is := errors.AsType[*Error](err)
	if !is || errors.Is(err, context.Canceled) || e.Kind != nil && !errors.Is(e.Kind, ErrUncertain) {
		return false
	}
	state := stateOf(err)
	if state == "" {
		return !differsOnTLS(e.Err)
	}
	return slices.ContainsFunc([]string{"08", "53", "57P"}, func(class string) bool {
		return strings.HasPrefix(state, class)
	})
}

// differsOnTLS reports whether a server answers but is not trusted, or has no TLS, so that a retry is useless. If
// several ways were tried, one without TLS among them, it holds for all.
func differsOnTLS(err error) bool {
	type joined interface {
		error
		Unwrap() []error
	}
	if all, ok := errors.AsType[joined](err); ok {
		return !slices.ContainsFunc(all.Unwrap(), func(err error) bool { return !differsOnTLS(err) })
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return untrusted || strings.Contains(err.Error(), "server refused TLS connection") // pgconn has no type for it
}

// trouble reports the beginning and the end of a time in which nothing can be committed.
type trouble struct {
	told  func(err error, lasted time.Duration) // nil: not called
	mu    sync.Mutex
	since time.Time // zero: there is none
}

// begins notes why nothing can be committed.
func (t *trouble) begins(why error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.since.IsZero() {
		return
	}
	t.since = time.Now()
	if t.told != nil {
		t.told(why, 0)
	}
}

// ends notes a commit, if written reports that something was written by it.
func (t *trouble) ends(written func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() || !written() {
		return
	}
	lasted := time.Since(t.since)
	t.since = time.Time{}
	if t.told != nil {
		t.told(nil, lasted)
	}
}

// Errors that an engine returns or wraps.
var (
	// ErrReadOnly is returned for changes of a database that was opened for reading.
	ErrReadOnly = errors.New("the database is open for reading only")
	// ErrEmpty is returned for a database that is opened for reading and was never set up.
	ErrEmpty = errors.New("knobel serve sets it up")
	// ErrUnfinished is returned for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = errors.New("a copy that was not finished: run knobel move again, or serve the one that it was to " +
		"come from")
	// ErrDamaged is the kind of an Error that says that the database is damaged.
	ErrDamaged = errors.New("the database is damaged")
	// ErrRefused is the kind of an Error of a statement that violates the schema or is invalid: it would fail again.
	ErrRefused = errors.New("the database refuses the statement")
	// ErrAgain is the error of a change that lost against a concurrent one: the engine runs it again without telling
	// the caller.
	ErrAgain = errors.New("another change was faster: try again")
	// ErrUncertain is the kind of an Error of a commit that a server has not answered, or of a name that a disk may not
	// keep: it may have been done.
	ErrUncertain = errors.New("the server has not said whether it is committed")
	// ErrStop ends the reading of rows without an error.
	ErrStop = errors.New("no more rows")
)

// Error is an error of the database itself, with the engine's text.
type Error struct {
	Err  error
	Kind error // ErrDamaged, ErrRefused, ErrUncertain, or nil: a retry may succeed
}

func (e *Error) Error() string   { return e.Err.Error() }
func (e *Error) Unwrap() []error { return []error{e.Err, e.Kind} }

// codeOf returns the extended result code of an error of SQLite, 0 for any other.
func codeOf(err error) int {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		return failed.Code()
	}
	return 0
}

// asFile wraps an error of SQLite into an Error with its kind.
func asFile(err error) error {
	code := codeOf(err)
	if code == 0 {
		return err
	}
	e := &Error{Err: err}
	switch code & 0xff {
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
	switch codeOf(err) & 0xff {
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

// isHot reports whether a file could not be read because a crashed transaction has to be rolled back first, which a
// read-only connection cannot do.
func isHot(err error) bool { return codeOf(err) == sqlite3.SQLITE_READONLY_ROLLBACK }

// isShort reports whether an error says that the log is shorter than its index.
func isShort(err error) bool { return codeOf(err) == sqlite3.SQLITE_IOERR_SHORT_READ }

// isFull reports whether an error says that there is no room.
func isFull(err error) bool { return codeOf(err)&0xff == sqlite3.SQLITE_FULL }
