// Package engine runs SQL on one SQLite file or on PostgreSQL, by database/sql. It does not know the meaning of rows.
// Statements are plain SQL with $1, $2, … for their arguments, one text for both databases. The few statements that
// differ are in dialects.go.
package engine

import (
	"context"
	"errors"
	"math/bits"
	"sync"
	"time"
)

// DB is an open database. It is safe for concurrent use.
type DB interface {
	// Update runs change in a writing transaction and returns once it is committed, or rolled back because change
	// returned an error or panicked, or a statement failed. In a file, changes run one at a time and may share a
	// commit. On a server they run concurrently, except those of the same name (unless that is "") and those that lock
	// the same rows (Tx.Lock); after a conflict, change runs again. ctx limits only the wait until change begins.
	Update(ctx context.Context, name string, change func(*Tx) error) error
	// View runs read in a transaction that sees one consistent state and can change nothing. On a server, read may run
	// again if it failed before it got a row.
	View(ctx context.Context, read func(*Tx) error) error

	// Rewrite runs change, which may replace all rows, in a transaction that leaves no old bytes in temporary files. It
	// checks references at its end or, in a file, not at all. Other changes wait; on a server there should be none.
	Rewrite(ctx context.Context, change func(*Tx) error) error
	// Load runs load in one transaction, in which Tx.Empty, Fill and Numbered may be used. References are checked at
	// its end or not at all. On a server the database counts as unfinished from the beginning of Load until Finish,
	// even if load fails.
	Load(ctx context.Context, load func(*Tx) error) error
	// Unfinished reports whether Load was called and Finish has not succeeded since then.
	Unfinished(ctx context.Context) (bool, error)
	// Finish marks the database as finished after Load. After an error of the kind ErrUncertain, it may have done so.
	Finish(ctx context.Context) error
	// Clean erases the bytes of deleted and replaced rows from the database. In a file, changes wait meanwhile. After
	// an error it can be tried again later.
	Clean(ctx context.Context) error
	// Faults returns the damage that the engine's own checks find, one sentence each; none: the database is sound.
	Faults(ctx context.Context) ([]string, error)
	// Hints calls hear with each text that a committed change has passed to Tx.Hint, in this or another process, until
	// stop is called. Calls may be concurrent. hear must return soon and begin no change. Hints may be late or lost.
	Hints(hear func(text string)) (stop func())
	// There returns nil while the database accepts changes, and otherwise the reason: it was moved, deleted or taken
	// over by another instance. It writes nothing.
	There() error

	// File returns the path of the database, or its address without the password.
	File() string
	// Size returns the sizes in bytes of the database and of its log, which is 0 for a server.
	Size() (data, log int64, err error)
	// Commits returns statistics of the commits since the database was opened. It does not wait for running changes.
	Commits() Commits
	// Upgraded returns the change of the schema by opening: the versions before and after, and the path of a backup.
	Upgraded() Upgrade
	// Found returns sentences for the operator about the remains of a crashed restore: what opening the database has
	// found and handled; nil: there were none.
	Found() []string
	// Close waits for all changes and views that have begun or wait, and closes the database. A second call is a no-op.
	Close() error
}

// Options configures the opening of a database.
type Options struct {
	// Convert converts values of Go types that drivers do not support, to columns and back; nil: no such types.
	Convert Converter
	// Accept returns an error to refuse the database. name is its name, and version that of its schema. ready: the
	// schema will be used as it is, not upgraded or created. It is called before anything is changed. nil: not called.
	Accept func(tx *Tx, name string, version int64, ready bool) error
	// Existing makes opening fail if the database does not exist or is empty, and makes no backup of an older schema.
	Existing bool
	// Shared lets other processes that also set Shared use the database at the same time. It has no effect on a file.
	Shared bool
	// Filled says that Load will be called next: a newly created schema counts as unfinished from the beginning.
	Filled bool
	// Join is called in the transaction by which this process joins the others that share the database: at opening, and
	// again after a long time without the database. others: there are other processes now. If Join returns an error,
	// this process can never change the database. nil: not called.
	Join func(tx *Tx, others bool) error
	// Waiting is called with a sentence when opening the database has to wait for something, and with "" once it
	// continues; nil: not called.
	Waiting func(what string)
	// Trouble is called with an error when changes can no longer be committed. Once they can again, it is called with
	// nil and the duration of that outage. It must not begin any change. nil: not called.
	Trouble func(err error, lasted time.Duration)
	// Noticed is called with a sentence about each fault of the files that was found and repaired while the database
	// was open. It must not begin any change. nil: not called.
	Noticed func(what string)
}

// Upgrade describes what opening a database did to its schema.
type Upgrade struct {
	From, To int64  // schema versions; equal: nothing was changed
	Backup   string // the path of the copy made before, "" if none was needed
}

// base holds what File and Server have in common. None of its methods runs a query.
type base struct {
	work     work
	name     string // the path of a file, or an address without its password
	options  Options
	upgraded Upgrade
	found    []string // the result of Found
	counter
}

// File, Upgraded and Found implement DB: they return what newFile or newServer has stored.

func (b *base) File() string      { return b.name }
func (b *base) Upgraded() Upgrade { return b.upgraded }
func (b *base) Found() []string   { return b.found } // about a crashed restore: see DB

var errClosed = errors.New("the database is closed")

// work counts the changes and views that run or wait, so that Close can wait for them. The zero value is ready to use.
type work struct {
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup
}

// Begin counts one change or view and returns true; the caller must then call Done once. After Close it returns false.
func (w *work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.inside.Add(1)
	}
	return !w.closed
}

// Done ends one change or view that Begin has counted.
func (w *work) Done() { w.inside.Done() }

// Close makes Begin return false from now on, and waits until all that it counted is done. A second call returns false.
func (w *work) Close() bool {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	w.mu.Unlock()
	w.inside.Wait()
	return first
}

// Open opens the database called name, a file or an address of a server, and brings its schema up to date; a missing
// file is created. If the database has a newer schema, belongs to another program, is used by another instance or is
// refused by o.Accept, Open changes nothing and returns an error for the operator.
func Open(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, false)
	}
	return newFile(ctx, name, o)
}

// OpenReadOnly opens an existing database for views only. A file may be in use by another instance. It changes nothing,
// and returns an error if the schema is not of this program's version.
func OpenReadOnly(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, true)
	}
	return readFile(ctx, name, o)
}

// Commits holds statistics of the commits of a database since it was opened.
type Commits struct {
	Failed  int64  // commits that failed
	Sizes   Spread // changes per commit
	Lengths Spread // duration of a commit, in microseconds
	Waits   Spread // on a server: wait of a change for its turn, in microseconds
	Again   int64  // on a server: how often a change was repeated, after a conflict or a lost connection
	// RoundTrips counts how often changes and views have waited for an answer of a server.
	RoundTrips int64
}

// Spread is a histogram: Counts[i] is how many values were at most 2^i and more than 2^(i-1). The last element also
// counts all values above 2^26. In microseconds, that is a little more than a minute.
type Spread struct {
	Counts [27]int64
	Sum    int64
}

// add counts the value n; a negative n counts as 0.
func (s *Spread) add(n int64) {
	n = max(n, 0)
	s.Counts[min(bits.Len64(uint64(max(n, 1)-1)), len(s.Counts)-1)]++
	s.Sum += n
}

// counter counts the commits of a database. It is safe for concurrent use.
type counter struct {
	mu  sync.Mutex
	all Commits
}

// count calls change with the counts, which change may modify. Calls of count run one at a time.
func (c *counter) count(change func(*Commits)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.all)
}

// commit counts one commit: size is its number of changes, took its duration. Unless succeeded, it counts a failure.
func (c *counter) commit(size int, took time.Duration, succeeded bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !succeeded {
		c.all.Failed++
		return
	}
	c.all.Sizes.add(int64(size))
	c.all.Lengths.add(took.Microseconds())
}

// Commits returns a copy of the counts.
func (c *counter) Commits() (all Commits) {
	c.count(func(now *Commits) { all = *now })
	return all
}
