// Package engine speaks SQL: to one SQLite file and to PostgreSQL, by database/sql. What the rows mean is not known
// here. Statements are plain SQL with $1, $2, … for their arguments, one text for both; the few that differ stand
// beside each other in dialects.go.
package engine

import (
	"context"
	"time"
)

// DB is an open database. It is safe for concurrent use.
type DB interface {
	// Update runs change in a writing transaction and returns once it is committed
	// for good, or rolled back because change returned an error or panicked, or a
	// statement failed. Changes of a file run one at a time, and those that come together may share a commit.
	// A server's changes run at once but for those of one name, and for what they keep each other from by Tx.Lock;
	// there a change may run again, after a rollback, because others were in its way. ctx ends the wait for the turn
	// only.
	Update(ctx context.Context, name string, change func(*Tx) error) error
	// Concurrent reports whether changes run at once.
	Concurrent() bool
	// Clock is an expression for the present time by the database's clock, in Unix milliseconds, and NULL where the
	// database is a file, whose clock is that of whoever works with it.
	Clock() string
	// View runs read on one consistent state.
	View(ctx context.Context, read func(*Tx) error) error

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

// Offline is a database that nobody but its user works with.
type Offline interface {
	// Change runs change in a transaction of its own that does not look at
	// references.
	Change(change func(*Tx) error) error
	// Clean is as of a DB.
	Clean() error
}

// Options say how a database is opened.
type Options struct {
	// Convert turns values of the store's own types into columns and back; nil: there are none.
	Convert Converter
	// Accept refuses a database, by its name and the version of its schema, before
	// anything in it is changed. ready is that it is used as it is then: neither
	// brought up to date nor prepared.
	Accept func(tx *Tx, name string, version int64, ready bool) error
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
	Join func(tx *Tx, others bool) error
	// Waiting is told what opening the database waits for, and "" when it goes on; nil: nobody is.
	Waiting func(what string)
	// Trouble is told when changes cannot be committed any more, and when they can,
	// with nil and how long they could not; nil: nobody is. It must not begin any.
	Trouble func(err error, lasted time.Duration)
	// Noticed is told what was found wrong beside the database while it is open, and
	// was put right; nil: nobody is. It must not begin any change.
	Noticed func(what string)
}

// Upgrade is what opening a database has done to its schema.
type Upgrade struct {
	From, To int64  // the schema before and after; alike: nothing was done
	Backup   string // where the database is kept as it was before, "" where there was nothing to keep
}
