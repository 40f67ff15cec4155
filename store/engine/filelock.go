package engine

// How a second instance is kept away.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// errHeld is that another instance holds a lock.
var errHeld = errors.New("held by another instance")

// lock keeps a second instance away from a database. It stands on a file
// beside it, which stays: the operating system lets go of the lock when its
// holder ends, however it ends. Somebody may remove it all the same: then whoever
// comes first makes another, and the database is theirs.
type fileLock struct {
	database string

	mu   sync.Mutex
	file *os.File
	lost error // another instance has the database, for good

	released bool
}

// acquire takes the lock of a database or says who is in the way.
func acquire(database string) (*fileLock, error) {
	file, err := os.OpenFile(database+".lock", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		belong(file, filepath.Dir(file.Name()))
	} else if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(database+".lock", os.O_RDWR, 0)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, unwritable(database)
	}
	if err != nil {
		return nil, fmt.Errorf("database %s cannot be locked: %w", database, err)
	}
	if err = lockFile(file); err == nil {
		return &fileLock{database: database, file: file}, nil
	}
	err = errors.Join(err, file.Close())
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("another instance of knobel is working with %s: stop it, "+
			"or give this one another database: %w", database, err)
	}
	return nil, fmt.Errorf("database %s cannot be locked: %w", database, err)
}

// keep makes sure that the lock is still held: where its file was removed it takes
// it anew, unless another instance was faster. What that one has written nobody
// here knows of, so the lock is lost for good.
func (l *fileLock) keep() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return l.lost
	}
	held, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("lock of database %s: %w", l.database, err)
	}
	is, err := os.Stat(l.file.Name())
	switch {
	case err == nil && os.SameFile(held, is):
		return nil
	case err == nil:
		l.lost = fmt.Errorf("%s was removed, and another instance of knobel has taken the database since: "+
			"stop one, and start the other anew", l.file.Name())
		return l.lost
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("lock of database %s: %w", l.database, err)
	}
	anew, err := acquire(l.database)
	if errors.Is(err, errHeld) {
		l.lost = err
	}
	if err != nil {
		return err
	}
	err = l.file.Close()
	l.file = anew.file
	return err
}

// release lets go of the lock, if it is still held.
func (l *fileLock) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return nil
	}
	l.released = true
	return errors.Join(unlockFile(l.file), l.file.Close())
}
