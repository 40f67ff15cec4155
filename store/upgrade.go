package store

import (
	"context"
	"fmt"
	"time"
)

// Upgrade is what opening a database has done to its schema.
type Upgrade struct {
	From, To int64  // the schema before and after; alike: nothing was done
	Backup   string // the file that holds the database as it was before, "" where there was nothing to keep
}

// Upgraded tells what Open has done to the schema.
func (s *Store) Upgraded() Upgrade { return s.upgraded }

// keep copies a database before its schema is changed, so that the version
// that made it can have it back, and returns where the copy is.
func (s *Store) keep(ctx context.Context, version int64) (string, error) {
	file := fmt.Sprintf("%s.schema-%d.%s.backup", s.file, version, moment())
	if err := s.copied(ctx, file, true); err != nil {
		return "", fmt.Errorf("a copy of the database from before its upgrade: %w", err)
	}
	return file, nil
}

// moment is now, as a part of a file's name.
func moment() string { return time.Now().UTC().Format("2006-01-02T15-04-05.000Z") }
