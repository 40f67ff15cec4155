// Package engine is the seam between what is stored, package store, and how a
// database is spoken to, such as package sqlite. What stands here says nothing
// of files or of one dialect: statements are plain SQL with $1, $2, … for their
// arguments, and errors are told apart by the values below.
package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"
)

// Errors that an engine returns, or wraps.
var (
	// ErrReadOnly is returned for changes of a database that was opened for reading.
	ErrReadOnly = errors.New("the database is open for reading only")
	// ErrEmpty is returned for a database that is opened for reading and was never set up.
	ErrEmpty = errors.New("knobel serve sets it up")
	// ErrUnfinished is returned for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = errors.New("a copy that was not finished: run knobel move again, or serve the one that it was to " +
		"come from")
	// ErrDamaged is the kind of an Error that means that the database itself is wrong.
	ErrDamaged = errors.New("the database is damaged")
	// ErrRefused is the kind of an Error of a statement that breaks a rule of the
	// schema, or is none: it would fail again.
	ErrRefused = errors.New("the database refuses the statement")
	// ErrAgain is the error of a change that has found that another one has overtaken it: an engine where changes run
	// at once runs it again, and nobody hears of that.
	ErrAgain = errors.New("another change was faster: try again")
	// ErrUncertain is the kind of an Error of a commit that a server has not answered, or of a name that a disk may not
	// keep: what was to be done may have been done.
	ErrUncertain = errors.New("the server has not said whether it is committed")
	// ErrStop ends the reading of rows without an error.
	ErrStop = errors.New("no more rows")
)

// Error is an error of the database itself. It reads as the engine has said it.
type Error struct {
	Err  error
	Kind error // ErrDamaged, ErrRefused, ErrUncertain, or nil: it may be gone when the same is tried again
}

func (e *Error) Error() string   { return e.Err.Error() }
func (e *Error) Unwrap() []error { return []error{e.Err, e.Kind} }

// DB is an open database. It is safe for concurrent use.
type DB interface {
	// Update runs change in a writing transaction and returns once it is committed
	// for good, or rolled back because change returned an error or panicked, or a
	// statement failed. Changes of a file run one at a time, and those that come together may share a commit.
	// A server's changes run at once but for those of one name, and for what they keep each other from by Tx.Lock;
	// there a change may run again, after a rollback, because others were in its way. ctx ends the wait for the turn
	// only.
	Update(ctx context.Context, name string, change func(Tx) error) error
	// Concurrent reports whether changes run at once.
	Concurrent() bool
	// Clock is an expression for the present time by the database's clock, in Unix milliseconds, and NULL where the
	// database is a file, whose clock is that of whoever works with it.
	Clock() string
	// View runs read on one consistent state.
	View(ctx context.Context, read func(Tx) error) error

	// Load runs load in one transaction that does not look at references until it ends, if then. On a server the
	// database counts as unfinished from before that on, whatever becomes of load, until Finish.
	Load(ctx context.Context, load func(Loader) error) error
	// Unfinished reports whether a Load was not followed by Finish.
	Unfinished(ctx context.Context) (bool, error)
	// Finish has the database count as finished. Where it may have done so its error is of the kind ErrUncertain.
	Finish(ctx context.Context) error
	// Backup writes a checked, consistent copy to a file that must not exist. Reading and writing
	// go on meanwhile. told, if there is one, hears how much of how much is copied.
	Backup(ctx context.Context, name string, told func(done, all int64)) error
	// Clean makes sure that what rows have held before is nowhere any longer. Changes
	// wait meanwhile. An error is worth trying again later.
	Clean(ctx context.Context) error
	// Faults returns what the engine finds wrong with the database, in sentences.
	Faults(ctx context.Context) ([]string, error)
	// Hints has hear be called with the hints of changes, those of this process included, until stop is called. It is
	// called by whoever has made the change, once that is committed, or by one goroutine for all that comes from
	// others, and so by several at once. It returns soon, and begins no change. Hints may be late or never come: a
	// pooler may be in between.
	Hints(hear func(text string)) (stop func())
	// There returns why changes are refused because the database is not the one any
	// longer that was opened: moved, deleted, or another instance's. It writes nothing.
	There() error

	// File is where the database is.
	File() string
	// Size is how many bytes the database has, and what is not yet in its place there.
	Size() (data, log int64, err error)
	// Commits tells what was committed since it was opened, and keeps nobody waiting.
	Commits() Commits
	// RoundTrips is how often changes and views have waited for a server since the database was opened, 0 where there
	// is none.
	RoundTrips() int64
	// Upgraded tells what opening the database has done to the schema.
	Upgraded() Upgrade
	// Found tells what a restore that ended in a crash has left, and what opening the
	// database has done with it.
	Found() []string
	// Close closes the database after all changes and views that have begun or wait;
	// everything committed stays. Closing again does nothing.
	Close() error
}

// Tx is a transaction. It is valid only inside the function that got it, and for one
// goroutine. Once a statement has failed, all others fail with the same error, and
// nothing is committed.
type Tx interface {
	// Exec runs a statement and returns how many rows it has changed.
	Exec(query string, args ...any) (changed int64, err error)
	// Run is Exec where the number of rows does not matter. Its error may come with a later statement, or with the
	// commit.
	Run(query string, args ...any) error
	// Must is Run for an INSERT, UPDATE or DELETE that has to change a row: otherwise the transaction fails with none.
	Must(none error, query string, args ...any) error
	// Rows calls each for every row of a query, until it returns an error, which Rows
	// then returns; ErrStop is none. No other statement runs meanwhile. A row is good
	// until each returns: integers, texts, bytes or nil; a truth is an integer.
	Rows(query string, args []any, each func(row []driver.Value) error) error
	// Need fails the transaction with none unless a query finds a row, and keeps other changes from changing the key of
	// that row until the transaction ends. Its error may come with a later statement, or with the commit.
	Need(none error, query string, args ...any) error
	// Never fails the transaction with some if a query finds a row. Its error may come with a later statement, or with
	// the commit.
	Never(some error, query string, args ...any) error
	// Number returns the id of a row that is to be added to a table. No other row of it gets the same, and it may stay
	// unused.
	Number(table string) (int64, error)
	// Lock keeps other changes away from the rows that a query finds, until the transaction ends: they wait where they
	// lock these or change them. each is called as of Later; where changes run one at a time anyway it may not be.
	Lock(query string, args []any, each func(row []driver.Value)) error
	// Expect says that the transaction is likely to read what the last ones of its kind have read, with its own values
	// where they had theirs, and what the last ones of its kind and name have read, so that an engine that is far away
	// asks for all of that at once. Values are arguments that are known before anything is read; one that is not known
	// is NULL or empty. It changes nothing of what Rows calls each for.
	Expect(kind, name string, values ...any)
	// Hint tells all who listen by Hints in haste of what the transaction changes, once that is committed. Nobody waits
	// for that, and it never fails. Others can read a hint where they can read none of the database: what is sealed
	// there is sealed in it. It has at most 7,000 bytes; a longer one, and an empty one, are not told.
	Hint(text string)
	// Later is Rows for a statement that others need not wait for: each may be called with a later statement, or at the
	// end of the transaction, before Update returns nil. Where Update returns an error it may not be called.
	Later(query string, args []any, each func(row []driver.Value)) error
	// Scan puts the values of a row into variables: integers, truths, texts, bytes
	// and types of these kinds, which do not take nil but for bytes, and pointers to
	// integers and any, which do. Into types of others it goes by the Converter.
	Scan(row []driver.Value, into []any) error
	// Columns are the names of the columns of a query that has returned a row.
	Columns(query string) ([]string, error)
	// Tables are the tables of the schema, by name.
	Tables() ([]Table, error)
	// StrayReferences returns a query for each table of which rows refer to something that
	// is not there: its name, and how many rows.
	StrayReferences() (query string, err error)
	// Stale reports whether the database may differ from what Updates before have left
	// in it: somebody else has written, or a commit has failed.
	Stale() bool
	// Err is the error of the first statement that failed.
	Err() error
}

// Offline is a database that nobody but its user works with.
type Offline interface {
	// Change runs change in a transaction of its own that does not look at
	// references.
	Change(change func(Tx) error) error
	// Clean is as of a DB.
	Clean() error
}

// Options say how a database is opened.
type Options struct {
	// Convert makes what turns values of the store's own types into columns and back,
	// for one connection.
	Convert func() Converter
	// Accept refuses a database, by its name and the version of its schema, before
	// anything in it is changed. ready is that it is used as it is then: neither
	// brought up to date nor prepared.
	Accept func(tx Tx, name string, version int64, ready bool) error
	// Prepare changes what is to be changed before anybody works with the database,
	// after its schema was brought up to date.
	Prepare func(Offline) error
	// Shared is that others may work with the database at the same time, if they say so, too. A file is never shared.
	Shared bool
	// Filled is that Load follows: a schema that is made anew counts as unfinished from the beginning.
	Filled bool
	// Join is run in the transaction in which a process that shares the database joins the others, or joins them anew
	// after it could not reach the database for long; others is whether there are any. Its error refuses that, and
	// then for good.
	Join func(tx Tx, others bool) error
	// Waiting is told what opening the database waits for, and "" when it goes on; nil: nobody is.
	Waiting func(what string)
	// Trouble is told when changes cannot be committed any more, and when they can,
	// with nil and how long they could not; nil: nobody is. It must not begin any.
	Trouble func(err error, lasted time.Duration)
	// Noticed is told what was found wrong beside the database while it is open, and
	// was put right; nil: nobody is. It must not begin any change.
	Noticed func(what string)
}

// Converter turns values into what stands in a column, and back. It is used by one
// goroutine at a time.
type Converter interface {
	// Encode returns what stands in a column for a value; ok is false for a value that
	// is of no type of the converter's.
	Encode(value any) (column driver.Value, ok bool, err error)
	// Decode puts a column into a variable; ok is false for one that is of no type of
	// the converter's.
	Decode(column driver.Value, into any) (ok bool, err error)
}

// Upgrade is what opening a database has done to its schema.
type Upgrade struct {
	From, To int64  // the schema before and after; alike: nothing was done
	Backup   string // where the database is kept as it was before, "" where there was nothing to keep
}

// Commits is what a database has committed since it was opened.
type Commits struct {
	Failed  int64  // commits that did not come about
	Sizes   Spread // how many changes shared a commit
	Lengths Spread // how long a commit took, in microseconds
	Waits   Spread // on a server: how long changes waited for their turn, in microseconds
	Again   int64  // on a server: how often changes ran again, as others were in their way or a connection was lost
}

// Spread is how often something was how large: Counts[i] is how often it was at most
// 2^i and more than 2^(i-1); what was beyond the last counts there, too. The last is
// enough for a commit of a minute, told in microseconds.
type Spread struct {
	Counts [27]int64
	Sum    int64
}
