// Package store keeps tables, moves, books and settings in a database.
// A match is bytes to it and an id is a string: it knows no game and no
// platform.
//
// Everything happens in transactions: Update writes, one at a time for a chat, and what
// it has returned from is on the disk; View reads one consistent state beside
// it. How the database is spoken to stands behind the seam of package engine;
// all SQL here is plain.
package store

import (
	"context"
	"errors"
	"sync/atomic"

	"knobel/store/engine"
)

// Errors that callers look for.
var (
	// ErrNotFound is returned where a row that was asked for does not exist.
	ErrNotFound = errors.New("not found")
	// ErrUnbalanced is returned for a posting that does not add up to zero,
	// and for a transaction that would leave the books wrong.
	ErrUnbalanced = errors.New("the books do not add up")
	// ErrKey is returned for a database that is sealed with another key than
	// the one given, or with none, or with one though none is given.
	ErrKey = errors.New("the database is sealed with another key")
	// ErrEmpty is returned for a database that is opened for reading and was never set up.
	ErrEmpty = engine.ErrEmpty
	// ErrUnfinished is returned for a database that is opened for reading and holds the beginning of a copy.
	ErrUnfinished = engine.ErrUnfinished
	// ErrReadOnly is returned by Update of a store that was opened for
	// reading.
	ErrReadOnly = engine.ErrReadOnly
)

// Store is an open database. Beside its own methods it has those of engine.DB that are not about
// rows: Backup, There, File, Commits, Hints, Upgraded, Found and Close. It is safe for concurrent use.
type Store struct {
	database
	key    Sealer        // nil: nothing is sealed
	cache  *cache        // of whoever writes; nil: many write at once
	strict bool          // changes have to say of which chat they are
	fresh  atomic.Uint64 // updates remembered since Open, for forgetting old ones
}

type database = engine.DB

// What a store tells of its database.
type (
	Commits = engine.Commits
	Spread  = engine.Spread
	Upgrade = engine.Upgrade
)

// Uncertain reports whether an error is that of a commit of which is not known whether it came about. Seen knows it of
// the update of a platform: whoever runs the change again is told that it was seen.
func Uncertain(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind == engine.ErrUncertain
}

// Passing reports whether an error comes from the database and may be gone at the next try. Errors
// about the values that were to be written are not.
func Passing(err error) bool {
	failed, ok := errors.AsType[*engine.Error](err)
	return ok && failed.Kind != engine.ErrRefused
}

// Sealed reports whether names, ids and secrets are sealed in the database.
func (s *Store) Sealed() bool { return s.key != nil }

// Update runs change in a writing transaction and commits it, or rolls all of
// it back when change returns an error, which Update then returns as it is.
// When Update returns nil, all of it is on the disk. A statement that failed
// inside is never committed, even if change swallows its error, and neither
// are books that do not add up.
//
// One change of a file runs at a time; ctx ends the wait for its turn, while a change
// that has begun is carried through. Changes that come together share one
// commit: each sees what those before it have done, is rolled back alone, also
// when it panics, and returns after the commit. Where that fails, Update
// returns its error for all of them. On a server changes run at once: who changes what
// belongs to a chat says so by UpdateOf. There a change may run more than once, and only
// the last run counts. Update must not be called inside Update.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	return s.update(ctx, Scope{}, change)
}

func (s *Store) update(ctx context.Context, of Scope, change func(*Tx) error) error {
	return s.database.Update(ctx, of.name, func(db *engine.Tx) error {
		tx, stands := newTx(db, s), false
		tx.cache = s.cache
		switch {
		case tx.cache == nil:
			tx.cache = newCache()
		case db.Stale():
			clear(tx.cache.tables)
		}
		defer func() {
			if !stands {
				tx.invalidate()
			}
		}()
		err := tx.keepOff(of)
		if err == nil {
			err = change(tx)
		}
		if err == nil {
			err = tx.settled()
		}
		stands = err == nil && db.Err() == nil
		return err
	})
}

// View runs read on one consistent state of the database, and returns its
// error as it is. Views do not wait for Update, and for each other only where
// they are many.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return s.database.View(ctx, func(db *engine.Tx) error { return read(newTx(db, s)) })
}
