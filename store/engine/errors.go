package engine

// Errors of the engines, and their kinds.

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

// Classes (the first two characters) and codes of SQLSTATE, see "PostgreSQL Error Codes" in PostgreSQL's documentation.
const (
	classData         = "22" // a value out of range, or invalid text
	classIntegrity    = "23" // a constraint of the schema is violated
	classSyntax       = "42" // invalid SQL, or a missing table or column
	codeCorrupted     = "XX001"
	codeIndexBroken   = "XX002"
	codeReadOnly      = "25006" // a change in a read-only transaction
	codeNoStatement   = "26000" // there is no prepared statement of this name
	codeDivision      = "22012" // by zero
	codeTwoOfAName    = "42P05" // there is already a prepared statement of this name
	codeSerialization = "40001" // a conflict with a concurrent transaction
	codeLocked        = "55P03" // rows were locked by others for longer than lock_timeout
	codeDeadlock      = "40P01"
	codeNotSupported  = "0A000" // also: the schema has changed under a prepared statement
)

// stateOf returns the SQLSTATE of err, or "" if err is not an error of a PostgreSQL server.
func stateOf(err error) string {
	if failed, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failed.Code
	}
	return ""
}

// isPooled reports whether err shows that a connection pooler (in transaction mode) has given the connection to another
// client meanwhile, so that prepared statements are missing or mixed up.
func isPooled(err error) bool {
	return slices.Contains([]string{codeNoStatement, codeTwoOfAName}, stateOf(err))
}

// isConflict reports whether err is a conflict with concurrent changes, so that a retry may succeed.
func isConflict(err error) bool {
	return errors.Is(err, ErrAgain) ||
		slices.Contains([]string{codeSerialization, codeDeadlock, codeLocked}, stateOf(err))
}

// asServer wraps err, of a server or of the connection to it, into an *Error with its kind. It returns nil for nil.
func asServer(err error) error {
	if err == nil {
		return nil
	}
	if _, isError := errors.AsType[*Error](err); isError {
		return err
	}
	e, state := &Error{Err: err}, stateOf(err)
	switch {
	case state == codeCorrupted, state == codeIndexBroken:
		e.Kind = ErrDamaged
	case isPooled(err): // no kind: a retry may succeed, as it uses no prepared statements
	case strings.HasPrefix(state, classData), strings.HasPrefix(state, classIntegrity),
		strings.HasPrefix(state, classSyntax):
		e.Kind = ErrRefused
	case state == codeReadOnly:
		e.Kind = ErrReadOnly
	}
	return e
}

// Unreached reports whether err means that the server cannot be reached or accepts no connections now: try later.
func Unreached(err error) bool {
	e, isError := errors.AsType[*Error](err)
	if !isError || errors.Is(err, context.Canceled) || e.Kind != nil && !errors.Is(e.Kind, ErrUncertain) {
		return false
	}
	state := stateOf(err)
	if state == "" {
		return !isTLSError(e.Err)
	}
	return slices.ContainsFunc([]string{"08", "53", "57P"}, func(class string) bool {
		return strings.HasPrefix(state, class)
	})
}

// isTLSError reports whether err means that the server has no TLS, or a certificate that is not trusted: then a retry
// is useless. If err joins errors of several tries, each must mean that, since some tries are made without TLS.
func isTLSError(err error) bool {
	type joined interface {
		error
		Unwrap() []error
	}
	if all, ok := errors.AsType[joined](err); ok {
		return !slices.ContainsFunc(all.Unwrap(), func(err error) bool { return !isTLSError(err) })
	}
	_, isUntrusted := errors.AsType[*tls.CertificateVerificationError](err)
	return isUntrusted || strings.Contains(err.Error(), "server refused TLS connection") // pgconn has no type for it
}

// trouble reports when an outage, during which nothing can be committed, begins and ends.
type trouble struct {
	report func(err error, lasted time.Duration) // Options.Trouble; nil: not called
	mu     sync.Mutex
	since  time.Time // when the outage began; zero: there is none
}

// begin reports that an outage begins because of err, unless there is an outage already.
func (t *trouble) begin(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.since.IsZero() {
		return
	}
	t.since = time.Now()
	if t.report != nil {
		t.report(err, 0)
	}
}

// end is called after a commit: it ends the outage, if there is one, and reports its duration. If hasWritten returns
// false, the commit wrote nothing and does not prove that writing works: then the outage continues.
func (t *trouble) end(hasWritten func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() || !hasWritten() {
		return
	}
	lasted := time.Since(t.since)
	t.since = time.Time{}
	if t.report != nil {
		t.report(nil, lasted)
	}
}

// Errors that an engine returns or wraps.
var (
	// ErrReadOnly is returned for changes of a database that was opened for views only.
	ErrReadOnly = errors.New("the database was opened read-only")
	// ErrEmpty is returned for a database without tables, opened for views only or, on a server, with Options.Existing.
	ErrEmpty = errors.New("run knobel serve to set it up")
	// ErrUnfinished is returned if a database that is an unfinished copy is opened for views only.
	ErrUnfinished = errors.New("an unfinished copy: run knobel move again, or keep using the original " +
		"database")
	// ErrDamaged is the Kind of an Error which means that the database is damaged.
	ErrDamaged = errors.New("the database is damaged")
	// ErrRefused is the Kind of an Error of a statement that violates the schema or is invalid. A retry is useless.
	ErrRefused = errors.New("the database rejected the statement")
	// ErrAgain is returned by the function change of Update if a concurrent change was faster. On a server, Update then
	// runs change again, and returns this error only if change has failed too often.
	ErrAgain = errors.New("a concurrent change was faster: try again")
	// ErrUncertain is the Kind of an Error if it is unknown whether something is done: a server has not answered a
	// commit, or a crash may still undo the renaming of a file.
	ErrUncertain = errors.New("it is unknown whether the change was committed")
	// ErrStop ends a query without an error, if the function that is called for its rows returns it.
	ErrStop = errors.New("no more rows")
)

// Error is an error of the database itself. Its text is that of SQLite or of the server.
type Error struct {
	Err  error
	Kind error // ErrDamaged, ErrRefused, ErrReadOnly, ErrUncertain, or nil: a retry may succeed
}

func (e *Error) Error() string   { return e.Err.Error() }
func (e *Error) Unwrap() []error { return []error{e.Err, e.Kind} }

// codeOf returns the extended result code of SQLite in err, or 0 if err is not an error of SQLite.
func codeOf(err error) int {
	if failed, ok := errors.AsType[*sqlite.Error](err); ok {
		return failed.Code()
	}
	return 0
}

// asFile wraps err into an *Error with its kind if it is an error of SQLite. It returns other errors unchanged.
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

// explain adds to err the name of the database file and, for common errors of SQLite, what to do. nil stays nil.
func explain(file string, err error) error {
	if err == nil {
		return nil
	}
	switch codeOf(err) & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s is not a database: %w", file, err)
	case sqlite3.SQLITE_CORRUPT:
		if short, _ := truncationFaults(file); len(short) > 0 {
			return damagedError(file, short)
		}
		return fmt.Errorf("database %s is damaged: restore a backup: %w", file, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("database %s cannot be opened: make the file and its folder writable: %w",
			file, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("no space left for database %s: %w", file, err)
	}
	return fmt.Errorf("database %s: %w", file, err)
}

// isHot reports whether err means that a file could not be read because a crashed transaction has to be rolled back
// first, which a read-only connection cannot do.
func isHot(err error) bool { return codeOf(err) == sqlite3.SQLITE_READONLY_ROLLBACK }

// isShort reports whether err means that the write-ahead log is shorter than its index says.
func isShort(err error) bool { return codeOf(err) == sqlite3.SQLITE_IOERR_SHORT_READ }

// isFull reports whether err means that the disk is full.
func isFull(err error) bool { return codeOf(err)&0xff == sqlite3.SQLITE_FULL }
