// Package store keeps tables, moves, books and settings in one SQLite file.
// A match is bytes to it and an id is a string: it knows no game and no
// platform.
//
// Everything happens in transactions: Update writes, one at a time, and what
// it has returned from is on the disk; View reads one consistent state beside
// it. What is specific to SQLite stands in sqlite.go; all other SQL is plain.
package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
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
	// ErrReadOnly is returned by Update of a store that was opened for
	// reading.
	ErrReadOnly = errors.New("the database is open for reading only")
)

// Store is an open database: one writing connection, several reading ones.
// It is safe for concurrent use.
type Store struct {
	file string
	key  Sealer // nil: nothing is sealed
	lock *lock  // nil: open for reading only

	upgraded Upgrade  // what opening it has done
	found    []string // what a crash has left beside it

	writing *writer // nil: open for reading only
	reading *reader
	closing sync.Once
	fresh   atomic.Uint64 // updates remembered since Open, for forgetting old ones
}

// Open opens or creates the database in a file and brings its schema up to
// date. It refuses a database that a newer version has written, one that
// another instance is working with, one that is sealed with another key than
// the one given, and whatever is no database of ours, in a sentence for the
// operator; it leaves those files as they were.
func Open(ctx context.Context, file string, with ...Option) (*Store, error) {
	return open(ctx, file, chosen(with))
}

// OpenReadOnly opens an existing database for View, Check and Backup, also
// while another instance is working with it. It changes nothing in it and
// refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, file string, with ...Option) (*Store, error) {
	return openReadOnly(ctx, file, chosen(with).key)
}

// Option is something that may be said when a database is opened.
type Option func(*options)

type options struct {
	key     Sealer
	bare    bool // no copy is kept of an older schema
	trouble func(err error, lasted time.Duration)
	noticed func(what string)
}

// Noticed has somebody told what was found wrong beside the database while it is open,
// and was put right. told keeps changes waiting while it runs, and must not begin any.
func Noticed(told func(what string)) Option { return func(o *options) { o.noticed = told } }

// Troubled has somebody told when the disk takes no changes any more, with the
// error, and when it takes them again, with nil and how long it did not. told
// keeps changes waiting while it runs, and must not begin any.
func Troubled(told func(err error, lasted time.Duration)) Option {
	return func(o *options) { o.trouble = told }
}

// SealedBy gives the key with which names, ids and secrets are sealed in the database;
// nil: they are not.
func SealedBy(key Sealer) Option { return func(o *options) { o.key = key } }

func chosen(with []Option) options {
	var o options
	for _, option := range with {
		option(&o)
	}
	return o
}

// Close closes the database after all changes and views that have begun or
// wait; everything committed stays. Closing again does nothing.
func (s *Store) Close() (err error) {
	s.closing.Do(func() { err = s.close() })
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

func (s *Store) close() error {
	var errs []error
	if s.writing != nil {
		errs = append(errs, s.writing.close())
	}
	if s.reading != nil {
		errs = append(errs, s.reading.close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	return errors.Join(errs...)
}

// Sealed reports whether names, ids and secrets are sealed in the database.
func (s *Store) Sealed() bool { return s.key != nil }

// Found tells what a restore that ended in a crash has left beside the database, and
// what Open has done with it: it is as it was before the restore.
func (s *Store) Found() []string { return s.found }

// File is the absolute path of the database.
func (s *Store) File() string { return s.file }

// Update runs change in a writing transaction and commits it, or rolls all of
// it back when change returns an error, which Update then returns as it is.
// When Update returns nil, all of it is on the disk. A statement that failed
// inside is never committed, even if change swallows its error, and neither
// are books that do not add up.
//
// One change runs at a time; ctx ends the wait for its turn, while a change
// that has begun is carried through. Changes that come together share one
// commit: each sees what those before it have done, is rolled back alone, also
// when it panics, and returns after the commit. Where that fails, Update
// returns its error for all of them. Update must not be called inside Update.
//
// A change that had to wait runs in another goroutine. Its panic comes through
// in the caller's, as an error with the stack where it was met.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	if s.writing == nil {
		return ErrReadOnly
	}
	return s.writing.update(ctx, s, change)
}

// View runs read on one consistent state of the database, and returns its
// error as it is. Views do not wait for Update, and for each other only where
// they are many.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	return s.reading.view(ctx, s, read)
}
