package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lookEvery is how often it is looked, at most, whether the file is still where it
// was while changes are made.
const lookEvery = time.Second

// home is where the file of a database is. Somebody may move, delete or replace
// it while it is open: what is written then goes into a file that has no name,
// and would be lost with the process.
type home struct {
	file string
	was  os.FileInfo
	lock *lock

	// What follows belongs to whoever writes.

	looked time.Time
	err    error // what was found then
	// log is what lay beside the file when the writing connection began, nil: there was
	// none, as where the file system takes none. While it is open SQLite removes none.
	log os.FileInfo
}

func homeOf(file string, held *lock) (home, error) {
	was, err := os.Stat(file)
	if err != nil {
		return home{}, fmt.Errorf("database: %w", err)
	}
	return home{file: file, was: was, lock: held}, nil
}

// look says whether the file is not there any more, as it was a moment ago, and
// reports whether it has looked just now.
func (h *home) look() (now bool, err error) {
	if at := time.Now(); h.looked.IsZero() || h.err != nil || at.Sub(h.looked) > lookEvery || at.Before(h.looked) {
		now, h.looked, h.err = true, at, h.there()
	}
	return now, h.err
}

// began notes the log of a writing connection. One that cannot be seen is not looked for.
func (h *home) began() {
	if is, err := os.Stat(h.file + "-wal"); err == nil {
		h.log = is
	}
}

// unlogged reports whether the log of the writing connection lies beside the file no
// longer; foreign is that another one does, in which something is written.
func (h *home) unlogged() (gone, foreign bool) {
	if h.log == nil {
		return false, false
	}
	is, err := os.Stat(h.file + "-wal")
	if err != nil {
		return errors.Is(err, fs.ErrNotExist), false
	}
	gone = !os.SameFile(h.log, is)
	return gone, gone && is.Size() > 0
}

// there says whether the file is not there any more, or belongs to another instance
// by now. It is safe for concurrent use.
func (h *home) there() error {
	if err := h.lock.keep(); err != nil {
		return err
	}
	is, err := os.Stat(h.file)
	if err == nil && os.SameFile(h.was, is) {
		return nil
	}
	return fmt.Errorf("the database %s was moved, deleted or replaced while it was open: put it back, or start anew", h.file)
}

// There says whether the file is not there any more that was opened, or was taken by
// another instance: changes are refused then, and what is read may be old.
func (s *Store) There() error {
	if s.writing == nil {
		return nil
	}
	return s.writing.home.there()
}
