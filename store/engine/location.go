package engine

// Checks that the file is still where it was opened, and the lock that keeps a second instance away.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// lookEvery is the shortest interval between two checks of the file's place by the writer.
const lookEvery = time.Second

// check returns an error if the database file was moved, deleted or replaced, or another instance has its lock: changes
// would go into a file without a name and be lost with the process. It is safe for concurrent use.
func (l *fileLock) check() error {
	if err := l.keep(); err != nil {
		return err
	}
	is, err := os.Stat(l.database)
	if err == nil && os.SameFile(l.was, is) {
		return nil
	}
	return fmt.Errorf("the database %s was moved, deleted or replaced while it was open: put it back, or start anew",
		l.database)
}

// errHeld means that another instance holds a lock.
var errHeld = errors.New("held by another instance")

// fileLock is a lock that keeps a second instance away from a database. It locks a file beside the database, which is
// never deleted: the operating system releases the lock when its holder ends. If someone deletes that file, the next
// instance makes another and has the database from then on.
type fileLock struct {
	database string
	was      os.FileInfo // the database when it was opened

	mu   sync.Mutex
	file *os.File
	lost error // why the lock is lost for good: another instance has it

	released bool
}

// acquire locks the database at a path. If another instance has locked it, the error is errHeld, wrapped for the
// operator.
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

// keep returns nil if the lock is still held. If its file was deleted, it takes the lock again, unless another instance
// was faster: then the lock is lost for good, since this process does not know the changes of the other.
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
