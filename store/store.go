// Package store stores tables, moves, books and settings in a database, by package engine. It knows no game and no
// platform: a match is bytes, and an id is a string. Update and UpdateOf write in a transaction, View reads one
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
	// ErrUnbalanced is the error for a posting that does not add up to zero, and for a change that leaves wrong books.
	ErrUnbalanced = errors.New("the books do not add up")
	// ErrKey is the error for a database that is not sealed with the given key, or sealed though no key is given.
	ErrKey = errors.New("the database is sealed with another key")
	// ErrEmpty is the error for a database that is opened for reading and was never set up.
	ErrEmpty = engine.ErrEmpty
	// ErrUnfinished is the error for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = engine.ErrUnfinished
	// ErrReadOnly is the error for a change of a store that was opened for reading.
	ErrReadOnly = engine.ErrReadOnly
)

// Store is an open database, also with the methods There, File, Commits, Hints, Upgraded, Found and Close of engine.DB.
// It is safe for concurrent use.
type Store struct {
	database
	key    Sealer        // nil: nothing is sealed
	cache  cache         // of the changes of a file; nil: changes run concurrently
	strict bool          // see Strict
	fresh  atomic.Uint64 // updates stored by Seen since Open
}

type database = engine.DB

// Types of the results of Store's methods.
type (
	Commits = engine.Commits
	Spread  = engine.Spread
	Upgrade = engine.Upgrade
)

// Uncertain reports whether err leaves open whether the change was committed. If it is run again, Seen tells whether it
// was.
func Uncertain(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind == engine.ErrUncertain
}

// Passing reports whether err is one of the database that another try may not meet: not one about the written values.
func Passing(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind != engine.ErrRefused
}

// Sealed reports whether names, ids and secrets are sealed in the database.
func (s *Store) Sealed() bool { return s.key != nil }

// Update is UpdateOf without a lock: on a server, use it only for changes that belong to no chat.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	return s.UpdateOf(ctx, Scope{}, change)
}

// UpdateOf runs change in a writing transaction with the lock of a scope, and commits it: when it returns nil, the
// change is on the disk. If change returns an error, all of it is rolled back, and UpdateOf returns that error. A
// failed statement rolls it back as well, even if change ignores the error, and so do books that do not add up.
//
// Changes of a file run one at a time. Those that wait together share one commit: each sees the ones before it and is
// rolled back alone, also if it panics. If the commit fails, all of them get its error. On a server changes run
// concurrently, except those of one chat on all replicas; there change may run more than once, and only the last run
// counts. ctx ends only the wait for the turn. UpdateOf must not be called inside a change.
func (s *Store) UpdateOf(ctx context.Context, of Scope, change func(*Tx) error) error {
	return s.database.Update(ctx, of.name, func(db *engine.Tx) error {
		tx, stands := newTx(db, s), false
		tx.cache = s.cache
		switch {
		case tx.cache == nil:
			tx.cache = cache{}
		case db.Stale:
			clear(tx.cache)
		}
		defer func() {
			for _, id := range tx.cached {
				if !stands {
					delete(tx.cache, id)
				}
			}
		}()
		err := tx.keepOff(of)
		if err == nil {
			err = change(tx)
		}
		if err == nil {
			err = tx.settled()
		}
		stands = err == nil && db.Failed == nil
		return err
	})
}

// View runs read on one consistent state of the database and returns its error. Views do not wait for changes, and for
// each other only if there are many.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return s.database.View(ctx, func(db *engine.Tx) error { return read(newTx(db, s)) })
}
