package engine

// Checking whether the file is still where it was opened.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lookEvery is the shortest interval between checks of the file's place during changes.
const lookEvery = time.Second

// location watches the file of a database. If it is moved, deleted or replaced while it is open, writes go into a file
// without a name and would be lost with the process.
type location struct {
	file string
	was  os.FileInfo
	lock *fileLock

	// Only the writer uses the fields below.

	looked time.Time
	err    error // the last result
	// log is the log beside the file when the writing connection began; nil: there was none. SQLite removes no log
	// while it is open.
	log os.FileInfo
}

func locationOf(file string, held *fileLock) (location, error) {
	was, err := os.Stat(file)
	if err != nil {
		return location{}, fmt.Errorf("database: %w", err)
	}
	return location{file: file, was: was, lock: held}, nil
}

// look returns the latest result of check, which is at most lookEvery old, and reports whether check ran just now.
func (l *location) look() (now bool, err error) {
	if at := time.Now(); l.looked.IsZero() || l.err != nil || at.Sub(l.looked) > lookEvery || at.Before(l.looked) {
		now, l.looked, l.err = true, at, l.check()
	}
	return now, l.err
}

// noteLog notes the log of a writing connection. One that cannot be read is not watched.
func (l *location) noteLog() {
	if is, err := os.Stat(l.file + "-wal"); err == nil {
		l.log = is
	}
}

// logGone reports whether the log of the writing connection no longer lies beside the file; foreign says that another
// one with contents does.
func (l *location) logGone() (gone, foreign bool) {
	if l.log == nil {
		return false, false
	}
	is, err := os.Stat(l.file + "-wal")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist), false
	}
	gone = !os.SameFile(l.log, is)
	return gone, gone && is.Size() > 0
}

// check returns an error if the file is gone or belongs to another instance. It is safe for concurrent use.
func (l *location) check() error {
	if err := l.lock.keep(); err != nil {
		return err
	}
	is, err := os.Stat(l.file)
	if err == nil && os.SameFile(l.was, is) {
		return nil
	}
	return fmt.Errorf("the database %s was moved, deleted or replaced while it was open: put it back, or start anew",
		l.file)
}
