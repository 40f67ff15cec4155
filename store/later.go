package store

import (
	"context"
	"errors"
)

// Backup writes a consistent copy of the running database into a new file.
func (s *Store) Backup(ctx context.Context, file string) error { return errors.ErrUnsupported }

// Migrate moves everything of a chat to a new id; place gives the new id of a
// place. Where the new chat is already known, the two become one.
func (tx *Tx) Migrate(from, to string, place func(string) string) error {
	return errors.ErrUnsupported
}
