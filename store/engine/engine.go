// Package engine runs SQL on one SQLite file or on PostgreSQL, by database/sql. It does not know the meaning of rows.
// Statements are plain SQL with $1, $2, … for their arguments, one text for both; the few that differ are in
// dialects.go.
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
	// returned an error or panicked, or a statement failed. Changes of a file run one at a time and may share a commit.
	// Changes of a server run concurrently except those of one name and those that Tx.Lock keeps apart; after a
	// conflict one is rolled back and runs again. ctx limits only the wait for the turn.
	Update(ctx context.Context, name string, change func(*Tx) error) error
	// Concurrent reports whether changes run concurrently.
	Concurrent() bool
	// View runs read on one consistent state.
	View(ctx context.Context, read func(*Tx) error) error

	// Rewrite runs change in a transaction of its own that checks references at its end or, in a file, not at all, and
	// that leaves no old bytes in temporary files. Other changes wait meanwhile or, on a server, should not be made.
	Rewrite(ctx context.Context, change func(*Tx) error) error
	// Load runs load in one transaction that checks references at its end or not at all. On a server the database
	// counts as unfinished from before the transaction until Finish, even if load fails. Inside, Tx.Empty, Fill and
	// Numbered may be used.
	Load(ctx context.Context, load func(*Tx) error) error
	// Unfinished reports whether a Load was not followed by Finish.
	Unfinished(ctx context.Context) (bool, error)
	// Finish marks the database as finished. If that is uncertain, its error is of the kind ErrUncertain.
	Finish(ctx context.Context) error
	// Clean erases the bytes of deleted and replaced rows. Changes wait meanwhile. After an error it can be tried again
	// later.
	Clean(ctx context.Context) error
	// Faults returns the faults that the engine finds in the database, in sentences.
	Faults(ctx context.Context) ([]string, error)
	// Hints calls hear with the hints of committed changes, those of this process included, until stop is called. Calls
	// come from the goroutine of the change, or from one goroutine for all other processes, so they may be concurrent.
	// hear must return soon and begin no change. Hints may be late or lost, for instance behind a pooler.
	Hints(hear func(text string)) (stop func())
	// There returns why changes are refused because the database was moved, deleted or taken by another instance. It
	// writes nothing.
	There() error

	// File returns where the database is.
	File() string
	// Size returns the bytes of the database and of its log.
	Size() (data, log int64, err error)
	// Commits returns the commits since the database was opened. It blocks nothing.
	Commits() Commits
	// Upgraded returns what opening the database has done to the schema.
	Upgraded() Upgrade
	// Found returns the remains of a crashed restore, and what opening the database has done with them.
	Found() []string
	// Close closes the database after all changes and views that have begun or wait. Closing again does nothing.
	Close() error
}

// Options are the options of opening a database.
type Options struct {
	// Convert turns values of the store's own types into columns and back; nil: there are none.
	Convert Converter
	// Accept refuses a database, by its name and schema version, before anything in it is changed. ready says that it
	// is used as it is: neither upgraded nor prepared.
	Accept func(tx *Tx, name string, version int64, ready bool) error
	// Existing refuses a database that does not exist or is empty, and keeps no copy of an older schema.
	Existing bool
	// Shared lets other processes that also set it use the database at the same time. A file is never shared.
	Shared bool
	// Filled says that Load follows: a new schema counts as unfinished from the beginning.
	Filled bool
	// Join runs in the transaction in which a process joins those that share the database, or joins again after it
	// could not reach the database for long; others reports whether there are any. Its error refuses the process for
	// good.
	Join func(tx *Tx, others bool) error
	// Waiting gets what opening the database waits for, and "" when it continues; nil: not called.
	Waiting func(what string)
	// Trouble gets the error when changes can no longer be committed, then nil and the duration when they can again;
	// nil: not called. It must not begin any change.
	Trouble func(err error, lasted time.Duration)
	// Noticed gets faults that were found beside the open database and repaired; nil: not called. It must not begin any
	// change.
	Noticed func(what string)
}

// Upgrade is the effect of opening a database on its schema.
type Upgrade struct {
	From, To int64  // schema versions; equal: nothing was done
	Backup   string // the copy made before, "" if there was nothing to keep
}

// base holds what both kinds of databases know without a query.
type base struct {
	work       work
	name       string // the path of a file, or an address without its password
	concurrent bool
	options    Options
	upgraded   Upgrade
	found      []string // left beside a file by a crash
	counter
}

// The following implement DB.

func (b *base) Concurrent() bool  { return b.concurrent }
func (b *base) File() string      { return b.name }
func (b *base) Upgraded() Upgrade { return b.upgraded }
func (b *base) Found() []string   { return b.found }

var errClosed = errors.New("the database is closed")

// work counts the changes and views that have begun or wait, until it is closed. The zero value is open.
type work struct {
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup
}

// Begin reports whether the work is open. The caller must then call Done.
func (w *work) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.inside.Add(1)
	}
	return !w.closed
}

// Done ends what Begin has counted.
func (w *work) Done() { w.inside.Done() }

// Close closes the work and waits for all that has begun. It returns false if it was closed before.
func (w *work) Close() bool {
	w.mu.Lock()
	first := !w.closed
	w.closed = true
	w.mu.Unlock()
	w.inside.Wait()
	return first
}

// Open opens the database of a name, a file or the address of a database on a server, and brings its schema up to date;
// a missing file is created. It refuses a newer version's database, one that another instance uses, one that the store
// does not accept and any other file, in a sentence for the operator, and leaves these as they were.
func Open(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, false)
	}
	return newFile(ctx, name, o)
}

// OpenReadOnly opens an existing database, a file also while another instance uses it. It changes nothing in it and
// refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, name string, o Options) (DB, error) {
	if IsServer(name) {
		return newServer(ctx, name, o, true)
	}
	return readFile(ctx, name, o)
}

// Commits are the commits of a database since it was opened.
type Commits struct {
	Failed  int64  // commits that failed
	Sizes   Spread // changes in a commit
	Lengths Spread // duration of a commit, in microseconds
	Waits   Spread // on a server: wait of a change for its turn, in microseconds
	Again   int64  // on a server: repeated changes, after a conflict or a lost connection
	// RoundTrips is how often changes and views have waited for a server.
	RoundTrips int64
}

// Spread is a histogram: Counts[i] is how many values were at most 2^i and more than 2^(i-1). The last one also counts
// all larger values; it is enough for a commit of a minute in microseconds.
type Spread struct {
	Counts [27]int64
	Sum    int64
}

func (s *Spread) add(n int64) {
	n = max(n, 0)
	s.Counts[min(bits.Len64(uint64(max(n, 1)-1)), len(s.Counts)-1)]++
	s.Sum += n
}

// counter counts commits. It is safe for concurrent use.
type counter struct {
	mu  sync.Mutex
	all Commits
}

// count changes the counts.
func (c *counter) count(change func(*Commits)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.all)
}

// commit counts one commit of size changes.
func (c *counter) commit(size int, took time.Duration, succeeded bool) {
	c.count(func(all *Commits) {
		if !succeeded {
			all.Failed++
			return
		}
		all.Sizes.add(int64(size))
		all.Lengths.add(took.Microseconds())
	})
}

// Commits implements DB.
func (c *counter) Commits() (all Commits) {
	c.count(func(now *Commits) { all = *now })
	return all
}
