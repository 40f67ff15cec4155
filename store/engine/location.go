package engine

// Checks that the database file is still where it was opened, and the lock that keeps other instances away.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// checkPlaceEvery is the shortest time between two checks by the writer that the file is still at its path.
const checkPlaceEvery = time.Second

// check returns an error if the database file was moved, deleted or replaced, or another instance has its lock: further
// changes could then be lost when this process ends. It is safe for concurrent use.
func (l *fileLock) check() error {
	if err := l.checkHeld(); err != nil {
		return err
	}
	info, err := os.Stat(l.database)
	if err == nil && os.SameFile(l.opened, info) {
		return nil
	}
	return fmt.Errorf("database %s was moved, deleted or replaced while it was open: put it back, or restart Knobel",
		l.database)
}

// errHeld means that another instance holds the lock.
var errHeld = errors.New("locked by another instance")

// fileLock is a lock that keeps other instances away from a database. It locks a separate file beside the database.
// Knobel never deletes that file: the operating system releases the lock when the process ends. If a person deletes it,
// the next instance makes it again and has the database from then on.
type fileLock struct {
	database string
	opened   os.FileInfo // the database file when it was opened

	mu   sync.Mutex
	file *os.File
	lost error // why the lock is lost for good: another instance has it

	released bool
}

// acquire locks the database at the path database. If another instance has locked it, the error wraps errHeld.
func acquire(database string) (*fileLock, error) {
	file, err := os.OpenFile(database+".lock", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		giveToOwner(file, filepath.Dir(file.Name()))
	} else if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(database+".lock", os.O_RDWR, 0)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, unwritableError(database)
	}
	if err != nil {
		return nil, fmt.Errorf("lock database %s: %w", database, err)
	}
	if err = lockFile(file); err == nil {
		return &fileLock{database: database, file: file}, nil
	}
	err = errors.Join(err, file.Close())
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("another instance of Knobel is using %s: stop it, "+
			"or use another database: %w", database, err)
	}
	return nil, fmt.Errorf("lock database %s: %w", database, err)
}

// checkHeld returns nil if this process still holds the lock. If the lock file was deleted, it takes the lock again. If
// another instance was faster, the lock is lost for good, since this process does not know what that instance changed.
func (l *fileLock) checkHeld() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return l.lost
	}
	lockInfo, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("lock of database %s: %w", l.database, err)
	}
	info, err := os.Stat(l.file.Name())
	switch {
	case err == nil && os.SameFile(lockInfo, info):
		return nil
	case err == nil:
		l.lost = fmt.Errorf("%s was deleted, and another instance of Knobel has locked the database since: "+
			"stop one and restart the other", l.file.Name())
		return l.lost
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("lock of database %s: %w", l.database, err)
	}
	newLock, err := acquire(l.database)
	if errors.Is(err, errHeld) {
		l.lost = err
	}
	if err != nil {
		return err
	}
	err = l.file.Close()
	l.file = newLock.file
	return err
}

// release releases the lock; a second call is a no-op.
func (l *fileLock) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return nil
	}
	l.released = true
	return errors.Join(unlockFile(l.file), l.file.Close())
}
