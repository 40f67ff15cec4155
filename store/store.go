// Package store stores tables, moves, books and settings in a database, by package engine. It knows no game and no
// platform: a match is a byte slice, and an id is a string. Update and UpdateOf write in a transaction, View reads one
// consistent state.
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
	// ErrUnbalanced is the error for a posting whose amounts do not add up to zero, and for a change after which books
	// or results would violate an invariant of Check.
	ErrUnbalanced = errors.New("the books do not add up")
	// ErrKey is the error for a database that the given key does not fit: it is encrypted with another key, encrypted
	// although no key is given, or not encrypted although one is given.
	ErrKey = errors.New("the database is sealed with another key")
	// ErrEmpty is the error for a database that is opened for reading and was never set up.
	ErrEmpty = engine.ErrEmpty
	// ErrUnfinished is the error for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = engine.ErrUnfinished
	// ErrReadOnly is the error for a change of a store that was opened for reading.
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

// Types of the results of Store's methods.
type (
	Commits = engine.Commits
	Spread  = engine.Spread
	Upgrade = engine.Upgrade
)

// Uncertain reports whether err leaves open whether the change was committed. If the change calls Seen, it can be run
// again: Seen then reports whether the first run was committed.
func Uncertain(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind == engine.ErrUncertain
}

// Passing reports whether err is a temporary error of the database, after which another try may succeed. It is false
// for nil, for values that the database refuses, and for errors that do not come from the database.
func Passing(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind != engine.ErrRefused
}

// Sealed reports whether names, ids and secrets are encrypted in the database.
func (s *Store) Sealed() bool { return s.key != nil }

// Update runs change as UpdateOf does, but without a lock. On a server, use it only for changes that belong to no chat.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	return s.UpdateOf(ctx, Scope{}, change)
}

// UpdateOf runs change in a writing transaction that holds the lock scope, and commits it: when UpdateOf returns nil,
// the change is on disk. Everything is rolled back if change returns an error, which UpdateOf then returns; after a
// failed statement, even if change ignores its error; and if the books do not add up at the end. UpdateOf must not be
// called inside a change.
//
// In a database file changes run one at a time. Changes that wait at the same time share one commit: each sees the ones
// before it, and an error or a panic rolls back only its own change. If the commit fails, all of them get its error.
//
// On a server changes run concurrently, but those of one chat wait for each other on all replicas. There change may run
// more than once, and only the last run counts. The end of ctx cancels only the wait before change begins.
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

// View runs read on one consistent state of the database and returns its error. Views never wait for changes, and wait
// for other views only if many run at once.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return s.database.View(ctx, func(db *engine.Tx) error { return read(newTx(db, s)) })
}
