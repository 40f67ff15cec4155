package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errHeld says that another instance holds a lock.
var errHeld = errors.New("held by another instance")

// lock keeps a second instance away from a database. It stands on a file
// beside it, which stays: the operating system lets go of the lock when its
// holder ends, however it ends.
type lock struct{ file *os.File }

// acquire takes the lock of a database or says who is in the way.
func acquire(database string) (*lock, error) {
	file, err := os.OpenFile(database+".lock", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		belong(file)
	} else if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(database+".lock", os.O_RDWR, 0)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, closed(database)
	}
	if err != nil {
		return nil, fmt.Errorf("database %s cannot be locked: %w", database, err)
	}
	if err = lockFile(file); err == nil {
		return &lock{file: file}, nil
	}
	err = errors.Join(err, file.Close())
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("another instance of knobel is working with %s: stop it, or give this one another database: %w", database, err)
	}
	return nil, fmt.Errorf("database %s cannot be locked: %w", database, err)
}

// release lets go of the lock, if it is still held.
func (l *lock) release() error {
	if err := l.file.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
