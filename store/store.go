// Package store stores tables, moves, books and settings in a database, by means of package engine. It knows no game
// and no platform: for it a match is a byte slice, and an id is a string. Update and UpdateOf write in a transaction.
// View reads the database as it is at one moment.
package store

import (
	"context"
	"errors"
	"sync/atomic"

	"knobel/store/engine"
)

// Errors that callers test for.
var (
	// ErrNotFound is the error for a row that does not exist.
	ErrNotFound = errors.New("not found")
	// ErrUnbalanced is the error for a posting whose amounts do not add up to zero. It is also the error for a change
	// after which books or results would violate an invariant of Check.
	ErrUnbalanced = errors.New("balances do not add up")
	// ErrKey is the error for a database that the given key does not fit: it is encrypted with another key, encrypted
	// although no key is given, or not encrypted although a key is given.
	ErrKey = errors.New("the database needs another key")
	// ErrEmpty is the error for opening a database for reading that was never set up.
	ErrEmpty = engine.ErrEmpty
	// ErrUnfinished is the error for opening a database for reading while a copy into it is not finished.
	ErrUnfinished = engine.ErrUnfinished
	// ErrReadOnly is the error for a change in a store that was opened only for reading.
	ErrReadOnly = engine.ErrReadOnly
)

// Store is an open database. It also has the methods There, File, Commits, Hints, Upgraded, Found and Close of
// engine.DB. It is safe for concurrent use.
type Store struct {
	database
	key    Sealer        // nil: nothing is encrypted
	cache  cache         // shared by all changes of a database file; nil on a server
	strict bool          // see Strict
	fresh  atomic.Uint64 // the number of new update ids that Seen has stored since Open
}

type database = engine.DB

// Types of results that methods of Store return.
type (
	Commits = engine.Commits
	Spread  = engine.Spread
	Upgrade = engine.Upgrade
)

// Uncertain reports whether err means that the change may or may not have been committed. If so, a change that calls
// Seen can be run again: Seen then reports whether the first run was committed.
func Uncertain(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind == engine.ErrUncertain
}

// Passing reports whether err is an error of the database that may be gone at the next try. It is false for nil, for
// values that the database refuses, and for errors that do not come from the database.
func Passing(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind != engine.ErrRefused
}

// Sealed reports whether names, ids and secrets are encrypted in the database.
func (s *Store) Sealed() bool { return s.key != nil }

// Update runs change like UpdateOf, but without a lock. On a server, use it only for changes that belong to no chat.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	return s.UpdateOf(ctx, Scope{}, change)
}

// UpdateOf runs change in a writing transaction with the lock scope, and commits it: after nil the change is on disk.
// If change returns an error, UpdateOf rolls everything back and returns it. It also rolls back after a failed
// statement, even if change ignores its error, and if the books do not add up at the end. A change must not call
// UpdateOf itself.
//
// In a database file changes run one at a time. Changes that wait at the same time share one commit: each sees the ones
// before it, and an error or a panic rolls back only its own change. If the commit fails, all of them get its error.
//
// On a server changes run concurrently, but those of one chat wait for each other, on all replicas. A change may run
// more than once there, and only the last run counts. If ctx ends, only the wait before change begins is canceled.
func (s *Store) UpdateOf(ctx context.Context, scope Scope, change func(*Tx) error) error {
	return s.database.Update(ctx, scope.name, func(db *engine.Tx) error {
		tx, kept := newTx(db, s), false
		tx.cache = s.cache
		switch {
		case tx.cache == nil:
			tx.cache = cache{}
		case db.Stale:
			clear(tx.cache)
		}
		defer func() {
			for _, id := range tx.cached {
				if !kept {
					delete(tx.cache, id)
				}
			}
		}()
		err := tx.lockScope(scope)
		if err == nil {
			err = change(tx)
		}
		if err == nil {
			err = tx.beforeCommit()
		}
		kept = err == nil && db.Failed == nil
		return err
	})
}

// View runs read on the database as it is at one moment, and returns the error of read. Views never wait for changes,
// and wait for other views only if many run at once.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return s.database.View(ctx, func(db *engine.Tx) error { return read(newTx(db, s)) })
}
