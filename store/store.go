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
	"sync/atomic"
)

// Errors that callers look for.
var (
	// ErrNotFound is returned where a row that was asked for does not exist.
	ErrNotFound = errors.New("not found")
	// ErrUnbalanced is returned for a posting that does not add up to zero,
	// and for a transaction that would leave the books wrong.
	ErrUnbalanced = errors.New("the books do not add up")
	// ErrReadOnly is returned by Update of a store that was opened for
	// reading.
	ErrReadOnly = errors.New("the database is open for reading only")
)

// Store is an open database: one writing connection, several reading ones.
// It is safe for concurrent use.
type Store struct {
	file string
	lock *lock // nil: open for reading only

	turn    chan struct{} // holds a token while somebody writes
	writing *pool         // nil: open for reading only
	reading *pool
	fresh   atomic.Uint64 // updates remembered since Open, for forgetting old ones
}

// Open opens or creates the database in a file and brings its schema up to
// date. It refuses a database that a newer version has written, one that
// another instance is working with, and whatever is no database of ours, in a
// sentence for the operator; it leaves those files as they were.
func Open(ctx context.Context, file string) (*Store, error) { return open(ctx, file) }

// OpenReadOnly opens an existing database for View, Check and Backup, also
// while another instance is working with it. It changes nothing in it and
// refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, file string) (*Store, error) {
	return openReadOnly(ctx, file)
}

// Close closes the database; everything committed stays. Whoever is inside
// Update or View should be done. Closing again does nothing.
func (s *Store) Close() error {
	err := s.reading.close()
	if s.writing != nil {
		err = errors.Join(err, s.writing.close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.release())
	}
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// File is the absolute path of the database.
func (s *Store) File() string { return s.file }

// Update runs change in one writing transaction and commits it, or rolls all
// of it back when change returns an error, which Update then returns as it is.
// When Update returns nil, all of it is on the disk. A statement that failed
// inside is never committed, even if change swallows its error, and neither
// are books that do not add up.
//
// One change runs at a time; ctx ends the wait for its turn, while a change
// that has begun is carried through. Update must not be called inside Update.
func (s *Store) Update(ctx context.Context, change func(*Tx) error) error {
	if s.writing == nil {
		return ErrReadOnly
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	tx, err := s.begin(context.WithoutCancel(ctx), s.writing, false)
	if err != nil {
		return err
	}
	defer tx.end()
	if err := change(tx); err != nil {
		return err
	}
	return tx.commit()
}

// View runs read on one consistent state of the database, and returns its
// error as it is. Views do not wait for each other nor for Update.
func (s *Store) View(ctx context.Context, read func(*Tx) error) error {
	tx, err := s.begin(ctx, s.reading, true)
	if err != nil {
		return err
	}
	defer tx.end()
	return read(tx)
}
